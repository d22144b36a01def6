// A server that speaks the viewer's protocol with made-up bodies, so that the page can be tested alone.
//
//     const server = await start_fake({ kind: "run", frames: 20 });  server.url, server.said, server.close()
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const token = "0123456789abcdef";
const up_to_8 = (n) => Math.ceil(n / 8) * 8;

export function encode(header, arrays) {
  let offset = 0;
  const list = arrays.map(([name, type, shape, data]) => {
    const entry = { name, type, shape, offset };
    offset += up_to_8(data.byteLength);
    return entry;
  });
  const text = Buffer.from(JSON.stringify({ ...header, arrays: list }));
  const start = up_to_8(4 + text.length);
  const bytes = Buffer.alloc(start + offset);
  bytes.fill(0x20, 4, start);
  bytes.writeUInt32LE(start - 4, 0);
  text.copy(bytes, 4);
  arrays.forEach(([, , , data], i) =>
    Buffer.from(data.buffer, data.byteOffset, data.byteLength).copy(bytes, start + list[i].offset),
  );
  return bytes;
}

// The surface of a box of cells, each face split in two triangles; vertices on edges are shared.
export function box_surface([nx, ny, nz], [sx, sy, sz], origin) {
  const ids = new Map();
  const points = [];
  const triangles = [];
  const id = (i, j, k) => {
    const key = (i * (ny + 1) + j) * (nz + 1) + k;
    if (!ids.has(key)) {
      ids.set(key, points.length / 3);
      points.push(origin[0] + (sx * i) / nx, origin[1] + (sy * j) / ny, origin[2] + (sz * k) / nz);
    }
    return ids.get(key);
  };
  const quad = (a, b, c, d) => triangles.push(a, b, c, a, c, d);
  for (let j = 0; j < ny; ++j)
    for (let k = 0; k < nz; ++k) {
      quad(id(0, j, k), id(0, j, k + 1), id(0, j + 1, k + 1), id(0, j + 1, k));
      quad(id(nx, j, k), id(nx, j + 1, k), id(nx, j + 1, k + 1), id(nx, j, k + 1));
    }
  for (let i = 0; i < nx; ++i)
    for (let k = 0; k < nz; ++k) {
      quad(id(i, 0, k), id(i + 1, 0, k), id(i + 1, 0, k + 1), id(i, 0, k + 1));
      quad(id(i, ny, k), id(i, ny, k + 1), id(i + 1, ny, k + 1), id(i + 1, ny, k));
    }
  for (let i = 0; i < nx; ++i)
    for (let j = 0; j < ny; ++j) {
      quad(id(i, j, 0), id(i, j + 1, 0), id(i + 1, j + 1, 0), id(i + 1, j, 0));
      quad(id(i, j, nz), id(i + 1, j, nz), id(i + 1, j + 1, nz), id(i, j + 1, nz));
    }
  return { points, triangles };
}

// A bar that twists and bends, and a block below it.
export function make_model(cells) {
  const parts = [
    { name: "bar", ...box_surface([4 * cells, cells, cells], [0.4, 0.1, 0.1], [0, 0.1, 0]) },
    { name: "block", ...box_surface([cells, cells, cells], [0.08, 0.08, 0.08], [0.16, 0, 0.01]) },
  ];
  const rest = Float32Array.from(parts.flatMap(({ points }) => points));
  const body = [];
  const triangles = [];
  let first = 0;
  parts.forEach((part, b) => {
    for (const v of part.triangles) triangles.push(v + first);
    for (let t = 0; t < part.triangles.length / 3; ++t) body.push(b);
    first += part.points.length / 3;
  });
  const infos = parts.map(({ name, points, triangles: own }) => ({
    name, nodes: points.length / 3, tets: own.length, triangles: own.length / 3,
  }));
  return { rest, triangles: Int32Array.from(triangles), body: Int32Array.from(body), infos };
}

