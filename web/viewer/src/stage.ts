// The canvas: one renderer, one camera, one or two panes side by side. Nothing is drawn unless asked for by
// invalidate(); draws are counted and timed.
//
//     stage.set_panes(hello.panes);  stage.panes[0].surface.show(frame);  stage.invalidate();
import { Color, Raycaster, Scene, SRGBColorSpace, Vector2, Vector3, WebGLRenderer } from "three";

import { Rgb } from "./colours";
import { Glass } from "./glass";
import { Grid, Handle, make_grid, make_line, Marks } from "./marks";
import { Box, PaneInfo, Vec3 } from "./messages";
import { default_view, Orbit } from "./orbit";
import { CameraSetting, Theme } from "./settings";
import { Look, make_look, set_camera } from "./shading";
import { Surface } from "./surface";

export interface ThemeColours {
  background: Rgb;
  grid: number;
  edges: Rgb;
  text: string;
  faint: string;
}

export const theme_colours: Record<Theme, ThemeColours> = {
  light: { background: [246, 247, 249], grid: 0xdcdfe4, edges: [20, 24, 30], text: "#1c2127", faint: "#5c6670" },
  dark: { background: [22, 25, 29], grid: 0x30363d, edges: [0, 0, 0], text: "#e6e9ed", faint: "#9aa4ae" },
};

const max_smooth = 60_000; // triangles with smooth edges where the processor draws
const max_coarse = 4; // [pixels] that a coarse drawing may leave out
const rest_ms = 300; // without a change, after which everything is drawn

export class StagePane {
  readonly scene = new Scene();
  readonly look: Look = make_look();
  readonly surface: Surface;
  readonly glass: Glass;
  readonly marks: Marks;
  readonly handles: Handle[] = [];
  readonly grab_line = make_line(0xd02030);

  constructor(info: PaneInfo, pixel_ratio: number, software: boolean) {
    this.surface = new Surface(this.look, info.bodies, software);
    this.glass = new Glass(this.look);
    this.marks = new Marks(pixel_ratio);
    this.scene.add(this.surface.group, this.glass.group, this.marks.group, this.grab_line);
  }

  dispose(): void {
    this.surface.dispose();
    this.glass.dispose();
    this.marks.dispose();
    for (const handle of this.handles) handle.dispose();
    this.look.map.value.dispose();
  }
}

export interface PanePoint {
  pane: number;
  ndc: Vector2;
}

