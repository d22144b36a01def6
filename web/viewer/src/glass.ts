// The colliders of a pane: seen through like glass, denser where they are seen from the side, with lines at sharp
// edges. Their shapes come once, a pose for each with every frame.
//
//     glass.set(colliders);  glass.show(frame.collider_poses);  glass.set_hidden(0, true)
import { BufferAttribute, BufferGeometry, EdgesGeometry, Group, LineSegments, Mesh, ShaderMaterial } from "three";

import { Rgb } from "./colours";
import { Colliders } from "./messages";
import { glass_material, line_material, Look } from "./shading";
import { split_creases, sum_normals } from "./triangles";

const max_edged = 20_000; // triangles of colliders with lines
const sharp = 40; // [degrees]

export const glass_tint: Rgb = [104, 134, 168];

export class Glass {
  readonly group = new Group();
  private shapes_: Group[] = []; // of each collider
  private hidden_: boolean[] = [];

  constructor(private readonly look_: Look) {}

  set({ points, triangles, collider }: Colliders): void {
    this.dispose();
    const { triangles: creased, sources } = split_creases({ triangles, vertices: points.length / 3 }, points);
    const x = new Float32Array(points.length + 3 * sources.length);
    x.set(points);
    sources.forEach((from, i) => x.set(points.subarray(3 * from, 3 * from + 3), points.length + 3 * i));
    const normals = new Float32Array(x.length);
    sum_normals(creased, x, normals);
    const position = new BufferAttribute(x, 3);
    const normal = new BufferAttribute(normals, 3);
    for (let first = 0; first < collider.length; ) {
      let end = first;
      while (end < collider.length && collider[end] === collider[first]) ++end;
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", position);
      geometry.setAttribute("normal", normal);
      geometry.setIndex(new BufferAttribute(Uint32Array.from(creased.subarray(3 * first, 3 * end)), 1));
      this.shapes_[collider[first]!] = this.make(geometry, end - first);
      first = end;
    }
    this.hidden_.forEach((hidden, i) => this.set_hidden(i, hidden));
  }

  // Twelve numbers each: the columns of a matrix, and where it takes the origin.
  show(poses: Float32Array): void {
    this.shapes_.forEach((shape, i) => {
      const p = poses.subarray(12 * i, 12 * i + 12);
      if (p.length < 12) return;
      shape.matrix.set(p[0]!, p[3]!, p[6]!, p[9]!, p[1]!, p[4]!, p[7]!, p[10]!, p[2]!, p[5]!, p[8]!, p[11]!, 0, 0, 0, 1);
      shape.matrixWorldNeedsUpdate = true;
    });
  }

  set_hidden(collider: number, hidden: boolean): void {
    this.hidden_[collider] = hidden;
    const shape = this.shapes_[collider];
    if (shape) shape.visible = !hidden;
  }

  dispose(): void {
    for (const shape of this.shapes_)
      for (const part of (shape?.children ?? []) as (Mesh | LineSegments)[]) {
        part.geometry.dispose();
        (part.material as ShaderMaterial).dispose();
      }
    this.group.clear();
    this.shapes_ = [];
  }

  private make(geometry: BufferGeometry, triangles: number): Group {
    const shape = new Group();
    shape.matrixAutoUpdate = false;
    shape.add(new Mesh(geometry, glass_material(glass_tint)));
    if (triangles <= max_edged) {
      const edge = { base: glass_tint, alpha: 0.55, point_size: 0 };
      shape.add(new LineSegments(new EdgesGeometry(geometry, sharp), line_material(this.look_, edge)));
    }
    for (const part of shape.children) {
      part.frustumCulled = false;
      part.renderOrder = 1; // after the bodies
    }
    this.group.add(shape);
    return shape;
  }
}
