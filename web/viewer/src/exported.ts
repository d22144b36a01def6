// The data of an exported page, and the source of frames made from it.
//
// #sinew-data holds base64 of a zlib stream of: u32 length + hello, then u32 length + binary message, ...
// the same messages as a server sends. Packed arrays are u2, stored as differences to the frame before
// (mod 65536), all low bytes first, then all high bytes:
//     value = origin + scale * sum of the differences
import { Link, LinkEvents } from "./connection";
import { Block, Colliders, colliders_of, decode_block, Frame, frame_of, FrameField, Hello, MessageError, Topology, topology_of } from "./messages";

interface Packed {
  origin: number[];
  scale: number[];
}

export const no_number = 65535; // a packed value that is not a number

// Adds the differences stored in planes to `sums`, in place.
export function add_planes(planes: Uint8Array, sums: Uint16Array): void {
  const n = sums.length;
  for (let i = 0; i < n; ++i) sums[i] = sums[i]! + (planes[i]! | (planes[n + i]! << 8));
}

export function unpack(q: Uint16Array, { origin, scale }: Packed, out: Float32Array): void {
  const width = origin.length;
  for (let i = 0, c = 0; i < q.length; ++i, c = c + 1 === width ? 0 : c + 1) out[i] = origin[c]! + scale[c]! * q[i]!;
}

// Base64 without holding a second whole copy: pieces of whole quadruples.
function* base64_pieces(text: string): Generator<Uint8Array<ArrayBuffer>> {
  const step = 1 << 18;
  for (let at = 0; at < text.length; at += step) {
    const piece = atob(text.slice(at, at + step));
    const bytes = new Uint8Array(piece.length);
    for (let i = 0; i < piece.length; ++i) bytes[i] = piece.charCodeAt(i);
    yield bytes;
  }
}

export async function inflate(base64: string): Promise<ArrayBuffer> {
  const pieces = base64_pieces(base64.replace(/\s+/g, ""));
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { value, done } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(source.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

export function* split_messages(data: ArrayBuffer): Generator<ArrayBuffer> {
  const view = new DataView(data);
  for (let at = 0; at + 4 <= data.byteLength; ) {
    const length = view.getUint32(at, true);
    if (at + 4 + length > data.byteLength) throw new MessageError("the page's data ends in the middle of a message");
    yield data.slice(at + 4, at + 4 + length); // a copy, so that its arrays are aligned
    at += 4 + length;
  }
}

interface Stored {
  block: Block;
  topology: Topology;
  positions: Uint16Array | null; // null: not packed
  values: Uint16Array | null;
}

// Answers requests for frames as a server would. There is one field, or none.
export class ExportedLink implements Link {
  readonly local = true;
  private readonly frames_ = new Map<string, Stored>();
  private readonly topologies_ = new Map<string, Topology>();
  private readonly colliders_: Colliders[] = [];
  private readonly last_ = new Map<string, Uint16Array>(); // sums so far, by pane and array
  private shows_: { field: boolean; over_run: boolean }[] = [];

  constructor(private readonly events_: LinkEvents) {}

  async open(base64: string): Promise<void> {
    try {
      const messages = split_messages(await inflate(base64));
      const first = messages.next();
      if (first.done) throw new MessageError("the page holds no data");
      const hello = JSON.parse(new TextDecoder().decode(first.value)) as Hello;
      for (const message of messages) this.store(decode_block(message));
      this.shows_ = hello.panes.map(() => ({ field: false, over_run: false }));
      this.events_.hello(hello);
      for (const colliders of this.colliders_) this.events_.colliders(colliders);
      for (const topology of this.topologies_.values()) this.events_.topology(topology);
    } catch (error) {
      this.events_.fatal(`This page is damaged: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  send(message: Record<string, unknown>): void {
    const pane = Number(message.pane ?? 0);
    if (message.do === "show") this.shows_[pane] = { field: message.field !== null, over_run: message.range === "run" };
    if (message.do !== "frame") return;
    const stored = this.frames_.get(`${pane}/${Number(message.index)}`);
    if (stored) queueMicrotask(() => this.events_.frame(this.frame(stored, this.shows_[pane]!)));
    else this.events_.error(`frame ${String(message.index)} is not in this page`);
  }

  close(): void {}

  private store(block: Block): void {
    const pane = Number(block.header.pane ?? 0);
    if (block.header.say === "topology") {
      const topology = topology_of(block);
      this.topologies_.set(`${pane}/${topology.generation}`, topology);
      return;
    }
    if (block.header.say === "colliders") {
      this.colliders_.push(colliders_of(block));
      return;
    }
    const topology = this.topologies_.get(`${pane}/${Number(block.header.generation ?? 0)}`);
    if (block.header.say !== "frame" || !topology) throw new MessageError("a frame before its topology");
    this.frames_.set(`${pane}/${Number(block.header.index)}`, {
      block,
      topology,
      positions: this.sum(block, pane, "positions"),
      values: this.sum(block, pane, "values"),
    });
  }

  private sum(block: Block, pane: number, name: string): Uint16Array | null {
    const planes = block.arrays.get(name)?.data;
    if (!(planes instanceof Uint16Array)) return null;
    const key = `${pane}/${name}`;
    const before = this.last_.get(key);
    const sums = before && before.length === planes.length ? before.slice() : new Uint16Array(planes.length);
    add_planes(new Uint8Array(planes.buffer, planes.byteOffset, planes.byteLength), sums);
    this.last_.set(key, sums);
    block.arrays.delete(name);
    return sums;
  }

  private frame({ block, topology, positions, values }: Stored, show: { field: boolean; over_run: boolean }): Frame {
    const { header, arrays } = block;
    const packed = header.packed as (Packed & { values?: { origin: number; scale: number } }) | undefined;
    const filled = new Map(arrays);
    let field = show.field ? ((header.field ?? null) as FrameField | null) : null;
    if (positions && packed) {
      const x = new Float32Array(positions.length);
      unpack(positions, packed, x);
      filled.set("positions", { data: x, shape: [x.length / 3, 3] });
    }
    if (values && packed?.values && field) {
      const v = new Float32Array(values.length);
      unpack(values, { origin: [packed.values.origin], scale: [packed.values.scale] }, v);
      let [min, max] = [Infinity, -Infinity];
      for (let i = 0; i < v.length; ++i) {
        if (values[i] === no_number) v[i] = NaN;
        else [min, max] = [Math.min(min, v[i]!), Math.max(max, v[i]!)];
      }
      if (!show.over_run) field = { ...field, min: min <= max ? min : null, max: min <= max ? max : null };
      filled.set("values", { data: v, shape: [v.length] });
    }
    const bytes = 4 * ((positions?.length ?? 0) + (values?.length ?? 0)) + block.bytes;
    return frame_of({ header: { ...header, field }, arrays: filled, bytes }, topology);
  }
}
