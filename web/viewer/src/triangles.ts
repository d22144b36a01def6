// Index arrays of the triangles of a topology, made once and used for every frame.
//
// Triangles are ordered by body, so that a body is a range. Vertices on creases are repeated, once for each side,
// so that light breaks there. For values on tets every triangle needs a last corner of its own, which carries
// its value: a vertex that no other triangle ends with, or a copy of one. Vertices are numbered: those of the
// topology, repetitions at creases, copies that carry values.
import { Topology } from "./messages";

export interface BodyRange {
  first: number;
  count: number;
}

export interface Order {
  order: Uint32Array; // (T) triangles by body
  bodies: BodyRange[]; // of `order`
}

export function order_by_body(topology: Topology, body_count: number): Order {
  const { body } = topology;
  const bodies: BodyRange[] = Array.from({ length: body_count }, () => ({ first: 0, count: 0 }));
  for (const b of body) if (b >= 0 && b < body_count) ++bodies[b]!.count;
  for (let b = 1; b < body_count; ++b) bodies[b]!.first = bodies[b - 1]!.first + bodies[b - 1]!.count;
  const next = bodies.map(({ first }) => first);
  const order = new Uint32Array(bodies.reduce((sum, { count }) => sum + count, 0));
  for (let t = 0; t < body.length; ++t) {
    const b = body[t]!;
    if (b >= 0 && b < body_count) order[next[b]!++] = t;
  }
  return { order, bodies };
}

export interface Creased {
  triangles: Int32Array; // (3T) into vertices and repetitions
  sources: Uint32Array; // the vertex that each repetition repeats
}

const crease_cosine = 0.7; // of the angle between triangles of one side

// A triangle joins the first side of its corner whose first triangle it is nearly parallel to.
export function split_creases({ triangles, vertices }: { triangles: Int32Array; vertices: number }, x: Float32Array): Creased {
  const out = triangles.slice();
  const sources: number[] = [];
  const first = new Int32Array(vertices).fill(-1); // triangle that opened the vertex's own side
  const more = new Map<number, { vertex: number; opened_by: number }[]>(); // its other sides
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) unit_normal(triangles, t, x, normals);
  const parallel = (s: number, t: number): boolean =>
    normals[s]! * normals[t]! + normals[s + 1]! * normals[t + 1]! + normals[s + 2]! * normals[t + 2]! > crease_cosine;
  for (let i = 0; i < triangles.length; ++i) {
    const t = i - (i % 3);
    const v = triangles[i]!;
    if (first[v]! < 0) first[v] = t;
    if (parallel(first[v]!, t)) continue;
    const sides = more.get(v) ?? [];
    let side = sides.find(({ opened_by }) => parallel(opened_by, t));
    if (!side) {
      side = { vertex: vertices + sources.length, opened_by: t };
      sources.push(v);
      more.set(v, [...sides, side]);
    }
    out[i] = side.vertex;
  }
  return { triangles: out, sources: Uint32Array.from(sources) };
}

