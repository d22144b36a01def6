// Settings, colours, ticks, the camera and index arrays.
import assert from "node:assert/strict";
import test from "node:test";
import { box_surface } from "./fake_server.mjs";
import { load } from "./load.mjs";

const settings = await load("settings");
const colours = await load("colours");
const { tick_texts, ticks, unit_scale, number_text } = await load("ticks");
const { angles_of, direction_of, fit_distance } = await load("orbit");
const triangles = await load("triangles");
const { cast_ray } = await load("pick");
const { FrameCache, nearest_stamp } = await load("replay");
const { legend_contents } = await load("legend");
const { nearest_turn, turn_of } = await load("poses");

const parsed = (query) => {
  const params = new URLSearchParams(query);
  return settings.parse_settings((key) => params.get(key));
};

test("settings survive the way through the address, and the token stays", () => {
  const query = "token=abc&field=von_mises&range=0:20000&camera=30,-20.5,1.25,0.1,0.2,0.3&style=edges&clip=1,0,0,0.5&hide=bone,fat&marks=contacts&theme=dark&frame=12&size=1280x720&up=z&other=1";
  const { settings: read, problems } = parsed(query);
  assert.deepEqual(problems, []);
  assert.deepEqual(read.range, { kind: "fixed", lo: 0, hi: 20000 });
  assert.deepEqual(read.camera, { azimuth: 30, elevation: -20.5, zoom: 1.25, target: [0.1, 0.2, 0.3] });
  assert.deepEqual(read.hide, ["bone", "fat"]);
  const written = settings.with_settings(query, read);
  assert.deepEqual(parsed(written).settings, read);
  const kept = new URLSearchParams(written);
  assert.equal(kept.get("token"), "abc");
  assert.equal(kept.get("other"), "1");
});

test("defaults leave the address alone", () => {
  assert.equal(settings.with_settings("token=abc", parsed("").settings), "token=abc");
});

test("settings that cannot be read are named and keep their defaults", () => {
  const { settings: read, problems } = parsed("range=2:1&camera=1,2&clip=0,0,0,1&style=shiny&frame=-3&size=12&theme=pink&up=x&marks=dust");
  assert.equal(problems.length, 9);
  assert.deepEqual(read, settings.default_settings());
});

test("the copied command", () => {
  const { settings: read } = parsed("field=von_mises&frame=12&camera=-30,20,1&hide=left bone");
  assert.equal(
    settings.picture_command(["out/twist run"], read),
    "sinew picture 'out/twist run' --field von_mises --camera=-30,20,1 --hide 'left bone' --frame 12 -o picture.png",
  );
});

// Viewed by readers who lack a kind of cone (Vienot, Brettel, Mollon, "Digital video colourmaps for checking the
// legibility of displays by dichromats", 1999), as lightness and colour in CIELAB.
const dichromat = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
  deutan: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
};
function lab(rgb, matrix) {
  const linear = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const [r, g, b] = matrix.map((row) => row.reduce((sum, m, k) => sum + m * linear[k], 0));
  const f = (t) => (t > (6 / 29) ** 3 ? Math.cbrt(t) : t / (3 * (6 / 29) ** 2) + 4 / 29);
  const [x, y, z] = [
    f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047),
    f(0.2126729 * r + 0.7151522 * g + 0.072175 * b),
    f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883),
  ];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const apart = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);

test("the sequential map is even, and lightness rises for every reader", () => {
  for (const [reader, matrix] of Object.entries(dichromat)) {
    const list = Array.from({ length: 17 }, (_, i) => lab(colours.colour_at("sequential", i / 16), matrix));
    for (let i = 1; i < list.length; ++i) assert.ok(list[i][0] > list[i - 1][0] + 1.5, `${reader} ${i}`);
    if (reader !== "all") continue;
    const steps = list.slice(1).map((colour, i) => apart(colour, list[i]));
    assert.ok(Math.max(...steps) / Math.min(...steps) < 1.2, String(steps));
  }
});