export class Stage {
  renderer!: WebGLRenderer; // from the first hello on
  readonly orbit: Orbit;
  smooth = true; // edges
  panes: StagePane[] = [];
  grid: Grid | null = null;
  box: Box = [
    [-1, -1, -1],
    [1, 1, 1],
  ];
  onrender: () => void = () => {};
  private theme_: Theme = "light";
  private grid_shown_ = true;
  private grid_key_ = "";
  private up_: "y" | "z" = "y";
  private width_ = 1;
  private height_ = 1;
  private pending_ = 0;
  private resting_ = 0;
  private readonly clear_ = new Color();

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly software_: boolean,
    onmoved: () => void,
  ) {
    this.orbit = new Orbit(canvas, () => this.invalidate(), onmoved);
  }

  set_panes(infos: PaneInfo[], up: "y" | "z"): void {
    this.renderer ??= this.make_renderer(infos);
    for (const pane of this.panes) pane.dispose();
    this.panes = infos.map((info) => new StagePane(info, this.renderer.getPixelRatio(), this.software_));
    this.up_ = up;
    this.set_box(union(infos.map((info) => info.box)));
    this.fit_canvas(this.width_, this.height_);
  }

  set_up(up: "y" | "z"): void {
    this.up_ = up;
    this.set_box(this.box);
  }

  // The camera stays where it is.
  set_box(box: Box): void {
    this.box = box;
    this.orbit.set_box(box, this.up_);
    this.set_theme(this.theme_);
  }

  set_theme(theme: Theme): void {
    this.theme_ = theme;
    const colours = theme_colours[theme];
    const [r, g, b] = colours.background;
    this.clear_.setRGB(r / 255, g / 255, b / 255, SRGBColorSpace);
    for (const { surface } of this.panes) surface.set_theme(colours.edges, this.renderer.getPixelRatio());
    const key = JSON.stringify([this.box, this.up_, theme]);
    if (key !== this.grid_key_) this.renew_grid(colours.grid);
    this.grid_key_ = key;
    this.invalidate();
  }

  private renew_grid(tint: number): void {
    this.grid?.object.removeFromParent();
    this.grid?.object.geometry.dispose();
    this.grid = make_grid(this.box, this.up_, tint);
    this.grid.object.visible = this.grid_shown_;
  }

  set_grid(shown: boolean): void {
    this.grid_shown_ = shown;
    if (this.grid) this.grid.object.visible = shown;
    this.invalidate();
  }

  look_from(setting: CameraSetting | null): void {
    this.orbit.apply(setting ?? default_view);
    this.invalidate();
  }

  fit_canvas(width: number, height: number): void {
    this.width_ = Math.max(1, width);
    this.height_ = Math.max(1, height);
    if (!this.renderer) return;
    this.renderer.setSize(this.width_, this.height_, false);
    this.orbit.set_aspect(this.width_ / Math.max(1, this.panes.length) / this.height_);
    this.invalidate();
  }

  get size(): [number, number] {
    return [this.width_, this.height_];
  }

  invalidate(): void {
    if (this.pending_ === 0 && this.renderer) this.pending_ = requestAnimationFrame(() => this.draw());
  }

  // Not `whole`: of large models as much as the processor draws in time; the whole follows when nothing moves.
  draw(whole = false): void {
    if (this.pending_) cancelAnimationFrame(this.pending_);
    clearTimeout(this.resting_);
    this.pending_ = this.resting_ = 0;
    this.orbit.set_depth();
    const { camera, controls } = this.orbit;
    const pixel = this.pixel_size() * camera.position.distanceTo(controls.target);
    const coarse = this.panes.map(({ surface }) => {
      const wanted = !whole && surface.coarse_cell > 0 && surface.coarse_cell < max_coarse * pixel;
      surface.draw_coarse(wanted);
      return wanted;
    });
    if (coarse.includes(true)) this.resting_ = window.setTimeout(() => this.draw(true), rest_ms);
    const { renderer } = this;
    const width = this.width_ / Math.max(1, this.panes.length);
    renderer.setScissorTest(true);
    this.panes.forEach((pane, i) => {
      renderer.setViewport(i * width, 0, width, this.height_);
      renderer.setScissor(i * width, 0, width, this.height_);
      renderer.setClearColor(this.clear_);
      renderer.clear();
      this.size_handles(pane);
      set_camera(pane.look, this.orbit.camera);
      if (this.grid) pane.scene.add(this.grid.object); // moves from pane to pane
      renderer.render(pane.scene, this.orbit.camera);
    });
    this.onrender();
  }

  // Waits until the card has drawn; for measurements.
  finish(): void {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  point_at(event: { clientX: number; clientY: number }): PanePoint {
    const rect = this.canvas.getBoundingClientRect();
    const width = rect.width / Math.max(1, this.panes.length);
    const x = event.clientX - rect.left;
    const pane = Math.min(this.panes.length - 1, Math.max(0, Math.floor(x / width)));
    const y = (event.clientY - rect.top) / rect.height;
    return { pane, ndc: new Vector2((2 * (x - pane * width)) / width - 1, 1 - 2 * y) };
  }

  ray_at(ndc: Vector2): { origin: Vec3; direction: Vec3 } {
    const caster = new Raycaster();
    caster.setFromCamera(ndc, this.orbit.camera);
    return { origin: caster.ray.origin.toArray() as Vec3, direction: caster.ray.direction.toArray() as Vec3 };
  }

  // The point under the pointer on the plane through `through` that faces the camera.
  on_view_plane(ndc: Vector2, through: Vec3): Vec3 {
    const { origin, direction } = this.ray_at(ndc);
    const facing = this.orbit.camera.getWorldDirection(new Vector3());
    const o = new Vector3(...origin);
    const d = new Vector3(...direction);
    const t = new Vector3(...through).sub(o).dot(facing) / d.dot(facing);
    return o.addScaledVector(d, t).toArray() as Vec3;
  }

  // The handle of a pane within a few pixels of the pointer.
  handle_at(point: PanePoint): Handle | null {
    const [width, height] = [this.width_ / this.panes.length, this.height_];
    let best: Handle | null = null;
    let least = 14; // [CSS pixels]
    for (const handle of this.panes[point.pane]?.handles ?? []) {
      const at = handle.object.position.clone().project(this.orbit.camera);
      const away = Math.hypot(((at.x - point.ndc.x) * width) / 2, ((at.y - point.ndc.y) * height) / 2);
      if (away < least) [best, least] = [handle, away];
    }
    return best;
  }

  // Smooth edges cost a processor three times as much as rough ones, and small triangles hardly need them.
  private make_renderer(infos: PaneInfo[]): WebGLRenderer {
    const triangles = infos.flatMap(({ bodies }) => bodies).reduce((sum, body) => sum + body.triangles, 0);
    this.smooth = !(this.software_ && triangles > max_smooth);
    const made = new WebGLRenderer({ canvas: this.canvas, antialias: this.smooth, powerPreference: "high-performance" });
    made.autoClear = false;
    made.setPixelRatio(Math.min(2, window.devicePixelRatio));
    return made;
  }

  // At distance 1.
  private pixel_size(): number {
    return (2 * Math.tan((this.orbit.camera.fov * Math.PI) / 360)) / this.height_;
  }

  private size_handles(pane: StagePane): void {
    const { camera } = this.orbit;
    const pixel = this.pixel_size();
    for (const { object } of pane.handles) object.scale.setScalar(8 * pixel * camera.position.distanceTo(object.position));
  }
}

export function union(boxes: Box[]): Box {
  const lo: Vec3 = [Infinity, Infinity, Infinity];
  const hi: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const [a, b] of boxes)
    for (let k = 0; k < 3; ++k) {
      lo[k] = Math.min(lo[k]!, a[k]!);
      hi[k] = Math.max(hi[k]!, b[k]!);
    }
  return lo.every(Number.isFinite) && hi.every(Number.isFinite) ? [lo, hi] : [[-1, -1, -1], [1, 1, 1]];
}