// Twice the area long.
function area_vector(triangles: Int32Array, t: number, x: Float32Array): [number, number, number] {
  const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
  const [ux, uy, uz] = [x[b]! - x[a]!, x[b + 1]! - x[a + 1]!, x[b + 2]! - x[a + 2]!];
  const [vx, vy, vz] = [x[c]! - x[a]!, x[c + 1]! - x[a + 1]!, x[c + 2]! - x[a + 2]!];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

function unit_normal(triangles: Int32Array, t: number, x: Float32Array, out: Float32Array): void {
  const n = area_vector(triangles, t, x);
  const length = Math.hypot(...n) || 1;
  for (let k = 0; k < 3; ++k) out[t + k] = n[k]! / length;
}

export function smooth_index(triangles: Int32Array, order: Uint32Array): Uint32Array {
  const index = new Uint32Array(3 * order.length);
  for (let i = 0; i < order.length; ++i) for (let c = 0; c < 3; ++c) index[3 * i + c] = triangles[3 * order[i]! + c]!;
  return index;
}

export interface FlatIndex {
  index: Uint32Array; // (3T) into vertices, repetitions and copies
  sources: Uint32Array; // what each copy copies
  carrier: Uint32Array; // (T, in the topology's order) the corner that carries the triangle's value
}

// `vertices` counts those that there are. Without `share` every triangle gets a copy.
export function flat_index(triangles: Int32Array, vertices: number, order: Uint32Array, share = true): FlatIndex {
  const taken = new Uint8Array(vertices).fill(share ? 0 : 1);
  const index = new Uint32Array(3 * order.length);
  const carrier = new Uint32Array(triangles.length / 3);
  const sources: number[] = [];
  for (let i = 0; i < order.length; ++i) {
    const t = order[i]!;
    let c = 0;
    while (c < 3 && taken[triangles[3 * t + c]!]) ++c;
    const last = c < 3 ? c : 2;
    for (let k = 0; k < 3; ++k) index[3 * i + k] = triangles[3 * t + ((last + 1 + k) % 3)]!;
    if (c < 3) {
      taken[triangles[3 * t + c]!] = 1;
    } else {
      index[3 * i + 2] = vertices + sources.length;
      sources.push(triangles[3 * t + 2]!);
    }
    carrier[t] = index[3 * i + 2]!;
  }
  return { index, sources: Uint32Array.from(sources), carrier };
}

export interface Coarse {
  triangles: Int32Array; // (3T) in the topology's order; vertices that are near each other are one
  order: Order; // of those that are left
  cell: number; // [m] how near
}

// About `count` triangles instead of all. Vertices in one cell of a grid become the first of them, unless the surface
// faces another way there, and triangles that are then none are left out.
export function coarsen(triangles: Int32Array, { order, bodies }: Order, x: Float32Array, normals: Float32Array, count: number): Coarse {
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) area += 0.5 * Math.hypot(...area_vector(triangles, t, x));
  const cell = Math.sqrt((2 * area) / count) || 1;
  const out = new Int32Array(triangles.length);
  const left = new Uint32Array(order.length);
  const ranges: BodyRange[] = [];
  const place = (v: number, k: number): number => Math.floor(x[3 * v + k]! / cell) & 0x7fff;
  const facing = (v: number): number => (normals[3 * v]! < 0 ? 1 : 0) + (normals[3 * v + 1]! < 0 ? 2 : 0) + (normals[3 * v + 2]! < 0 ? 4 : 0);
  let kept = 0;
  for (const { first, count: own } of bodies) {
    const start = kept;
    const firsts = new Map<number, number>(); // vertex of each cell
    const one_of = new Int32Array(x.length / 3).fill(-1);
    for (let i = first; i < first + own; ++i) {
      const t = 3 * order[i]!;
      for (let c = 0; c < 3; ++c) {
        const v = triangles[t + c]!;
        if (one_of[v]! < 0) {
          const key = ((place(v, 0) * 0x8000 + place(v, 1)) * 0x8000 + place(v, 2)) * 8 + facing(v);
          if (!firsts.has(key)) firsts.set(key, v);
          one_of[v] = firsts.get(key)!;
        }
        out[t + c] = one_of[v]!;
      }
      if (out[t] !== out[t + 1] && out[t + 1] !== out[t + 2] && out[t + 2] !== out[t]) left[kept++] = order[i]!;
    }
    ranges.push({ first: start, count: kept - start });
  }
  return { triangles: out, order: { order: left.slice(0, kept), bodies: ranges }, cell };
}

// Each edge once, as pairs of vertices, by body.
export function unique_edges(topology: Topology, { order, bodies }: Order): { index: Uint32Array; bodies: BodyRange[] } {
  const { triangles, nodes } = topology;
  const width = nodes.length;
  const keys = new Float64Array(3 * order.length);
  for (let i = 0; i < order.length; ++i)
    for (let c = 0; c < 3; ++c) {
      const p = triangles[3 * order[i]! + c]!;
      const q = triangles[3 * order[i]! + ((c + 1) % 3)]!;
      keys[3 * i + c] = Math.min(p, q) * width + Math.max(p, q);
    }
  const index = new Uint32Array(2 * keys.length);
  const ranges: BodyRange[] = [];
  let made = 0;
  for (const { first, count } of bodies) {
    const own = keys.subarray(3 * first, 3 * (first + count)).sort();
    const start = made;
    let before = -1;
    for (const key of own) {
      if (key === before) continue;
      before = key;
      index[2 * made] = Math.floor(key / width);
      index[2 * made + 1] = key % width;
      ++made;
    }
    ranges.push({ first: start, count: made - start });
  }
  return { index: index.slice(0, 2 * made), bodies: ranges };
}

export function unique_vertices(topology: Topology, { order, bodies }: Order): { index: Uint32Array; bodies: BodyRange[] } {
  const { triangles, nodes } = topology;
  const seen = new Uint8Array(nodes.length);
  const index = new Uint32Array(nodes.length);
  const ranges: BodyRange[] = [];
  let made = 0;
  for (const { first, count } of bodies) {
    const start = made;
    for (let i = first; i < first + count; ++i)
      for (let c = 0; c < 3; ++c) {
        const v = triangles[3 * order[i]! + c]!;
        if (seen[v]) continue;
        seen[v] = 1;
        index[made++] = v;
      }
    ranges.push({ first: start, count: made - start });
  }
  return { index: index.slice(0, made), bodies: ranges };
}

// Sums of the triangles' area vectors at their vertices: normals that the shader brings to length 1.
export function sum_normals(triangles: Int32Array, x: Float32Array, normals: Float32Array): void {
  normals.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]!;
    const b = 3 * triangles[t + 1]!;
    const c = 3 * triangles[t + 2]!;
    const ux = x[b]! - x[a]!;
    const uy = x[b + 1]! - x[a + 1]!;
    const uz = x[b + 2]! - x[a + 2]!;
    const vx = x[c]! - x[a]!;
    const vy = x[c + 1]! - x[a + 1]!;
    const vz = x[c + 2]! - x[a + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    normals[a]! += nx;
    normals[a + 1]! += ny;
    normals[a + 2]! += nz;
    normals[b]! += nx;
    normals[b + 1]! += ny;
    normals[b + 2]! += nz;
    normals[c]! += nx;
    normals[c + 1]! += ny;
    normals[c + 2]! += nz;
  }
}