test("the diverging map has two sides that every reader tells apart, and grey between", () => {
  for (const matrix of Object.values(dichromat)) {
    const [low, middle, high] = [0, 0.5, 1].map((t) => lab(colours.colour_at("diverging", t), matrix));
    assert.ok(apart(low, high) > 40);
    assert.ok(middle[0] > low[0] + 40 && middle[0] > high[0] + 40);
  }
  const grey = lab(colours.colour_at("diverging", 0.5), dichromat.all);
  assert.ok(Math.hypot(grey[1], grey[2]) < 3);
});

test("signed ranges get the diverging map with zero in the middle", () => {
  const signed = colours.scale_for(-1, 3);
  assert.deepEqual([signed.map, signed.from, signed.to], ["diverging", -3, 3]);
  assert.equal(colours.scale_for(0, 3).map, "sequential");
  assert.equal(colours.scale_for(-1e-9, 3).map, "sequential");
  const constant = colours.scale_for(2, 2);
  assert.ok(constant.from < 2 && constant.to > 2);
});

test("ticks are round and inside", () => {
  assert.deepEqual(ticks(0, 23, 5), [0, 10, 20]);
  assert.deepEqual(tick_texts(ticks(-0.1, 0.2, 4)), ["-0.1", "0.0", "0.1", "0.2"]);
  for (const [lo, hi] of [[-3e-7, 5e-7], [1e9, 1.00001e9], [0.3, 0.31], [-5, 1e6]])
    for (const tick of ticks(lo, hi, 6)) assert.ok(tick >= lo - 1e-6 * (hi - lo) && tick <= hi + 1e-6 * (hi - lo));
  assert.equal(number_text(0.000012345), "1.234e-5");
  assert.equal(number_text(NaN), "none");
});

test("units take prefixes where they can", () => {
  assert.deepEqual(unit_scale("Pa", 23000), { factor: 1e-3, unit: "kPa" });
  assert.deepEqual(unit_scale("m", 0.02), { factor: 1000, unit: "mm" });
  assert.deepEqual(unit_scale("m", 2000), { factor: 1, unit: "m" });
  assert.deepEqual(unit_scale("m^2", 1e-4), { factor: 1, unit: "m^2" });
  assert.deepEqual(unit_scale("1", 1e-4), { factor: 1, unit: "" });
});

test("the legend's text", () => {
  const field = { name: "von_mises", component: "", unit: "Pa", on: "tet", min: 0, max: 23000 };
  const { title, unit, ticks: marks } = legend_contents(field, colours.scale_for(0, 23000));
  assert.deepEqual([title, unit, marks.map(({ text }) => text)], ["von_mises", "kPa", ["0", "5", "10", "15", "20"]]);
  const nothing = legend_contents(field, colours.scale_for(Infinity, -Infinity));
  assert.deepEqual(nothing.ticks.map(({ text }) => text), ["no values"]);
});

test("angles and directions of the camera belong together", () => {
  for (const up of ["y", "z"])
    for (const [azimuth, elevation] of [[0, 0], [30, 20], [-120, -60], [179, 80]]) {
      const back = angles_of(direction_of(azimuth, elevation, up).map((x) => 7 * x), up);
      assert.ok(Math.abs(back.azimuth - azimuth) < 1e-9 && Math.abs(back.elevation - elevation) < 1e-9);
    }
  assert.deepEqual(direction_of(0, 0, "y"), [0, 0, 1]);
  assert.deepEqual(direction_of(90, 0, "z").map((x) => Math.round(x) + 0), [1, 0, 0]);
});

test("the fitted camera sees every corner of the box", () => {
  const box = [[-1, 0, -2], [3, 1, 4]];
  const [tan_v, tan_h] = [0.3, 0.5];
  for (const azimuth of [0, 40, 200]) {
    const to = direction_of(azimuth, 25, "y");
    const distance = fit_distance(box, to, "y", tan_v, tan_h);
    const length = Math.hypot(to[2], to[0]);
    const right = [to[2] / length, 0, -to[0] / length];
    const top = [to[1] * right[2] - to[2] * right[1], to[2] * right[0] - to[0] * right[2], to[0] * right[1] - to[1] * right[0]];
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (let i = 0; i < 8; ++i) {
      const corner = [0, 1, 2].map((k) => box[(i >> k) & 1][k] - 0.5 * (box[0][k] + box[1][k]));
      const depth = distance - dot(corner, to);
      assert.ok(Math.abs(dot(corner, right)) <= depth * tan_h && Math.abs(dot(corner, top)) <= depth * tan_v);
    }
  }
});

