// What the server and the page say to each other over one WebSocket.
//
// Text messages are JSON objects. A binary message is
//     u32 length of the header | header: JSON padded with spaces | arrays, each padded to 8 bytes
// and the header lists its arrays: {"say": "frame", ..., "arrays": [{name, type, shape, offset}]}.
//
//     const block = decode_block(buffer);  block.arrays.get("positions")

export type Vec3 = [number, number, number];
export type Box = [low: Vec3, high: Vec3];
export type Plane = [number, number, number, number]; // kept: a x + b y + c z <= d
export type Numbers = Float32Array | Int32Array | Uint16Array | Uint8Array;
export type Json = Record<string, unknown>;

export interface Block {
  header: Json;
  arrays: Map<string, { data: Numbers; shape: number[] }>;
  bytes: number;
}

export interface BodyInfo {
  name: string;
  nodes: number;
  tets: number;
  triangles: number;
}

export interface ColliderInfo {
  name: string;
}

export interface FieldInfo {
  name: string;
  unit: string;
  doc: string;
  on: "node" | "tet";
  components: string[];
}

export interface FrameStamp {
  index: number;
  time: number;
}

// Why a frame did not converge.
export interface Reason {
  body: string;
  other?: string; // that it touches
  place: Vec3; // at rest
  node?: number;
  element?: number;
  cause: string;
  advice: string;
}

// A line of stats.jsonl; what a method does not know is null or absent.
export type StatsLine = { frame?: number; time?: number; status?: string; reason?: Reason } & Json;

export interface PaneInfo {
  name: string;
  bodies: BodyInfo[];
  colliders?: ColliderInfo[];
  fields: FieldInfo[];
  frames: FrameStamp[];
  box: Box;
  stats: StatsLine[];
  warnings: string[];
}

export interface InputInfo {
  name: string;
  kind: "pose" | "number";
  width: number;
  value: number[]; // a pose: 3x4 by columns
  about?: Vec3;
}

export interface NumberInfo {
  path: string;
  value: number;
  unit: string;
  min: number | null;
  max: number | null;
  doc: string;
}

export interface SceneInfo {
  method: string;
  methods: string[];
  inputs: InputInfo[];
  numbers: NumberInfo[];
  attachments: { name: string; input: string; nodes: number }[];
}

export interface Hello {
  say: "hello";
  protocol: number;
  version: string;
  kind: "scene" | "run" | "mesh";
  live: boolean;
  playing?: boolean;
  title: string;
  sources?: string[]; // as the command line named them
  panes: PaneInfo[];
  settings?: Record<string, string>; // how an exported page begins
  scene?: SceneInfo;
}

export interface Topology {
  pane: number;
  generation: number;
  triangles: Int32Array; // (T,3) into the sent vertices
  nodes: Int32Array; // (V) node of the model
  tets: Int32Array; // (T) behind the triangle, a tet or the triangle of a sheet; -1: none
  body: Int32Array; // (T)
}

// The shapes of a pane's colliders, each in a frame of its own.
export interface Colliders {
  pane: number;
  points: Float32Array; // (P,3)
  triangles: Int32Array; // (K,3)
  collider: Int32Array; // (K), ascending
}

export interface FrameField {
  name: string;
  component: string;
  unit: string;
  on: "node" | "tet";
  min: number | null; // null: nothing but NaN
  max: number | null;
  over?: "frame" | "run"; // what the range is that of; absent: the frame
}

export interface Frame {
  pane: number;
  topology: Topology; // of its positions
  index: number;
  time: number;
  playing: boolean;
  field: FrameField | null;
  line: StatsLine | null;
  positions: Float32Array; // (V,3)
  values: Float32Array | null; // (V) on nodes, (T) on tets
  contacts: Float32Array; // (C,3)
  contact_kind: Uint8Array; // 0 body-body, 1 body-collider
  constraints: Float32Array; // (S,2,3)
  constraint_kind: Uint8Array; // 0 held, 1 spring or tissue
  collider_poses: Float32Array; // (colliders, 12): to the world, 3x4 by columns
  inputs: Record<string, number[]>; // of a live scene, at the frame's time
  bytes: number;
  decode_ms: number; // what reading the message took
}

export class MessageError extends Error {}

const kinds: Record<string, { make: (b: ArrayBuffer, at: number, n: number) => Numbers; size: number }> = {
  f4: { make: (b, at, n) => new Float32Array(b, at, n), size: 4 },
  i4: { make: (b, at, n) => new Int32Array(b, at, n), size: 4 },
  u2: { make: (b, at, n) => new Uint16Array(b, at, n), size: 2 },
  u1: { make: (b, at, n) => new Uint8Array(b, at, n), size: 1 },
};

const up_to_8 = (n: number): number => Math.ceil(n / 8) * 8;
const is_count = (n: unknown): n is number => Number.isSafeInteger(n) && (n as number) >= 0;