// A floor and a post that rises with s; shapes as (points, triangles), each in a frame of its own.
function collider_message(pane, floor_size) {
  const h = floor_size / 2;
  const floor = { points: [-h, 0, -h, h, 0, -h, h, 0, h, -h, 0, h], triangles: [0, 2, 1, 0, 3, 2] };
  const post = box_surface([1, 1, 1], [0.06, 0.3, 0.06], [-0.03, -0.15, -0.03]);
  const triangles = [...floor.triangles, ...post.triangles.map((v) => v + 4)];
  return encode({ say: "colliders", pane }, [
    ["points", "f4", [4 + post.points.length / 3, 3], Float32Array.from([...floor.points, ...post.points])],
    ["triangles", "i4", [triangles.length / 3, 3], Int32Array.from(triangles)],
    ["collider", "i4", [triangles.length / 3], Int32Array.from({ length: triangles.length / 3 }, (_, t) => (t < 2 ? 0 : 1))],
  ]);
}

const still = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const collider_poses = (s) => Float32Array.from([...still, 0.2, 0, 0.05, ...still, 0.46, 0.15 + 0.1 * s, 0.05]);

const fields = [
  { name: "displacement", unit: "m", doc: "Way from the rest position.", on: "node", components: ["norm", "x", "y", "z"] },
  { name: "von_mises", unit: "Pa", doc: "Von Mises stress.", on: "tet", components: [] },
];

// Bent and twisted by s; what was grabbed or posed moves its end by `pull`.
function deform(rest, s, pull, out) {
  for (let i = 0; i < rest.length; i += 3) {
    const [x, y, z] = [rest[i], rest[i + 1], rest[i + 2]];
    const part = y < 0.0999 ? 0 : x / 0.4;
    const angle = 1.2 * s * part;
    const [c, n] = [Math.cos(angle), Math.sin(angle)];
    const [dy, dz] = [y - 0.15, z - 0.05];
    out[i] = x + pull[0] * part * part;
    out[i + 1] = part === 0 ? y : 0.15 + c * dy - n * dz + 0.12 * s * part * part + pull[1] * part * part;
    out[i + 2] = part === 0 ? z : 0.05 + n * dy + c * dz + pull[2] * part * part;
  }
}

export class FakeModel {
  constructor({ cells = 6, pull_scale = 1, colliders = false } = {}) {
    Object.assign(this, make_model(cells));
    this.colliders = colliders;
    this.positions = new Float32Array(this.rest.length);
    this.pull = [0, 0, 0];
    this.pull_scale = pull_scale;
  }

  topology(pane, generation, clip) {
    let { triangles, body } = this;
    let tets = Int32Array.from({ length: body.length }, (_, t) => 3 * t);
    if (clip) {
      const keep = [...body.keys()].filter((t) => {
        const centre = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, c) => sum + this.positions[3 * triangles[3 * t + c] + k] / 3, 0));
        return clip[0] * centre[0] + clip[1] * centre[1] + clip[2] * centre[2] <= clip[3];
      });
      triangles = Int32Array.from(keep.flatMap((t) => [...triangles.subarray(3 * t, 3 * t + 3)]));
      tets = Int32Array.from(keep, (t) => tets[t]);
      body = Int32Array.from(keep, (t) => this.body[t]);
    }
    this.shown = { triangles, body };
    const nodes = Int32Array.from({ length: this.rest.length / 3 }, (_, i) => i);
    return encode({ say: "topology", pane, generation }, [
      ["triangles", "i4", [triangles.length / 3, 3], triangles],
      ["nodes", "i4", [nodes.length], nodes],
      ["tets", "i4", [tets.length], tets],
      ["body", "i4", [body.length], body],
    ]);
  }

  place(s) {
    deform(this.rest, s, this.pull.map((p) => p * this.pull_scale), this.positions);
  }

  values(name, component, s) {
    const { rest, positions } = this;
    if (name === "displacement")
      return Float32Array.from({ length: rest.length / 3 }, (_, i) => {
        const d = [0, 1, 2].map((k) => positions[3 * i + k] - rest[3 * i + k]);
        return component === "norm" ? Math.hypot(...d) : d["xyz".indexOf(component)];
      });
    const { triangles } = this.shown;
    return Float32Array.from({ length: triangles.length / 3 }, (_, t) =>
      t === 0 ? NaN : 25000 * s * Math.abs(Math.sin(8 * rest[3 * triangles[3 * t]]) * Math.cos(20 * rest[3 * triangles[3 * t] + 1])),
    );
  }

  frame(header, s, shown) {
    const arrays = [["positions", "f4", [this.positions.length / 3, 3], this.positions]];
    let field = null;
    if (shown?.field) {
      const info = fields.find(({ name }) => name === shown.field);
      const component = shown.component ?? info.components[0] ?? "";
      const values = this.values(info.name, component, s);
      let [min, max] = [Infinity, -Infinity];
      for (const v of values) if (v === v) [min, max] = [Math.min(min, v), Math.max(max, v)];
      field = { name: info.name, component, unit: info.unit, on: info.on, min, max, over: "frame" };
      arrays.push(["values", "f4", [values.length], values]);
    }
    const contacts = Float32Array.of(0.18, 0.08, 0.05, 0.22, 0.08, 0.05);
    const constraints = Float32Array.of(0, 0.1, 0, 0, 0.1, 0, 0, 0.2, 0.1, 0, 0.26, 0.1);
    arrays.push(["contacts", "f4", [2, 3], contacts], ["contact_kind", "u1", [2], Uint8Array.of(0, 1)]);
    arrays.push(["constraints", "f4", [2, 2, 3], constraints], ["constraint_kind", "u1", [2], Uint8Array.of(0, 1)]);
    if (this.colliders) arrays.push(["collider_poses", "f4", [2, 12], collider_poses(s)]);
    return encode({ say: "frame", ...header, field }, arrays);
  }
}