const box = box_surface([4, 3, 2], [4, 3, 2], [0, 0, 0]);
const topology = {
  pane: 0, generation: 1,
  triangles: Int32Array.from(box.triangles),
  nodes: Int32Array.from({ length: box.points.length / 3 }, (_, i) => i),
  tets: new Int32Array(box.triangles.length / 3).fill(-1),
  body: Int32Array.from({ length: box.triangles.length / 3 }, (_, t) => t % 2),
};
const points = Float32Array.from(box.points);

test("triangles are ordered by body, and edges come once", () => {
  const order = triangles.order_by_body(topology, 2);
  assert.deepEqual(order.bodies, [{ first: 0, count: 52 }, { first: 52, count: 52 }]);
  assert.ok([...order.order.slice(0, 52)].every((t) => t % 2 === 0));
  const one = { ...topology, body: new Int32Array(104) };
  const edges = triangles.unique_edges(one, triangles.order_by_body(one, 1));
  assert.equal(edges.bodies[0].count, (3 * 104) / 2); // of a closed surface
});

test("creases of a box are split: three sides at corners, two at edges, and normals are those of the faces", () => {
  const { triangles: split, sources } = triangles.split_creases({ triangles: topology.triangles, vertices: topology.nodes.length }, points);
  const corners = 8;
  const edge_points = 4 * (3 + 2 + 1); // inner points of the twelve edges
  assert.equal(sources.length, 2 * corners + edge_points);
  const count = topology.nodes.length + sources.length;
  const x = new Float32Array(3 * count);
  x.set(points);
  sources.forEach((from, i) => x.set(points.subarray(3 * from, 3 * from + 3), 3 * (topology.nodes.length + i)));
  const normals = new Float32Array(3 * count);
  triangles.sum_normals(split, x, normals);
  for (let v = 0; v < count; ++v) {
    const n = [...normals.subarray(3 * v, 3 * v + 3)];
    assert.equal(n.filter((c) => Math.abs(c) > 1e-6).length, 1); // along an axis
  }
  // Outward: the flux of the position through the surface is three times the volume.
  let flux = 0;
  for (let v = 0; v < count; ++v) for (let k = 0; k < 3; ++k) flux += (x[3 * v + k] * normals[3 * v + k]) / 6;
  assert.ok(Math.abs(flux - 3 * 24) < 1e-3);
});

test("every triangle has a last corner of its own that carries its value", () => {
  const { order } = triangles.order_by_body(topology, 2);
  const { index, sources, carrier } = triangles.flat_index(topology.triangles, topology.nodes.length, order);
  assert.equal(new Set(carrier).size, carrier.length);
  order.forEach((t, i) => {
    assert.equal(index[3 * i + 2], carrier[t]);
    const source = (v) => (v < topology.nodes.length ? v : sources[v - topology.nodes.length]);
    const shown = [0, 1, 2].map((c) => source(index[3 * i + c]));
    const meant = [...topology.triangles.subarray(3 * t, 3 * t + 3)];
    const turn = meant.indexOf(shown[0]);
    assert.deepEqual(shown, [0, 1, 2].map((c) => meant[(turn + c) % 3])); // the same orientation
  });
});

test("a ray meets the nearest visible triangle", () => {
  const frame = { pane: 0, topology, positions: points };
  const hit = cast_ray(frame, [1.2, 1.3, 10], [0, 0, -1], () => false, null);
  const corners = [0, 1, 2].map((c) => topology.triangles[3 * hit.triangle + c]);
  assert.ok(corners.every((v) => points[3 * v + 2] === 2));
  const at = [0, 1].map((k) => corners.reduce((sum, v, c) => sum + hit.weights[c] * points[3 * v + k], 0));
  assert.ok(Math.abs(at[0] - 1.2) < 1e-6 && Math.abs(at[1] - 1.3) < 1e-6);
  const behind = cast_ray(frame, [1.2, 1.3, 10], [0, 0, -1], () => false, [0, 0, 1, 1]);
  assert.equal(points[3 * topology.triangles[3 * behind.triangle] + 2], 0);
  assert.equal(cast_ray(frame, [1.2, 1.3, 10], [0, 0, -1], () => true, null), null);
  assert.equal(cast_ray(frame, [9, 9, 10], [0, 0, -1], () => false, null), null);
});