// The arrays are views of the buffer: nothing is copied.
export function decode_block(buffer: ArrayBuffer): Block {
  if (buffer.byteLength < 4) throw new MessageError(`a binary message of ${buffer.byteLength} bytes`);
  const length = new DataView(buffer).getUint32(0, true);
  if (4 + length > buffer.byteLength)
    throw new MessageError(`a header of ${length} bytes in a message of ${buffer.byteLength}`);
  let header: Json;
  try {
    header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Json;
  } catch (error) {
    throw new MessageError(`a header that is not JSON: ${String(error)}`);
  }
  if (typeof header !== "object" || header === null) throw new MessageError("a header that is no object");
  const start = up_to_8(4 + length);
  const arrays: Block["arrays"] = new Map();
  for (const entry of (header.arrays ?? []) as Json[]) {
    const kind = kinds[String(entry.type)];
    const shape = entry.shape as number[];
    if (!kind || !Array.isArray(shape) || !shape.every(is_count) || !is_count(entry.offset))
      throw new MessageError(`an array without type, shape or offset: ${JSON.stringify(entry)}`);
    const count = shape.reduce((a, b) => a * b, 1);
    const at = start + entry.offset;
    if (at % kind.size !== 0 || at + count * kind.size > buffer.byteLength)
      throw new MessageError(`array ${String(entry.name)} ends beyond the message`);
    arrays.set(String(entry.name), { data: kind.make(buffer, at, count), shape });
  }
  return { header, arrays, bytes: buffer.byteLength };
}

export function encode_block(header: Json, arrays: { name: string; type: string; shape: number[]; data: Numbers }[]) {
  let offset = 0;
  const list = arrays.map(({ name, type, shape, data }) => {
    const entry = { name, type, shape, offset };
    offset += up_to_8(data.byteLength);
    return entry;
  });
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: list }));
  const start = up_to_8(4 + text.length);
  const bytes = new Uint8Array(start + offset);
  bytes.fill(0x20, 4, start);
  new DataView(bytes.buffer).setUint32(0, start - 4, true);
  bytes.set(text, 4);
  arrays.forEach(({ data }, i) =>
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), start + list[i]!.offset),
  );
  return bytes.buffer;
}

type Constructor<T> = { new (n: number): T };

function array<T extends Numbers>(block: Block, name: string, type: Constructor<T>, count: number | null): T {
  const found = block.arrays.get(name)?.data ?? new type(0);
  if (!(found instanceof type)) throw new MessageError(`array ${name} has the wrong type`);
  if (count !== null && found.length !== count)
    throw new MessageError(`array ${name} holds ${found.length} numbers, expected ${count}`);
  return found;
}

export function topology_of(block: Block): Topology {
  const triangles = array(block, "triangles", Int32Array, null);
  const nodes = array(block, "nodes", Int32Array, null);
  const count = triangles.length / 3;
  for (let i = 0; i < triangles.length; ++i)
    if (triangles[i]! < 0 || triangles[i]! >= nodes.length)
      throw new MessageError(`triangle ${Math.floor(i / 3)} names vertex ${triangles[i]} of ${nodes.length}`);
  return {
    pane: Number(block.header.pane ?? 0),
    generation: Number(block.header.generation ?? 0),
    triangles,
    nodes,
    tets: array(block, "tets", Int32Array, count),
    body: array(block, "body", Int32Array, count),
  };
}

export function colliders_of(block: Block): Colliders {
  const points = array(block, "points", Float32Array, null);
  const triangles = array(block, "triangles", Int32Array, null);
  const vertices = points.length / 3;
  if (triangles.some((v) => v < 0 || v >= vertices)) throw new MessageError("a collider names a point that is not there");
  const collider = array(block, "collider", Int32Array, triangles.length / 3);
  return { pane: Number(block.header.pane ?? 0), points, triangles, collider };
}

export function frame_of(block: Block, topology: Topology): Frame {
  const { header } = block;
  const field = (header.field ?? null) as FrameField | null;
  const vertices = topology.nodes.length;
  const triangles = topology.body.length;
  const contacts = array(block, "contacts", Float32Array, null);
  const constraints = array(block, "constraints", Float32Array, null);
  return {
    pane: topology.pane,
    topology,
    index: Number(header.index ?? 0),
    time: Number(header.time ?? 0),
    playing: header.playing === true,
    field,
    line: (header.line ?? null) as StatsLine | null,
    positions: array(block, "positions", Float32Array, 3 * vertices),
    values: field ? array(block, "values", Float32Array, field.on === "tet" ? triangles : vertices) : null,
    contacts,
    contact_kind: array(block, "contact_kind", Uint8Array, contacts.length / 3),
    constraints,
    constraint_kind: array(block, "constraint_kind", Uint8Array, constraints.length / 6),
    collider_poses: array(block, "collider_poses", Float32Array, null),
    inputs: (header.inputs ?? {}) as Record<string, number[]>,
    bytes: block.bytes,
    decode_ms: 0,
  };
}
