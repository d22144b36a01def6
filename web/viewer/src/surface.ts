// The bodies of one pane on the graphics card. All bodies share the vertex arrays; a body is a range of each
// index. A new frame replaces the contents of the arrays; a new topology makes new ones.
//
//     surface.show(frame);  surface.set_style("edges");  surface.set_hidden(0, true)
import { BufferAttribute, BufferGeometry, Group, LineSegments, Mesh, Points, ShaderMaterial, Vector3 } from "three";

import { body_colours, Rgb } from "./colours";
import { BodyInfo, Frame, Topology } from "./messages";
import { Style } from "./settings";
import { line_material, Look, surface_material } from "./shading";
import {
  BodyRange,
  FlatIndex,
  flat_index,
  Order,
  order_by_body,
  smooth_index,
  sum_normals,
  unique_edges,
  unique_vertices,
} from "./triangles";

interface BodyDrawing {
  surface: Mesh;
  edges: LineSegments | null; // made when first needed
  wire: LineSegments | null;
  points: Points | null;
}

const point_size = 3.5; // [CSS pixels]

export class Surface {
  readonly group = new Group();
  topology: Topology | null = null;
  order: Order | null = null;
  readonly colours: Rgb[];
  private flat_: FlatIndex | null = null; // when values are on tets
  private bodies_: BodyDrawing[] = [];
  private hidden_: boolean[];
  private style_: Style = "surface";
  private position_!: BufferAttribute;
  private normal_!: BufferAttribute;
  private value_!: BufferAttribute;
  private no_values_ = new Float32Array(0);
  private edge_tint_: Rgb = [0, 0, 0];
  private pixel_ratio_ = 1;

  constructor(
    private readonly look_: Look,
    private readonly infos_: BodyInfo[],
  ) {
    this.hidden_ = infos_.map(() => false);
    this.colours = infos_.map((_, i) => body_colours[i % body_colours.length]!);
  }

  show(frame: Frame): void {
    const on_tets = frame.field?.on === "tet";
    if (frame.topology !== this.topology || on_tets !== (this.flat_ !== null)) this.build(frame.topology, on_tets);
    this.look_.mode.value = !frame.field ? 0 : on_tets ? 2 : 1;
    if (this.flat_) this.fill_flat(frame, this.flat_);
    else this.fill_smooth(frame);
    for (const attribute of [this.position_, this.normal_, this.value_]) attribute.needsUpdate = true;
  }

  set_style(style: Style): void {
    this.style_ = style;
    this.arrange();
  }

  set_hidden(body: number, hidden: boolean): void {
    this.hidden_[body] = hidden;
    this.arrange();
  }

  is_hidden(body: number): boolean {
    return this.hidden_[body] ?? false;
  }

  set_theme(edge_tint: Rgb, pixel_ratio: number): void {
    this.edge_tint_ = edge_tint;
    this.pixel_ratio_ = pixel_ratio;
    for (const { edges, points } of this.bodies_) {
      const uniforms = (drawing: LineSegments | Points) => (drawing.material as ShaderMaterial).uniforms;
      if (edges) (uniforms(edges).base!.value as Vector3).set(...edge_tint).divideScalar(255);
      if (points) uniforms(points).point_size!.value = point_size * pixel_ratio;
    }
  }

  dispose(): void {
    for (const drawing of this.bodies_)
      for (const one of Object.values(drawing) as (Mesh | LineSegments | Points | null)[]) {
        if (!one) continue;
        this.group.remove(one);
        one.geometry.dispose();
        (one.material as ShaderMaterial).dispose();
      }
    this.bodies_ = [];
  }

