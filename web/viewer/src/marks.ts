// What is drawn over the bodies of a pane: contacts and constraints in the papers' red and blue, the picked
// point, the handles of attachments, the line of a grab, and the ground's grid.
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Points,
  SphereGeometry,
  SRGBColorSpace,
} from "three";

import { mark_blue, mark_red, Rgb } from "./colours";
import { Frame, Vec3 } from "./messages";
import { mark_material } from "./shading";
import { ticks } from "./ticks";

// Points or segments whose number changes from frame to frame; the arrays grow and are kept.
class Cloud {
  readonly object: Points | LineSegments;
  private positions_ = new BufferAttribute(new Float32Array(0), 3);
  private tints_ = new BufferAttribute(new Float32Array(0), 3);

  constructor(kind: "points" | "segments", point_size: number) {
    const geometry = new BufferGeometry();
    const material = mark_material(point_size);
    this.object = kind === "points" ? new Points(geometry, material) : new LineSegments(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
  }

  // Points one after the other; `each` of them share a kind, which chooses the first or the second colour.
  fill(points: Float32Array, kinds: Uint8Array, each: number, colours: [Rgb, Rgb]): void {
    const count = points.length / 3;
    if (points.length > this.positions_.array.length) this.grow(Math.ceil(1.5 * count));
    (this.positions_.array as Float32Array).set(points);
    const tints = this.tints_.array as Float32Array;
    for (let i = 0; i < count; ++i) {
      const colour = colours[kinds[Math.floor(i / each)] === 1 ? 1 : 0];
      for (let k = 0; k < 3; ++k) tints[3 * i + k] = colour[k]! / 255;
    }
    this.object.geometry.setDrawRange(0, count);
    this.object.visible = count > 0;
    this.positions_.needsUpdate = this.tints_.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    (this.object.material as { dispose(): void }).dispose();
  }

  private grow(count: number): void {
    this.object.geometry.dispose();
    const make = () => new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
    this.positions_ = make();
    this.tints_ = make();
    this.object.geometry.setAttribute("position", this.positions_);
    this.object.geometry.setAttribute("tint", this.tints_);
  }
}

const nothing = new Float32Array(0);

export class Marks {
  readonly group = new Group();
  private readonly contacts_: Cloud;
  private readonly segments_ = new Cloud("segments", 0);
  private readonly ends_: Cloud;
  private readonly picked_: Cloud;

  constructor(pixel_ratio: number) {
    this.contacts_ = new Cloud("points", 8 * pixel_ratio);
    this.ends_ = new Cloud("points", 7 * pixel_ratio);
    this.picked_ = new Cloud("points", 11 * pixel_ratio);
    for (const { object } of [this.contacts_, this.segments_, this.ends_, this.picked_]) this.group.add(object);
  }

  show(frame: Frame, with_contacts: boolean, with_constraints: boolean): void {
    const { contacts, contact_kind, constraints, constraint_kind } = frame;
    this.contacts_.fill(with_contacts ? contacts : nothing, contact_kind, 1, [mark_red, mark_blue]);
    for (const cloud of [this.segments_, this.ends_])
      cloud.fill(with_constraints ? constraints : nothing, constraint_kind, 2, [mark_blue, mark_red]);
  }

  set_picked(point: Vec3 | null, tint: Rgb): void {
    this.picked_.fill(point ? Float32Array.from(point) : nothing, new Uint8Array(1), 1, [tint, tint]);
  }

  dispose(): void {
    for (const cloud of [this.contacts_, this.segments_, this.ends_, this.picked_]) cloud.dispose();
  }
}

// Spheres of constant size on the screen, drawn over everything, that can be dragged.
export class Handle {
  readonly object: Mesh;
  constructor(
    readonly name: string,
    tint: Rgb,
  ) {
    const sphere = new SphereGeometry(1, 24, 16);
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true });
    material.color.setRGB(tint[0] / 255, tint[1] / 255, tint[2] / 255, SRGBColorSpace);
    this.object = new Mesh(sphere, material);
    this.object.renderOrder = 6;
    const rim = new Mesh(sphere, new MeshBasicMaterial({ depthTest: false, transparent: true, color: 0xffffff }));
    rim.scale.setScalar(1.3);
    rim.renderOrder = 5;
    this.object.add(rim);
  }

  dispose(): void {
    this.object.geometry.dispose();
    for (const part of [this.object, ...this.object.children]) ((part as Mesh).material as MeshBasicMaterial).dispose();
  }
}

export function make_line(tint: number): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(6), 3).setUsage(DynamicDrawUsage));
  const line = new LineSegments(geometry, new LineBasicMaterial({ color: tint, depthTest: false }));
  line.frustumCulled = false;
  line.visible = false;
  line.renderOrder = 4;
  return line;
}

export interface Grid {
  object: LineSegments;
  cell: number; // [m]
}

// Below the box, with cells of a round size.
export function make_grid(box: [Vec3, Vec3], up: "y" | "z", tint: number): Grid {
  const h = up === "y" ? 1 : 2;
  const [u, v] = up === "y" ? [0, 2] : [0, 1];
  const [lo, hi] = box;
  const size = Math.max(hi[u]! - lo[u]!, hi[v]! - lo[v]!, (hi[h] - lo[h]) * 0.5) || 1;
  const list = ticks(0, size, 9);
  const cell = list.length > 1 ? list[1]! - list[0]! : size;
  const from = (axis: number): number => Math.floor((lo[axis]! - 0.35 * size) / cell);
  const to = (axis: number): number => Math.ceil((hi[axis]! + 0.35 * size) / cell);
  const points: number[] = [];
  const put = (a: number, b: number): void => {
    const point = [0, 0, 0];
    point[u] = a * cell;
    point[v] = b * cell;
    point[h] = lo[h] - 1e-3 * size;
    points.push(...point);
  };
  for (let a = from(u); a <= to(u); ++a) put(a, from(v)), put(a, to(v));
  for (let b = from(v); b <= to(v); ++b) put(from(u), b), put(to(u), b);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  const object = new LineSegments(geometry, new LineBasicMaterial({ color: tint }));
  object.renderOrder = -1;
  return { object, cell };
}