const reason = {
  body: "bar", place: [0.1, 0.05, 0], element: 12, cause: "2 elements are inverted", advice: "take more frames",
};
const line_of = (frame) => ({
  frame, time: frame / 24, status: frame === 0 ? "start" : "converged", iterations: frame === 0 ? 0 : 4 + (frame % 3),
  linear_iterations: 20 * frame, relative_residual: frame === 0 ? null : 10 ** (-3 - 4 * Math.abs(Math.sin(frame))),
  energy: frame === 0 ? null : 0.5 * frame, contacts: 2, min_det_F: frame === 0 ? null : 1 - 0.01 * frame, inverted: 0, seconds: 0.02 + 0.001 * frame,
  ...(frame === 17 ? { status: "stalled", reason } : {}),
});

export function hello_of({ kind = "run", frames = 20, panes = 1, title = "twisted_bar" } = {}, model) {
  const live = kind === "scene";
  const pane = (i) => ({
    name: panes > 1 ? ["newton", "pbng"][i] : title,
    bodies: model.infos, fields, colliders: model.colliders ? [{ name: "floor" }, { name: "post" }] : [],
    frames: kind === "run" ? Array.from({ length: frames }, (_, index) => ({ index, time: index / 24 })) : kind === "mesh" ? [{ index: 0, time: 0 }] : [],
    box: [[0, 0, -0.05], [0.4, 0.35, 0.15]],
    stats: kind === "run" ? Array.from({ length: frames }, (_, f) => line_of(f)) : [],
    warnings: kind === "run" && panes === 1 ? ["2 tets are inverted at frame 12"] : [],
  });
  const scene = {
    method: "pbng", methods: ["newton", "pbng", "hybrid"],
    inputs: [
      { name: "attach.right", kind: "pose", width: 12, value: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], about: [0.4, 0.15, 0.05] },
      { name: "gravity", kind: "number", width: 3, value: [0, -9.81, 0] },
    ],
    numbers: [{ path: "bodies.bar.material.young", value: 1e5, unit: "Pa", min: 1e3, max: 1e8, doc: "Young's modulus." }],
    attachments: [{ name: "right", input: "attach.right", nodes: 49 }],
  };
  const hello = {
    say: "hello", protocol: 1, version: "0.1.0", kind, live, playing: false, title,
    sources: panes > 1 ? ["out/newton", "out/pbng"] : [`out/${title}`],
    panes: Array.from({ length: panes }, (_, i) => pane(i)),
  };
  return live ? { ...hello, scene } : hello;
}

