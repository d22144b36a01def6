// The clip plane: its axis, its place along the axis, and which side is kept.
import { checkbox, el, select, tool } from "./dom";
import { Plane, Vec3 } from "./messages";
import { Viewer } from "./viewer";

type Axis = "x" | "y" | "z" | "view" | "other";

const normals: Record<"x" | "y" | "z", Vec3> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
const dot = (a: readonly number[], b: readonly number[]): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

// What the box spans along a direction.
export function extent(box: [Vec3, Vec3], normal: Vec3): [number, number] {
  let [lo, hi] = [0, 0];
  for (let k = 0; k < 3; ++k) {
    const [a, b] = [normal[k]! * box[0][k]!, normal[k]! * box[1][k]!];
    lo += Math.min(a, b);
    hi += Math.max(a, b);
  }
  return [lo, hi];
}

export function axis_of(plane: Plane): Axis {
  for (const [axis, normal] of Object.entries(normals))
    if (Math.abs(dot(plane, normal)) > 0.9999 * Math.hypot(plane[0], plane[1], plane[2])) return axis as Axis;
  return "other";
}

export function make_clip(viewer: Viewer): HTMLElement {
  let kept: Plane | null = null; // when switched off
  const steps = 200;
  const on = checkbox("Clip plane", false, (checked) => toggle(checked));
  const slider = el("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": "Place of the clip plane", oninput: () => move() });
  const flip = tool("loop", "Keep the other side", () => turn());
  const choice = select("Axis of the clip plane", axes(["x", "y", "z", "view"]), "x", (axis) => set_axis(axis as Axis));
  const row = el("div", { class: "pair" }, choice, slider, flip);

  function axes(names: Axis[]): [string, string][] {
    const labels: Record<Axis, string> = { x: "x", y: "y", z: "z", view: "from here", other: "other" };
    return names.map((name) => [name, labels[name]]);
  }
  const through_middle = (normal: Vec3): Plane => {
    const [lo, hi] = extent(viewer.stage.box, normal);
    return [...normal, 0.5 * (lo + hi)];
  };
  const toggle = (checked: boolean): void => {
    if (!checked) kept = viewer.settings.clip;
    viewer.set({ clip: checked ? (kept ?? through_middle(normals.x)) : null });
  };
  const move = (): void => {
    const plane = viewer.settings.clip;
    if (!plane) return;
    const normal: Vec3 = [plane[0], plane[1], plane[2]];
    const [lo, hi] = extent(viewer.stage.box, normal);
    viewer.set({ clip: [...normal, lo + (Number(slider.value) / steps) * (hi - lo)] });
  };
  const turn = (): void => {
    const plane = viewer.settings.clip;
    if (plane) viewer.set({ clip: plane.map((n) => (n === 0 ? 0 : -n)) as Plane });
  };
  const set_axis = (axis: Axis): void => {
    if (axis === "other") return;
    if (axis !== "view") return viewer.set({ clip: through_middle(normals[axis]) });
    const arm = viewer.stage.orbit.camera.position.clone().sub(viewer.stage.orbit.controls.target).normalize();
    viewer.set({ clip: through_middle(arm.toArray().map((n) => Number(n.toFixed(3))) as Vec3) });
  };
  const follow = (): void => {
    const plane = viewer.settings.clip;
    on.box.checked = plane !== null;
    on.row.title = viewer.link?.local
      ? "Keyboard: c. This page holds the surface alone: the cut shows its inside."
      : "Keyboard: c. Shows the tets on the kept side.";
    row.hidden = plane === null;
    if (!plane) return;
    const axis = axis_of(plane);
    if (axis === "other" && choice.options.length < 5) choice.append(el("option", { value: "other" }, "other"));
    choice.value = axis;
    const [lo, hi] = extent(viewer.stage.box, [plane[0], plane[1], plane[2]]);
    const place = String(Math.round((steps * (plane[3] - lo)) / (hi - lo || 1)));
    if (slider.value !== place) slider.value = place;
  };
  viewer.on("settings", follow);
  viewer.on("hello", follow);
  return el("div", { class: "rows", id: "clip" }, on.row, row);
}