test("the cache keeps what was used last within its limit", () => {
  const cache = new FrameCache(100);
  for (let index = 0; index < 4; ++index) {
    cache.put({ pane: 0, index, bytes: 30 });
    cache.get(0, 0);
  }
  assert.deepEqual([0, 1, 2, 3].map((index) => cache.get(0, index) !== null), [true, false, true, true]);
  assert.equal(cache.bytes, 90);
  cache.put({ pane: 0, index: 9, bytes: 500 });
  assert.ok(cache.get(0, 9));
  assert.equal(cache.bytes, 500);
});

test("the frame nearest in time", () => {
  const frames = [0, 0.1, 0.25].map((time, index) => ({ index, time }));
  assert.deepEqual([-1, 0.04, 0.06, 0.17, 0.18, 9].map((time) => nearest_stamp(frames, time)), [0, 0, 1, 1, 2, 2]);
});

test("axis and angle of a turn", () => {
  const matrix = ([x, y, z], degrees) => {
    const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const t = 1 - c;
    return [
      t * x * x + c, t * x * y + s * z, t * x * z - s * y,
      t * x * y - s * z, t * y * y + c, t * y * z + s * x,
      t * x * z + s * y, t * y * z - s * x, t * z * z + c, 0, 0, 0,
    ];
  };
  for (const [axis, degrees] of [[[0, 0, 1], 30], [[0.6, 0, 0.8], 170], [[0, 1, 0], 180]]) {
    const found = turn_of(matrix(axis, degrees));
    assert.ok(Math.abs(found.degrees - degrees) < 1e-6);
    found.axis.forEach((x, k) => assert.ok(Math.abs(x - axis[k]) < 1e-6));
  }
  assert.equal(turn_of(matrix([0, 0, 1], 0)).degrees, 0);
});

test("a turn stays in the words that it was given in", () => {
  const z = [0, 0, 1];
  assert.deepEqual(nearest_turn({ axis: [0, 0, -1], degrees: 90 }, { axis: z, degrees: -80 }), { axis: z, degrees: -90 });
  assert.deepEqual(nearest_turn({ axis: z, degrees: 10 }, { axis: z, degrees: 355 }), { axis: z, degrees: 370 });
  assert.deepEqual(nearest_turn({ axis: [0, 0, 1], degrees: 0 }, { axis: [0, 1, 0], degrees: 3 }), { axis: [0, 1, 0], degrees: 0 });
  const other = nearest_turn({ axis: [0, -1, 0], degrees: 30 }, { axis: z, degrees: 0 });
  assert.ok(other.degrees === -30 && other.axis[1] === 1);
});

test("a coarse index keeps the area and the sides of a box", () => {
  const { points, triangles: list } = box_surface([40, 40, 2], [4, 4, 0.02], [0, 0, 0]);
  const x = Float32Array.from(points);
  const all = Int32Array.from(list);
  const order = { order: Uint32Array.from({ length: all.length / 3 }, (_, t) => t), bodies: [{ first: 0, count: all.length / 3 }] };
  const normals = new Float32Array(x.length);
  triangles.sum_normals(all, x, normals);
  const { triangles: coarse, order: left, cell } = triangles.coarsen(all, order, x, normals, 800);
  assert.ok(left.order.length > 300 && left.order.length < 1600, `${left.order.length}`);
  assert.ok(cell > 0.1 && cell < 0.5);
  // Area by the direction that it faces: the two sides of the thin box are not taken for one.
  const areas = (index, which) => {
    const sum = [0, 0];
    for (const t of which) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * index[3 * t + k]);
      const z = 0.5 * ((x[b] - x[a]) * (x[c + 1] - x[a + 1]) - (x[b + 1] - x[a + 1]) * (x[c] - x[a]));
      sum[z > 0 ? 1 : 0] += Math.abs(z);
    }
    return sum;
  };
  for (const area of areas(coarse, left.order)) assert.ok(area > 0.9 * 16 && area < 1.02 * 16, `${area}`);
});
