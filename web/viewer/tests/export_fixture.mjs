// An exported page made of the fake model, packed as the real exporter packs.
import { readFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import { encode, FakeModel, hello_of } from "./fake_server.mjs";

// Differences of 16-bit numbers to those before, all low bytes first.
export function planes(now, before) {
  const out = new Uint8Array(2 * now.length);
  now.forEach((q, i) => {
    const difference = (q - before[i]) & 0xffff;
    out[i] = difference & 255;
    out[now.length + i] = difference >> 8;
  });
  return out;
}

const quantised = (values, origin, scale, width) =>
  Uint16Array.from(values, (v, i) => (Number.isNaN(v) ? 65535 : Math.round((v - origin[i % width]) / scale[i % width])));

export function exported_data({ frames = 12, cells = 4 } = {}) {
  const model = new FakeModel({ cells });
  const hello = hello_of({ kind: "run", frames }, model);
  hello.panes[0].fields = hello.panes[0].fields.filter(({ name }) => name === "von_mises");
  hello.settings = { field: "von_mises", style: "edges" };
  model.place(0);
  const messages = [Buffer.from(JSON.stringify(hello)), model.topology(0, 1, null)];
  const [lo, hi] = [[-0.1, 0, -0.1], [0.5, 0.4, 0.3]];
  const scale = lo.map((a, k) => (hi[k] - a) / 65535);
  const most = 25000;
  let [x_before, v_before] = [new Uint16Array(model.rest.length), new Uint16Array(model.body.length)];
  const positions = [];
  for (let index = 0; index < frames; ++index) {
    const s = index / (frames - 1);
    model.place(s);
    const values = model.values("von_mises", "", s);
    const x = quantised(model.positions, lo, scale, 3);
    const v = quantised(values, [0], [most / 65534], 1);
    positions.push(model.positions.slice());
    const field = { name: "von_mises", component: "", unit: "Pa", on: "tet", min: 0, max: most };
    messages.push(
      encode(
        {
          say: "frame", pane: 0, generation: 1, index, time: index / 24, playing: false, field, line: null,
          packed: { origin: lo, scale, values: { origin: 0, scale: most / 65534 } },
        },
        [
          ["positions", "u2", [x.length / 3, 3], planes(x, x_before)],
          ["values", "u2", [v.length], planes(v, v_before)],
        ],
      ),
    );
    [x_before, v_before] = [x, v];
  }
  const lengths = messages.flatMap((message) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(message.length);
    return [length, message];
  });
  return { base64: deflateSync(Buffer.concat(lengths)).toString("base64"), positions, scale };
}

export async function exported_page(options) {
  const page = await readFile(new URL("../dist/page.html", import.meta.url), "utf8");
  const data = `<script type="application/octet-stream" id="sinew-data">${exported_data(options).base64}</script>\n`;
  const place = page.lastIndexOf("</body>");
  return page.slice(0, place) + data + page.slice(place);
}
