// The pointer on the canvas: a click picks; in a live scene, dragging with Shift or the grab tool pulls a vertex,
// and dragging the handle of an attachment moves its pose. Everything else is the camera's.
import { Handle } from "./marks";
import { mark_blue } from "./colours";
import { Vec3 } from "./messages";
import { cast_ray, Pick } from "./pick";
import { Poses } from "./poses";
import { PanePoint } from "./stage";
import { Viewer } from "./viewer";

const click_distance = 4; // [CSS pixels]

interface Drag {
  pane: number;
  through: Vec3; // a point of the plane that the pointer moves in
  vertex: number | null; // grabbed
  handle: Handle | null;
  offset: Vec3; // from the pointer to the handle
  waiting: Vec3 | null; // not yet sent
}

export class Pointer {
  grab_tool = false;
  private drag_: Drag | null = null;
  private down_: { x: number; y: number } | null = null;

  constructor(
    private readonly viewer_: Viewer,
    private readonly poses_: Poses,
    surround: HTMLElement,
  ) {
    const { canvas } = viewer_.stage;
    surround.addEventListener("pointerdown", (event) => event.target === canvas && this.press(event), true);
    surround.addEventListener("pointermove", (event) => this.move(event), true);
    surround.addEventListener("pointerup", (event) => this.release(event), true);
    surround.addEventListener("pointercancel", () => this.end(), true);
    viewer_.on("hello", () => this.make_handles());
    viewer_.on("state", () => this.place_handles());
    viewer_.on("released", () => this.drag_?.vertex !== null && this.drop()); // the scene took the hand away
    viewer_.on("frame", () => {
      this.place_handles();
      this.place_line();
    });
  }

  private get live(): boolean {
    return this.viewer_.hello_?.live === true;
  }

  private make_handles(): void {
    const inputs = this.viewer_.hello_!.scene?.inputs ?? [];
    const pane = this.viewer_.stage.panes[0];
    for (const { name, kind } of inputs) {
      if (kind !== "pose" || !pane) continue;
      const handle = new Handle(name, mark_blue);
      pane.handles.push(handle);
      pane.scene.add(handle.object);
    }
    this.place_handles();
  }

  private place_handles(): void {
    for (const { name, object } of this.viewer_.stage.panes[0]?.handles ?? []) {
      if (name === this.poses_.held) continue;
      const about = this.poses_.about(name);
      const { translate } = this.poses_.states.get(name) ?? { translate: [0, 0, 0] as Vec3 };
      object.position.set(about[0] + translate[0], about[1] + translate[1], about[2] + translate[2]);
    }
    this.viewer_.stage.invalidate();
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.down_ = { x: event.clientX, y: event.clientY };
    if (!this.live) return;
    const { stage } = this.viewer_;
    const point = stage.point_at(event);
    const handle = stage.handle_at(point);
    if (handle) {
      const through = handle.object.position.toArray() as Vec3;
      const at = stage.on_view_plane(point.ndc, through);
      this.begin(event, { pane: point.pane, through, vertex: null, handle, offset: minus(through, at), waiting: null });
    } else if (this.grab_tool || event.shiftKey) {
      const pick = this.pick_at(point);
      const frame = pick && this.viewer_.shown[pick.pane];
      if (!frame) return;
      const through = [...frame.positions.subarray(3 * pick.vertex, 3 * pick.vertex + 3)] as Vec3;
      this.begin(event, { pane: pick.pane, through, vertex: pick.vertex, handle: null, offset: [0, 0, 0], waiting: null });
      this.viewer_.send({ do: "grab", node: frame.topology.nodes[pick.vertex]!, to: through });
    }
  }

  private begin(event: PointerEvent, drag: Drag): void {
    event.stopPropagation(); // not the camera's
    this.viewer_.stage.canvas.setPointerCapture(event.pointerId);
    this.viewer_.stage.canvas.classList.add("dragging");
    this.drag_ = drag;
    this.poses_.held = drag.handle?.name ?? null;
  }

  private move(event: PointerEvent): void {
    const { stage } = this.viewer_;
    const drag = this.drag_;
    if (!drag) {
      if (this.live && event.buttons === 0)
        stage.canvas.classList.toggle("over-handle", stage.handle_at(stage.point_at(event)) !== null);
      return;
    }
    event.stopPropagation();
    const to = plus(stage.on_view_plane(stage.point_at(event).ndc, drag.through), drag.offset);
    if (drag.waiting === null) requestAnimationFrame(() => this.tell(drag));
    drag.waiting = to;
    drag.handle?.object.position.set(...to);
    this.place_line();
    stage.invalidate();
  }

  // At most one message per screen refresh.
  private tell(drag: Drag): void {
    const to = drag.waiting;
    drag.waiting = null;
    if (!to || this.drag_ !== drag) return;
    if (drag.vertex !== null) {
      this.viewer_.send({ do: "move", to });
    } else {
      const name = drag.handle!.name;
      this.poses_.states.get(name)!.translate = minus(to, this.poses_.about(name));
      this.poses_.tell(name);
    }
    drag.through = to;
    this.place_line();
  }

  private release(event: PointerEvent): void {
    const down = this.down_;
    this.down_ = null;
    if (this.drag_) {
      event.stopPropagation();
      this.tell(this.drag_);
      this.end();
    } else if (down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < click_distance) {
      this.viewer_.set_pick(this.pick_at(this.viewer_.stage.point_at(event)));
    }
  }

  private end(): void {
    if (this.drag_?.vertex !== null && this.drag_) this.viewer_.send({ do: "release" });
    this.drop();
  }

  private drop(): void {
    this.drag_ = null;
    this.poses_.held = null;
    this.viewer_.stage.canvas.classList.remove("dragging");
    this.place_line();
  }

  private pick_at({ pane, ndc }: PanePoint): Pick | null {
    const { stage, shown, settings, link } = this.viewer_;
    const frame = shown[pane];
    if (!frame) return null;
    const { origin, direction } = stage.ray_at(ndc);
    const { surface } = stage.panes[pane]!;
    return cast_ray(frame, origin, direction, (body) => surface.is_hidden(body), link?.local ? settings.clip : null);
  }

  // From the grabbed vertex to the pointer.
  private place_line(): void {
    const pane = this.viewer_.stage.panes[this.drag_?.pane ?? 0];
    if (!pane) return;
    const drag = this.drag_;
    const frame = drag && this.viewer_.shown[drag.pane];
    pane.grab_line.visible = drag !== null && drag.vertex !== null && !!frame;
    if (!pane.grab_line.visible) return this.viewer_.stage.invalidate();
    const points = pane.grab_line.geometry.attributes.position!;
    (points.array as Float32Array).set(frame!.positions.subarray(3 * drag!.vertex!, 3 * drag!.vertex! + 3));
    (points.array as Float32Array).set(drag!.waiting ?? drag!.through, 3);
    points.needsUpdate = true;
  }
}

const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
