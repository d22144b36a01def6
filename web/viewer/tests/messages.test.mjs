// The binary container and exported data, against an encoder of the tests' own.
import assert from "node:assert/strict";
import test from "node:test";
import { exported_data, planes } from "./export_fixture.mjs";
import { encode } from "./fake_server.mjs";
import { load } from "./load.mjs";

const { decode_block, encode_block, frame_of, topology_of } = await load("messages");
const { add_planes, ExportedLink } = await load("exported");

const buffer_of = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const triangle = (extra = {}) =>
  encode({ say: "topology", pane: 0, generation: 3, ...extra }, [
    ["triangles", "i4", [1, 3], Int32Array.of(0, 1, 2)],
    ["nodes", "i4", [3], Int32Array.of(7, 8, 9)],
    ["tets", "i4", [1], Int32Array.of(-1)],
    ["body", "i4", [1], Int32Array.of(0)],
  ]);

test("arrays come back as they were, whatever the header's length", () => {
  for (let pad = 0; pad < 9; ++pad) {
    const sent = Float32Array.of(1.5, -2, NaN);
    const bytes = encode({ say: "x", pad: "é".repeat(pad) }, [["odd", "u1", [3], Uint8Array.of(1, 2, 3)], ["v", "f4", [3], sent]]);
    const { header, arrays } = decode_block(buffer_of(bytes));
    assert.equal(header.pad.length, pad);
    assert.deepEqual([...arrays.get("v").data], [...sent]);
    assert.deepEqual([...arrays.get("odd").data], [1, 2, 3]);
    assert.equal(arrays.get("v").data.byteOffset % 8, 0);
  }
});

test("what the page sends has the same form", () => {
  const png = Uint8Array.of(137, 80, 78, 71, 0);
  const bytes = encode_block({ say: "picture", frame: 4 }, [{ name: "png", type: "u1", shape: [5], data: png }]);
  const length = new DataView(bytes).getUint32(0, true);
  assert.equal((4 + length) % 8, 0);
  const header = JSON.parse(Buffer.from(bytes, 4, length).toString());
  assert.equal(header.frame, 4);
  assert.deepEqual([...new Uint8Array(bytes, 4 + length, 5)], [...png]);
});

test("broken messages are refused", () => {
  const good = triangle();
  for (let n = 0; n <= good.length - 8; n += 3) assert.throws(() => topology_of(decode_block(buffer_of(good.subarray(0, n)))));
  const far = Buffer.from(good);
  far.writeUInt32LE(0xffffffff, 0);
  assert.throws(() => decode_block(buffer_of(far)), /header/);
  const wrong = encode({ say: "topology" }, [["triangles", "i4", [1, 3], Int32Array.of(0, 1, 5)], ["nodes", "i4", [3], Int32Array.of(0, 1, 2)]]);
  assert.throws(() => topology_of(decode_block(buffer_of(wrong))), /vertex 5 of 3/);
});

test("a frame must fit its topology", () => {
  const topology = topology_of(decode_block(buffer_of(triangle())));
  assert.equal(topology.generation, 3);
  assert.deepEqual([...topology.nodes], [7, 8, 9]);
  const frame = (count, values) =>
    frame_of(decode_block(buffer_of(encode({ say: "frame", index: 2, time: 0.5, field: { on: "tet" } },
      [["positions", "f4", [count, 3], new Float32Array(3 * count)], ["values", "f4", [values], new Float32Array(values)]]))), topology);
  assert.equal(frame(3, 1).time, 0.5);
  assert.throws(() => frame(4, 1), /positions/);
  assert.throws(() => frame(3, 3), /values/);
});

test("planes of differences add up, also around 65536", () => {
  const frames = [Uint16Array.of(0, 65535, 300), Uint16Array.of(65535, 1, 299), Uint16Array.of(2, 40000, 0)];
  const sums = new Uint16Array(3);
  let before = new Uint16Array(3);
  for (const now of frames) {
    add_planes(planes(now, before), sums);
    assert.deepEqual([...sums], [...now]);
    before = now;
  }
});

test("an exported page gives the positions back to half a step of 1/65535 of the box", async () => {
  const { base64, positions, scale } = exported_data({ frames: 5, cells: 2 });
  const frames = [];
  const events = { hello: (hello) => (events.told = hello), topology: () => {}, frame: (frame) => frames.push(frame), error: assert.fail, fatal: assert.fail };
  const link = new ExportedLink(events);
  await link.open(base64);
  assert.equal(events.told.panes[0].frames.length, 5);
  link.send({ do: "show", pane: 0, field: "von_mises", range: "frame" });
  for (const index of [4, 0, 2]) link.send({ do: "frame", pane: 0, index });
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(frames.map(({ index }) => index), [4, 0, 2]);
  for (const frame of frames)
    frame.positions.forEach((x, i) => assert.ok(Math.abs(x - positions[frame.index][i]) <= 0.51 * scale[i % 3]));
  assert.ok(Number.isNaN(frames[0].values[0]));
  assert.ok(frames[0].field.max > frames[2].field.max);
});

test("damaged exported data is told, not thrown", async () => {
  for (const base64 of ["", "AAAA", exported_data({ frames: 2, cells: 2 }).base64.slice(0, 400)]) {
    let told = "";
    const events = { hello: () => {}, topology: () => {}, frame: () => {}, error: () => {}, fatal: (text) => (told = text) };
    await new ExportedLink(events).open(base64);
    assert.match(told, /damaged/);
  }
});
