// The section of a live scene: the method, the inputs and the numbers that may be changed while it runs.
import { el, select } from "./dom";
import { InputInfo, NumberInfo, Vec3 } from "./messages";
import { Poses } from "./poses";
import { number_text } from "./ticks";
import { Viewer } from "./viewer";

interface SliderSpec {
  label: string;
  unit: string;
  doc: string;
  value: number;
  min: number;
  max: number;
  logarithmic: boolean;
  onvalue(value: number): void;
}

const steps = 1000;

// A slider and a field for the same number; the last value of a screen refresh is sent.
function make_slider(spec: SliderSpec): HTMLElement {
  const { min, max, logarithmic } = spec;
  const to_place = (value: number): number => {
    const part = logarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
    return Math.round(steps * Math.min(1, Math.max(0, part)));
  };
  const to_value = (place: number): number => {
    const part = place / steps;
    return logarithmic ? min * (max / min) ** part : min + part * (max - min);
  };
  let waiting: number | null = null;
  const tell = (value: number): void => {
    if (waiting === null)
      requestAnimationFrame(() => {
        spec.onvalue(waiting!);
        waiting = null;
      });
    waiting = value;
  };
  const name = spec.unit && spec.unit !== "1" ? `${spec.label} [${spec.unit}]` : spec.label;
  const slider: HTMLInputElement = el("input", {
    type: "range", min: 0, max: steps, step: 1, value: to_place(spec.value), "aria-label": `${name}, slider`,
    oninput: () => {
      const value = Number(to_value(Number(slider.value)).toPrecision(4));
      box.value = number_text(value);
      tell(value);
    },
  });
  const box: HTMLInputElement = el("input", {
    type: "number", step: "any", value: number_text(spec.value, 6), "aria-label": name,
    onchange: () => {
      const value = Number(box.value);
      const wrong = box.value === "" || !Number.isFinite(value);
      box.setAttribute("aria-invalid", String(wrong));
      if (wrong) return;
      slider.value = String(to_place(value));
      tell(value);
    },
  });
  return el("div", { class: "slider", title: spec.doc }, el("span", {}, name), slider, box);
}

// Bounds that are not given are set around the value.
function bounds(value: number, min: number | null, max: number | null): { min: number; max: number; logarithmic: boolean } {
  if (min !== null && max !== null && max > min)
    return { min, max, logarithmic: min > 0 && max / min >= 1000 };
  if (value > 0) {
    const lo = Math.max(min ?? 0, value / 10);
    return { min: lo, max: Math.min(max ?? Infinity, value * 10), logarithmic: lo > 0 };
  }
  const room = Math.max(1, 2 * Math.abs(value));
  return { min: min ?? value - room, max: max ?? value + room, logarithmic: false };
}

function number_slider(viewer: Viewer, { path, value, unit, min, max, doc }: NumberInfo, label: string): HTMLElement {
  return make_slider({
    label, unit, doc, value, ...bounds(value, min, max),
    onvalue: (now) => viewer.send({ do: "set", path, value: now }),
  });
}

const few_numbers = 6;

// Many numbers are put into groups by what they belong to: a body, the method, ...
function number_groups(viewer: Viewer, numbers: NumberInfo[]): HTMLElement[] {
  if (numbers.length <= few_numbers) return numbers.map((number) => number_slider(viewer, number, number.path));
  const groups = new Map<string, HTMLElement[]>();
  for (const number of numbers) {
    const words = number.path.split(".");
    const depth = words[0] === "bodies" ? 2 : 1;
    const name = words.slice(0, depth).join(".");
    groups.set(name, [...(groups.get(name) ?? []), number_slider(viewer, number, words.slice(depth).join(".") || name)]);
  }
  return [...groups].map(([name, sliders]) => group(name, sliders));
}

function group(name: string, contents: HTMLElement[]): HTMLElement {
  return el("details", { class: "group" }, el("summary", {}, name), ...contents);
}

function input_sliders(viewer: Viewer, { name, width, value }: InputInfo): HTMLElement[] {
  const now = [...value];
  return now.map((start, i) =>
    make_slider({
      label: width > 1 ? `${name} ${"xyz"[i] ?? i}` : name, unit: "", doc: "", value: start, ...bounds(start, null, null),
      onvalue: (number) => {
        now[i] = number;
        viewer.send({ do: "input", name, value: now });
      },
    }),
  );
}

function pose_sliders(viewer: Viewer, poses: Poses, { name }: InputInfo): HTMLElement[] {
  const state = poses.states.get(name)!;
  const room = viewer.stage.orbit.diagonal();
  const ways = ["x", "y", "z"].map((axis, k) =>
    make_slider({
      label: `move ${axis}`, unit: "m", doc: `${name}: way along ${axis}`, value: state.translate[k]!,
      min: state.translate[k]! - room, max: state.translate[k]! + room, logarithmic: false,
      onvalue: (now) => {
        state.translate[k] = now;
        poses.tell(name);
      },
    }),
  );
  const turn = make_slider({
    label: "turn", unit: "degrees", doc: `${name}: angle about the axis`, value: state.degrees, min: -360, max: 360, logarithmic: false,
    onvalue: (now) => {
      state.degrees = now;
      poses.tell(name);
    },
  });
  const axes: Record<string, Vec3> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
  const own = Object.keys(axes).find((axis) => axes[axis]!.every((v, k) => Math.abs(v - state.axis[k]!) < 1e-6));
  const options: [string, string][] = Object.keys(axes).map((axis) => [axis, `about ${axis}`]);
  if (!own) options.push(["own", `about ${state.axis.map((v) => number_text(v, 2)).join(" ")}`]);
  const about = select(`${name}: axis of the turn`, options, own ?? "own", (axis) => {
    state.axis = axes[axis] ?? state.axis;
    poses.tell(name);
  });
  return [...ways, turn, about];
}

export function make_scene_section(viewer: Viewer, poses: Poses): HTMLElement {
  const rows = el("div", { class: "rows" });
  const build = (): void => {
    rows.replaceChildren();
    const scene = viewer.hello_?.scene;
    if (!scene) return;
    const methods = scene.methods.map((name) => [name, name] as const);
    const method = select("Method", methods, scene.method, (name) => viewer.send({ do: "method", name }));
    rows.append(el("label", { class: "slider" }, el("span", {}, "Method"), method));
    for (const input of scene.inputs) {
      if (input.kind === "number") rows.append(...input_sliders(viewer, input));
      else rows.append(group(input.name, pose_sliders(viewer, poses, input)));
    }
    rows.append(...number_groups(viewer, scene.numbers));
  };
  viewer.on("hello", build);
  viewer.on("state", () => {
    if (!rows.contains(document.activeElement)) build(); // not under the reader's hand
  });
  return rows;
}
