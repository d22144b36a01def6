// The section of a live scene: the method, the inputs and the numbers that may be changed while it runs.
import { el, select } from "./dom";
import { InputInfo, NumberInfo, SceneInfo, Vec3 } from "./messages";
import { PoseState, Poses } from "./poses";
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

interface Slider {
  element: HTMLElement;
  show(value: number): void; // unless the reader is at it
}

const steps = 1000;
const own_ms = 500; // after the reader's last move; what comes from the server is then older

// A slider and a field for the same number; the last value of a screen refresh is sent.
function make_slider(spec: SliderSpec): Slider {
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
  let shown = spec.value;
  let moved_at = -Infinity; // [ms]
  let held = false;
  const tell = (value: number): void => {
    shown = value;
    moved_at = performance.now();
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
    onpointerdown: () => (held = true),
    onpointerup: () => (held = false),
    onpointercancel: () => (held = false),
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
  const show = (value: number): void => {
    if (value === shown || held || document.activeElement === box || performance.now() - moved_at < own_ms) return;
    shown = value;
    slider.value = String(to_place(value));
    box.value = number_text(value, 6);
  };
  return { element: el("div", { class: "slider", title: spec.doc }, el("span", {}, name), slider, box), show };
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

// What the section shows of the scene, and what follows when the scene is changed elsewhere.
class Contents {
  readonly rows: HTMLElement[] = [];
  readonly at_frames: (() => void)[] = []; // inputs, which frames carry
  readonly at_edits: (() => void)[] = [];

  constructor(
    private readonly viewer_: Viewer,
    private readonly poses_: Poses,
    scene: SceneInfo,
  ) {
    const methods = scene.methods.map((name) => [name, name] as const);
    const method = select("Method", methods, scene.method, (name) => viewer_.send({ do: "method", name }));
    this.at_edits.push(() => (method.value = this.scene.method));
    this.rows.push(el("label", { class: "slider" }, el("span", {}, "Method"), method));
    for (const input of scene.inputs) {
      if (input.kind === "number") this.rows.push(...this.input_sliders(input));
      else this.rows.push(group(input.name, this.pose_sliders(input)));
    }
    this.rows.push(...this.number_groups(scene.numbers));
  }

  private get scene(): SceneInfo {
    return this.viewer_.hello_!.scene!;
  }

  private slider(spec: SliderSpec, followers: (() => void)[], now: () => number | undefined): HTMLElement {
    const { element, show } = make_slider(spec);
    followers.push(() => show(now() ?? spec.value));
    return element;
  }

  // Many numbers are put into groups by what they belong to: a body, the method, ...
  private number_groups(numbers: NumberInfo[]): HTMLElement[] {
    if (numbers.length <= few_numbers) return numbers.map((number) => this.number_slider(number, number.path));
    const groups = new Map<string, HTMLElement[]>();
    for (const number of numbers) {
      const words = number.path.split(".");
      const depth = words[0] === "bodies" ? 2 : 1;
      const name = words.slice(0, depth).join(".");
      groups.set(name, [...(groups.get(name) ?? []), this.number_slider(number, words.slice(depth).join(".") || name)]);
    }
    return [...groups].map(([name, sliders]) => group(name, sliders));
  }

  private number_slider({ path, value, unit, min, max, doc }: NumberInfo, label: string): HTMLElement {
    const onvalue = (now: number): void => this.viewer_.send({ do: "set", path, value: now });
    const spec = { label, unit, doc, value, ...bounds(value, min, max), onvalue };
    return this.slider(spec, this.at_edits, () => this.scene.numbers.find((number) => number.path === path)?.value);
  }

  private input_sliders({ name, width, value }: InputInfo): HTMLElement[] {
    const now = [...value];
    this.at_frames.push(() => (this.viewer_.shown[0]?.inputs[name] ?? []).forEach((number, i) => (now[i] = number)));
    return value.map((start, i) => {
      const label = width > 1 ? `${name} ${"xyz"[i] ?? i}` : name;
      const onvalue = (number: number): void => {
        now[i] = number;
        this.viewer_.send({ do: "input", name, value: now });
      };
      return this.slider({ label, unit: "", doc: "", value: start, ...bounds(start, null, null), onvalue }, this.at_frames, () => now[i]);
    });
  }

  private pose_sliders({ name }: InputInfo): HTMLElement[] {
    const state = (): PoseState => this.poses_.states.get(name)!;
    const room = this.viewer_.stage.orbit.diagonal();
    const ways = ["x", "y", "z"].map((axis, k) => {
      const value = state().translate[k]!;
      const onvalue = (now: number): void => {
        state().translate[k] = now;
        this.poses_.tell(name);
      };
      const spec = { label: `move ${axis}`, unit: "m", doc: `${name}: way along ${axis}`, value, min: value - room, max: value + room, logarithmic: false, onvalue };
      return this.slider(spec, this.at_frames, () => state().translate[k]);
    });
    const onturn = (now: number): void => {
      state().degrees = now;
      this.poses_.tell(name);
    };
    const spec = { label: "turn", unit: "degrees", doc: `${name}: angle about the axis`, value: state().degrees, min: -360, max: 360, logarithmic: false, onvalue: onturn };
    const turn = this.slider(spec, this.at_frames, () => state().degrees);
    const about = select(`${name}: axis of the turn`, Object.keys(axes).map((axis) => [axis, `about ${axis}`]), "z", (axis) => {
      state().axis = axes[axis] ?? state().axis;
      this.poses_.tell(name);
    });
    const own = el("option", { value: "own" });
    const follow = (): void => {
      const { axis } = state();
      const found = Object.keys(axes).find((other) => axes[other]!.every((v, k) => Math.abs(v - axis[k]!) < 1e-6));
      if (found) own.remove();
      else about.append(own);
      own.textContent = `about ${axis.map((v) => number_text(v, 2)).join(" ")}`;
      about.value = found ?? "own";
    };
    follow();
    this.at_frames.push(follow);
    return [...ways, turn, about];
  }
}

const few_numbers = 6;
const axes: Record<string, Vec3> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

function group(name: string, contents: HTMLElement[]): HTMLElement {
  return el("details", { class: "group" }, el("summary", {}, name), ...contents);
}

export function make_scene_section(viewer: Viewer, poses: Poses): HTMLElement {
  const rows = el("div", { class: "rows" });
  let contents: Contents | null = null;
  let key = ""; // what there are controls for
  const build = (): void => {
    const scene = viewer.hello_?.scene;
    key = scene ? key_of(scene) : "";
    contents = scene ? new Contents(viewer, poses, scene) : null;
    rows.replaceChildren(...(contents?.rows ?? []));
  };
  viewer.on("hello", build);
  viewer.on("state", () => {
    const scene = viewer.hello_?.scene;
    if (!scene) return;
    if (key_of(scene) !== key) build();
    else for (const follow of [...contents!.at_frames, ...contents!.at_edits]) follow();
  });
  viewer.on("frame", () => contents?.at_frames.forEach((follow) => follow()));
  return rows;
}

const key_of = ({ methods, inputs, numbers }: SceneInfo): string =>
  JSON.stringify([methods, inputs.map(({ name }) => name), numbers.map(({ path }) => path)]);
