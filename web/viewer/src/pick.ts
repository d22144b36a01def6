// What lies under the pointer: the nearest visible triangle that a ray meets.
import { Frame, Plane, Vec3 } from "./messages";

export interface Pick {
  pane: number;
  triangle: number;
  weights: Vec3; // of its corners
  vertex: number; // the nearest corner
}

export function cast_ray(
  frame: Frame,
  origin: Vec3,
  direction: Vec3,
  is_hidden: (body: number) => boolean,
  plane: Plane | null,
): Pick | null {
  const { triangles, body } = frame.topology;
  const x = frame.positions;
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  let nearest = Infinity;
  let found: Pick | null = null;
  for (let t = 0; t < body.length; ++t) {
    const a = 3 * triangles[3 * t]!;
    const b = 3 * triangles[3 * t + 1]!;
    const c = 3 * triangles[3 * t + 2]!;
    const ux = x[b]! - x[a]!;
    const uy = x[b + 1]! - x[a + 1]!;
    const uz = x[b + 2]! - x[a + 2]!;
    const vx = x[c]! - x[a]!;
    const vy = x[c + 1]! - x[a + 1]!;
    const vz = x[c + 2]! - x[a + 2]!;
    const px = dy * vz - dz * vy;
    const py = dz * vx - dx * vz;
    const pz = dx * vy - dy * vx;
    const det = ux * px + uy * py + uz * pz;
    if (det === 0) continue;
    const sx = ox - x[a]!;
    const sy = oy - x[a + 1]!;
    const sz = oz - x[a + 2]!;
    const v = (sx * px + sy * py + sz * pz) / det;
    if (!(v >= 0 && v <= 1)) continue;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const w = (dx * qx + dy * qy + dz * qz) / det;
    if (!(w >= 0 && v + w <= 1)) continue;
    const along = (vx * qx + vy * qy + vz * qz) / det;
    if (!(along > 0 && along < nearest) || is_hidden(body[t]!)) continue;
    const at: Vec3 = [ox + along * dx, oy + along * dy, oz + along * dz];
    if (plane && plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2] > plane[3]) continue;
    nearest = along;
    const weights: Vec3 = [1 - v - w, v, w];
    const corner = weights.indexOf(Math.max(...weights));
    found = { pane: frame.pane, triangle: t, weights, vertex: triangles[3 * t + corner]! };
  }
  return found;
}

export function picked_point({ triangle, weights }: Pick, { positions, topology }: Frame): Vec3 {
  const out: Vec3 = [0, 0, 0];
  for (let c = 0; c < 3; ++c)
    for (let k = 0; k < 3; ++k)
      out[k]! += weights[c]! * positions[3 * topology.triangles[3 * triangle + c]! + k]!;
  return out;
}

// The field at the picked point: interpolated from nodes, or the tet's.
export function picked_value({ triangle, weights }: Pick, { values, field, topology }: Frame): number | null {
  if (!values || !field) return null;
  if (field.on === "tet") return values[triangle]!;
  return [0, 1, 2].reduce((sum, c) => sum + weights[c]! * values[topology.triangles[3 * triangle + c]!]!, 0);
}