export async function start_fake(options = {}) {
  const page = options.page ?? (await readFile(new URL("../dist/page.html", import.meta.url)));
  const said = []; // everything that pages have sent
  const pictures = [];
  const http = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(page);
  });
  const sockets = new WebSocketServer({ server: http, maxPayload: 1 << 28 });
  sockets.on("connection", (socket) => new FakeConnection(socket, options, said, pictures));
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${http.address().port}/?token=${token}`,
    said, pictures,
    tell: (message) => sockets.clients.forEach((socket) => socket.send(JSON.stringify(message))),
    drop: () => sockets.clients.forEach((socket) => socket.terminate()),
    close: () => {
      sockets.clients.forEach((socket) => socket.terminate());
      return new Promise((resolve) => http.close(resolve));
    },
  };
}

class FakeConnection {
  constructor(socket, options, said, pictures) {
    this.socket = socket;
    this.options = options;
    this.live = options.kind === "scene";
    this.models = Array.from({ length: options.panes ?? 1 }, (_, i) => new FakeModel({ cells: options.cells, colliders: options.colliders, pull_scale: i === 0 ? 1 : 0.5 }));
    this.state = this.models.map(() => ({ generation: 0, clip: null, show: null, index: 0 }));
    this.playing = false;
    this.step = 0;
    this.gravity = [0, -9.81, 0];
    this.ready = false;
    socket.send(JSON.stringify(hello_of(options, this.models[0])));
    socket.on("message", (data, binary) => {
      if (binary) return pictures.push(Buffer.from(data));
      const message = JSON.parse(data.toString());
      said.push(message);
      this.take(message);
    });
    this.timer = this.live ? setInterval(() => this.advance(), 30) : null;
    socket.on("close", () => clearInterval(this.timer));
  }

  take(message) {
    const pane = this.state[message.pane ?? 0];
    const what = message.do;
    if (what === "ready") {
      this.ready = true;
      if (this.live && this.state[0].generation === 0) this.send_frame(0, this.step);
    } else if (what === "show" || what === "clip") {
      pane[what] = what === "show" ? message : message.plane;
      if (what === "clip") pane.generation = -pane.generation;
      this.send_frame(message.pane, this.live ? this.step : pane.index);
    } else if (what === "frame") {
      if (message.index === this.options.missing)
        return this.socket.send(JSON.stringify({ say: "error", text: `there is no frame ${message.index}` }));
      pane.index = message.index;
      this.send_frame(message.pane, message.index);
    } else if (what === "play" || what === "pause") {
      this.playing = what === "play";
      this.socket.send(JSON.stringify({ say: "state", playing: this.playing }));
    } else if (what === "step") {
      ++this.step;
      this.send_frame(0, this.step);
    } else if (what === "reset") {
      this.step = 0;
      this.models[0].pull = [0, 0, 0];
      this.send_frame(0, 0);
    } else if (what === "grab") {
      this.grabbed = message.to;
    } else if (what === "move" || what === "pose") {
      this.models[0].pull = what === "pose" ? message.translate : message.to.map((x, k) => x - this.grabbed[k]);
      this.send_frame(0, this.step);
    } else if (what === "input") {
      this.gravity = message.value;
      this.send_frame(0, this.step);
    } else if (what === "save") {
      this.socket.send(JSON.stringify({ say: "note", text: "saved as session.json" }));
    }
  }

  advance() {
    if (!this.playing || !this.ready) return;
    this.ready = false;
    ++this.step;
    this.send_frame(0, this.step);
  }

  send_frame(p, index) {
    const model = this.models[p];
    const pane = this.state[p];
    const s = this.live ? Math.sin(index / 12) : (index / Math.max(1, (this.options.frames ?? 20) - 1)) * (p === 0 ? 1 : 0.8);
    model.place(s);
    if (pane.generation <= 0) {
      pane.generation = 1 - pane.generation;
      if (model.colliders) this.socket.send(collider_message(p, 0.7));
      this.socket.send(model.topology(p, pane.generation, pane.clip));
    }
    const inputs = this.live ? { "attach.right": [...still, ...model.pull], gravity: this.gravity } : undefined;
    const header = { inputs, pane: p, generation: pane.generation, index, time: index / 24, playing: this.playing, line: this.options.kind === "mesh" ? null : line_of(index) };
    this.socket.send(model.frame(header, s, pane.show));
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [kind = "run", panes = "1", cells = "6"] = process.argv.slice(2);
  const server = await start_fake({ kind, panes: Number(panes), cells: Number(cells) });
  console.log(server.url);
}
