// Index arrays of the triangles of a topology, made once and used for every frame.
//
// Triangles are ordered by body, so that a body is a range. For values on tets every triangle needs a last
// corner of its own, which carries its value: a vertex that no other triangle ends with, or a copy of one.
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

export function smooth_index({ triangles }: Topology, order: Uint32Array): Uint32Array {
  const index = new Uint32Array(3 * order.length);
  for (let i = 0; i < order.length; ++i) for (let c = 0; c < 3; ++c) index[3 * i + c] = triangles[3 * order[i]! + c]!;
  return index;
}

export interface FlatIndex {
  index: Uint32Array; // (3T) into vertices, then copies
  copies: Uint32Array; // the vertex that each copy repeats
  carrier: Uint32Array; // (T, in the topology's order) the corner that carries the triangle's value
}

export function flat_index(topology: Topology, order: Uint32Array): FlatIndex {
  const { triangles, nodes } = topology;
  const taken = new Uint8Array(nodes.length);
  const index = new Uint32Array(3 * order.length);
  const carrier = new Uint32Array(triangles.length / 3);
  const copies: number[] = [];
  for (let i = 0; i < order.length; ++i) {
    const t = order[i]!;
    let c = 0;
    while (c < 3 && taken[triangles[3 * t + c]!]) ++c;
    const last = c < 3 ? c : 2;
    for (let k = 0; k < 3; ++k) index[3 * i + k] = triangles[3 * t + ((last + 1 + k) % 3)]!;
    if (c < 3) {
      taken[triangles[3 * t + c]!] = 1;
    } else {
      index[3 * i + 2] = nodes.length + copies.length;
      copies.push(triangles[3 * t + 2]!);
    }
    carrier[t] = index[3 * i + 2]!;
  }
  return { index, copies: Uint32Array.from(copies), carrier };
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