  private build(topology: Topology, on_tets: boolean): void {
    this.dispose();
    this.topology = topology;
    this.order = order_by_body(topology, this.infos_.length);
    this.flat_ = on_tets ? flat_index(topology, this.order.order) : null;
    const vertices = topology.nodes.length + (this.flat_?.copies.length ?? 0);
    this.no_values_ = new Float32Array(vertices);
    this.position_ = new BufferAttribute(new Float32Array(3 * vertices), 3);
    this.normal_ = new BufferAttribute(new Float32Array(3 * vertices), 3);
    this.value_ = new BufferAttribute(this.no_values_, 1);
    const index = new BufferAttribute(this.flat_?.index ?? smooth_index(topology, this.order.order), 1);
    this.bodies_ = this.order.bodies.map((range, b) => {
      const mesh = new Mesh(this.geometry(index, range, 3), surface_material(this.look_, this.colours[b]!));
      mesh.frustumCulled = false;
      this.group.add(mesh);
      return { surface: mesh, edges: null, wire: null, points: null };
    });
    this.arrange();
  }

  private geometry(index: BufferAttribute, { first, count }: BodyRange, width: number): BufferGeometry {
    const made = new BufferGeometry();
    made.setAttribute("position", this.position_);
    made.setAttribute("normal", this.normal_);
    made.setAttribute("value", this.value_);
    made.setIndex(index);
    made.setDrawRange(width * first, width * count);
    return made;
  }

  // Without copies: the arrays of the message go to the card as they are.
  private fill_smooth(frame: Frame): void {
    this.position_.array = frame.positions;
    sum_normals(frame.topology.triangles, frame.positions, this.normal_.array as Float32Array);
    this.value_.array = frame.values ?? this.no_values_;
  }

  private fill_flat(frame: Frame, { copies, carrier }: FlatIndex): void {
    const x = this.position_.array as Float32Array;
    const n = this.normal_.array as Float32Array;
    const v = this.value_.array as Float32Array;
    const vertices = frame.topology.nodes.length;
    x.set(frame.positions);
    sum_normals(frame.topology.triangles, frame.positions, n.subarray(0, 3 * vertices));
    for (let i = 0, to = 3 * vertices; i < copies.length; ++i, to += 3) {
      const from = 3 * copies[i]!;
      x[to] = x[from]!;
      x[to + 1] = x[from + 1]!;
      x[to + 2] = x[from + 2]!;
      n[to] = n[from]!;
      n[to + 1] = n[from + 1]!;
      n[to + 2] = n[from + 2]!;
    }
    const values = frame.values!;
    for (let t = 0; t < carrier.length; ++t) v[carrier[t]!] = values[t]!;
  }

  private arrange(): void {
    const wants = (style: Style): boolean => this.style_ === style;
    if (this.bodies_.length > 0 && !wants("surface")) this.make_lines();
    this.bodies_.forEach((drawing, b) => {
      const shown = !this.hidden_[b];
      drawing.surface.visible = shown && (wants("surface") || wants("edges"));
      if (drawing.edges) drawing.edges.visible = shown && wants("edges");
      if (drawing.wire) drawing.wire.visible = shown && wants("wire");
      if (drawing.points) drawing.points.visible = shown && wants("points");
    });
  }

  private make_lines(): void {
    const { topology, order } = this;
    if (!topology || !order) return;
    const add = <T extends LineSegments | Points>(made: T): T => {
      made.frustumCulled = false;
      this.group.add(made);
      return made;
    };
    if (this.style_ === "points") {
      if (this.bodies_[0]!.points) return;
      const { index, bodies } = unique_vertices(topology, order);
      const shared = new BufferAttribute(index, 1);
      this.bodies_.forEach((drawing, b) => {
        const look = { base: this.colours[b]!, alpha: 1, plain: false, point_size: point_size * this.pixel_ratio_ };
        drawing.points = add(new Points(this.geometry(shared, bodies[b]!, 1), line_material(this.look_, look)));
      });
      return;
    }
    if (this.bodies_[0]!.wire) return;
    const { index, bodies } = unique_edges(topology, order);
    const shared = new BufferAttribute(index, 1);
    this.bodies_.forEach((drawing, b) => {
      const geometry = this.geometry(shared, bodies[b]!, 2);
      const edge = { base: this.edge_tint_, alpha: 0.32, plain: true, point_size: 0 };
      const wire = { base: this.colours[b]!, alpha: 1, plain: false, point_size: 0 };
      drawing.edges = add(new LineSegments(geometry, line_material(this.look_, edge)));
      drawing.wire = add(new LineSegments(geometry, line_material(this.look_, wire)));
    });
  }
}
