// The bodies of one pane on the graphics card. All bodies share the vertex arrays; a body is a range of each
// index. A new frame replaces the contents of the arrays; a new topology makes new ones. The arrays of a large
// model's message go to the card as they are.
//
// Where the processor draws, a large model has a second, coarser index for while things move.
//
//     surface.show(frame);  surface.set_style("edges");  surface.set_hidden(0, true)
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  FrontSide,
  Group,
  LineSegments,
  Mesh,
  Points,
  ShaderMaterial,
  Vector3,
} from "three";

import { body_colours, Rgb } from "./colours";
import { BodyInfo, Frame, Plane, Topology } from "./messages";
import { Style } from "./settings";
import { line_material, Look, set_variant, surface_material, ValueMode } from "./shading";
import {
  BodyRange,
  Coarse,
  coarsen,
  Creased,
  FlatIndex,
  flat_index,
  Order,
  order_by_body,
  smooth_index,
  split_creases,
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
export const many_triangles = 300_000;
const coarse_triangles = 200_000;

export class Surface {
  readonly group = new Group();
  topology: Topology | null = null;
  order: Order | null = null;
  readonly colours: Rgb[];
  private creased_: Creased = { triangles: new Int32Array(0), sources: new Uint32Array(0) };
  private flat_: FlatIndex | null = null; // when values are on tets
  private coarse_: (Coarse & { flat: FlatIndex | null; index: BufferAttribute }) | null = null;
  private coarse_shown_ = false;
  private index_!: BufferAttribute;
  private copied_ = false; // there are more vertices than the message has
  private bodies_: BodyDrawing[] = [];
  private hidden_: boolean[];
  private style_: Style = "surface";
  private mode_: ValueMode = 0;
  private clipped_ = false;
  private position_!: BufferAttribute;
  private normal_!: BufferAttribute;
  private value_!: BufferAttribute;
  private no_values_ = new Float32Array(0);
  private edge_tint_: Rgb = [0, 0, 0];
  private pixel_ratio_ = 1;

  constructor(
    private readonly look_: Look,
    private readonly infos_: BodyInfo[],
    private readonly may_coarsen_ = false,
  ) {
    this.hidden_ = infos_.map(() => false);
    this.colours = infos_.map((_, i) => body_colours[i % body_colours.length]!);
  }

  show(frame: Frame): void {
    const on_tets = frame.field?.on === "tet";
    const large = frame.topology.body.length > many_triangles;
    if (frame.topology !== this.topology || on_tets !== (this.flat_ !== null)) this.build(frame, on_tets);
    else if (this.may_coarsen_ && large && !this.coarse_) this.make_coarse(); // a second frame: there may be more
    this.mode_ = !frame.field ? 0 : on_tets ? 2 : 1;
    this.set_variants();
    this.fill(frame);
    for (const attribute of [this.position_, this.normal_, this.value_]) attribute.needsUpdate = true;
  }

  // [m] The size of what a coarse drawing leaves out; 0: there is none.
  get coarse_cell(): number {
    return this.coarse_?.cell ?? 0;
  }

  draw_coarse(wanted: boolean): void {
    const coarse = wanted && this.coarse_ !== null;
    if (coarse === this.coarse_shown_) return;
    this.coarse_shown_ = coarse;
    const { bodies } = coarse ? this.coarse_!.order : this.order!;
    this.bodies_.forEach(({ surface }, b) => {
      surface.geometry.setIndex(coarse ? this.coarse_!.index : this.index_);
      surface.geometry.setDrawRange(3 * bodies[b]!.first, 3 * bodies[b]!.count);
    });
  }

  // The page's own cut, where no server makes one.
  set_plane(plane: Plane | null): void {
    this.clipped_ = plane !== null;
    if (plane) this.look_.plane.value.set(...plane);
    this.set_variants();
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

  private build(frame: Frame, on_tets: boolean): void {
    const { topology } = frame;
    this.dispose();
    if (topology !== this.topology) {
      const large = topology.body.length > many_triangles;
      const plain = { triangles: topology.triangles, sources: new Uint32Array(0) };
      this.creased_ = large ? plain : split_creases({ triangles: topology.triangles, vertices: topology.nodes.length }, frame.positions);
      this.order = order_by_body(topology, this.infos_.length);
    }
    this.topology = topology;
    const { triangles, sources } = this.creased_;
    const order = this.order!;
    const used = topology.nodes.length + sources.length;
    this.flat_ = on_tets ? flat_index(triangles, used, order.order) : null;
    this.coarse_ = null;
    this.coarse_shown_ = false;
    this.make_arrays(used + (this.flat_?.sources.length ?? 0));
    this.copied_ = this.position_.count > topology.nodes.length;
    this.index_ = new BufferAttribute(this.flat_?.index ?? smooth_index(triangles, order.order), 1);
    this.bodies_ = order.bodies.map((range, b) => {
      const mesh = new Mesh(this.geometry(this.index_, range, 3), surface_material(this.look_, this.colours[b]!));
      mesh.frustumCulled = false;
      this.group.add(mesh);
      return { surface: mesh, edges: null, wire: null, points: null };
    });
    this.arrange();
  }

  private make_arrays(vertices: number): void {
    const make = (array: Float32Array, width: number) => new BufferAttribute(array, width).setUsage(DynamicDrawUsage);
    this.no_values_ = new Float32Array(vertices);
    this.position_ = make(new Float32Array(3 * vertices), 3);
    this.normal_ = make(new Float32Array(3 * vertices), 3);
    this.value_ = make(this.no_values_, 1);
  }

  // Of the frame that is shown. Values on tets need corners that carry them, so that there are more vertices then.
  private make_coarse(): void {
    const { triangles } = this.creased_;
    const x = this.position_.array as Float32Array;
    const made = coarsen(triangles, this.order!, x, this.normal_.array as Float32Array, coarse_triangles);
    const { order } = made.order;
    const flat = this.flat_ && flat_index(made.triangles, x.length / 3, order, false);
    this.coarse_ = { ...made, flat, index: new BufferAttribute(flat?.index ?? smooth_index(made.triangles, order), 1) };
    if (!flat) return;
    this.make_arrays(x.length / 3 + flat.sources.length);
    for (const { surface, edges, wire, points } of this.bodies_)
      for (const one of [surface, edges, wire, points]) if (one) this.set_arrays(one.geometry);
  }

  // Large models are drawn without what costs most: light at every pixel, and the insides of closed bodies.
  private set_variants(): void {
    const large = (this.topology?.body.length ?? 0) > many_triangles;
    const { clipped_: clipped, mode_: mode } = this;
    const line_mode = mode === 2 ? 0 : mode; // a line is between tets
    this.bodies_.forEach(({ surface, edges, wire, points }, b) => {
      const material = surface.material as ShaderMaterial;
      set_variant(material, { mode, clipped, fine: large });
      material.side = large && !clipped && this.infos_[b]!.tets > 0 ? FrontSide : DoubleSide;
      if (edges) set_variant(edges.material as ShaderMaterial, { mode: 0, clipped, fine: false });
      for (const line of [wire, points])
        if (line) set_variant(line.material as ShaderMaterial, { mode: line_mode, clipped, fine: false });
    });
  }

  private geometry(index: BufferAttribute, { first, count }: BodyRange, width: number): BufferGeometry {
    const made = new BufferGeometry();
    this.set_arrays(made);
    made.setIndex(index);
    made.setDrawRange(width * first, width * count);
    return made;
  }

  private set_arrays(geometry: BufferGeometry): void {
    geometry.setAttribute("position", this.position_);
    geometry.setAttribute("normal", this.normal_);
    geometry.setAttribute("value", this.value_);
  }

  private fill(frame: Frame): void {
    const normals = this.normal_.array as Float32Array;
    const { triangles, sources } = this.creased_;
    if (!this.copied_) {
      this.position_.array = frame.positions;
      this.value_.array = frame.values ?? this.no_values_;
      sum_normals(triangles, frame.positions, normals);
      return;
    }
    const x = this.position_.array as Float32Array;
    const values = this.value_.array as Float32Array;
    const count = frame.topology.nodes.length;
    const used = count + sources.length;
    x.set(frame.positions);
    repeat(x, sources, count);
    sum_normals(triangles, x, normals.subarray(0, 3 * used));
    if (this.flat_) {
      let at = used;
      for (const flat of [this.flat_, this.coarse_?.flat]) {
        if (!flat) continue;
        repeat(x, flat.sources, at);
        repeat(normals, flat.sources, at);
        at += flat.sources.length;
      }
      const { carrier } = this.flat_;
      for (let t = 0; t < carrier.length; ++t) values[carrier[t]!] = frame.values![t]!;
      if (this.coarse_?.flat) for (const t of this.coarse_.order.order) values[this.coarse_.flat.carrier[t]!] = frame.values![t]!;
    } else if (frame.values) {
      values.set(frame.values);
      for (let i = 0; i < sources.length; ++i) values[count + i] = frame.values[sources[i]!]!;
    }
  }

  private arrange(): void {
    const wants = (style: Style): boolean => this.style_ === style;
    if (this.bodies_.length > 0 && !wants("surface")) this.make_lines();
    this.set_variants();
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
        const look = { base: this.colours[b]!, alpha: 1, point_size: point_size * this.pixel_ratio_ };
        drawing.points = add(new Points(this.geometry(shared, bodies[b]!, 1), line_material(this.look_, look)));
      });
      return;
    }
    if (this.bodies_[0]!.wire) return;
    const { index, bodies } = unique_edges(topology, order);
    const shared = new BufferAttribute(index, 1);
    this.bodies_.forEach((drawing, b) => {
      const geometry = this.geometry(shared, bodies[b]!, 2);
      const edge = { base: this.edge_tint_, alpha: 0.32, point_size: 0 };
      const wire = { base: this.colours[b]!, alpha: 1, point_size: 0 };
      drawing.edges = add(new LineSegments(geometry, line_material(this.look_, edge)));
      drawing.wire = add(new LineSegments(geometry, line_material(this.look_, wire)));
    });
  }
}

// Triples of `sources`, one after the other from `at` on.
function repeat(triples: Float32Array, sources: Uint32Array, at: number): void {
  for (let i = 0, to = 3 * at; i < sources.length; ++i, to += 3) {
    const from = 3 * sources[i]!;
    triples[to] = triples[from]!;
    triples[to + 1] = triples[from + 1]!;
    triples[to + 2] = triples[from + 2]!;
  }
}
