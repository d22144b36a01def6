// The state of the page and what changes it: where frames come from, what is shown of them and how. Parts of
// the user interface call its methods and listen to its topics; none of them knows another.
//
//     viewer.on("settings", () => ...);  viewer.set({ style: "wire" });
import { scale_for, Scale } from "./colours";
import { Link, LinkEvents } from "./connection";
import { Box, Colliders, FieldInfo, Frame, Hello, Json, Plane, SceneInfo, StatsLine, Topology } from "./messages";
import { Pick, picked_point } from "./pick";
import { Replay } from "./replay";
import { CameraSetting, default_settings, format_camera, parse_settings, Theme, ViewSettings } from "./settings";
import { set_scale } from "./shading";
import { Stage, union } from "./stage";
import { default_view } from "./orbit";

export type Topic = "hello" | "settings" | "frame" | "play" | "state" | "pick" | "frames" | "residual" | "released";

export interface Timings {
  decode: number; // [ms] of the last frame
  fill: number;
  draw: number;
  total: number;
  history: number[]; // totals of the last frames
  wait_for_card: boolean; // draw then includes the card's own time
}

const history_length = 600;

export class Viewer implements LinkEvents {
  hello_: Hello | null = null;
  link: Link | null = null;
  settings: ViewSettings = default_settings();
  shown: (Frame | null)[] = []; // of each pane
  stats: Map<number, StatsLine>[] = []; // of each pane, by frame
  scale: Scale | null = null; // of the colours; null: no field
  live_playing = false;
  pick: Pick | null = null;
  iteration: { iteration: number; relative: number } | null = null;
  onerror: (text: string) => void = () => {};
  onnote: (text: string) => void = () => {};
  onlost: (reason: string) => void = () => {};
  onfatal: (text: string) => void = () => {};
  oncapture: (message: Json) => void = () => {};
  readonly timings: Timings = { decode: 0, fill: 0, draw: 0, total: 0, history: [], wait_for_card: false };
  readonly replay: Replay;
  readonly stage: Stage;
  private readonly listeners_ = new Map<Topic, (() => void)[]>();
  private run_ranges_ = new Map<string, [number, number]>(); // of values seen, by field and component

  constructor(canvas: HTMLCanvasElement, software: boolean) {
    this.stage = new Stage(canvas, software, () => this.camera_moved());
    this.replay = new Replay({
      request: (pane, index) => this.link?.send({ do: "frame", pane, index }),
      show: (frames) => this.show(frames),
      changed: () => this.emit("play"),
    });
  }

  on(topic: Topic, listener: () => void): void {
    this.listeners_.set(topic, [...(this.listeners_.get(topic) ?? []), listener]);
  }

  emit(topic: Topic): void {
    for (const listener of this.listeners_.get(topic) ?? []) listener();
  }

  // ---- from the link ----

  hello(hello: Hello): void {
    this.hello_ = hello;
    this.shown = hello.panes.map(() => null);
    this.stats = hello.panes.map(({ stats }) => new Map((stats ?? []).map((line, i) => [line.frame ?? i, line])));
    this.run_ranges_.clear();
    this.pick = null;
    this.live_playing = hello.playing === true;
    if (hello.settings) this.begin_with(hello.settings);
    this.keep_known_settings();
    this.stage.set_panes(hello.panes, this.settings.up);
    this.stage.look_from(this.settings.camera);
    this.replay.set_panes(hello.live ? [] : hello.panes);
    if (this.settings.frame !== null) this.replay.wanted = this.replay.position_of(this.settings.frame);
    this.apply_look();
    this.emit("hello");
    this.replay.refresh(() => {
      this.tell_field();
      this.tell_clip();
    });
    this.link?.send({ do: "ready" });
  }

  topology(_topology: Topology): void {}

  colliders(colliders: Colliders): void {
    this.stage.panes[colliders.pane]?.glass.set(colliders);
    this.stage.invalidate();
  }

  frame(frame: Frame): void {
    if (frame.field) this.note_range(frame);
    if (frame.line) this.stats[frame.pane]?.set(frame.line.frame ?? frame.index, frame.line);
    if (this.hello_?.live || this.replay.line.length === 0) this.show([frame]);
    else this.replay.receive(frame);
  }

  text(message: Json): void {
    if (message.say === "note") this.onnote(String(message.text));
    else if (message.say === "capture") this.oncapture(message);
    else if (message.say === "state") {
      if (typeof message.playing === "boolean") this.live_playing = message.playing;
      if (this.hello_ && message.scene) this.hello_.scene = message.scene as SceneInfo;
      if (message.reset === true) for (const stats of this.stats) stats.clear();
      if (message.released === true) this.emit("released");
      this.emit("state");
    } else if (message.say === "box") {
      this.set_box(Number(message.pane ?? 0), message.box as Box);
    } else if (message.say === "residual") {
      this.iteration = { iteration: Number(message.iteration), relative: Number(message.relative) };
      this.emit("residual");
    } else if (message.say === "grow") {
      this.grow(Number(message.pane ?? 0), message);
    }
  }

  error(text: string): void {
    this.replay.fail();
    this.onerror(text);
  }

  lost(reason: string): void {
    this.replay.set_playing(false);
    this.onlost(reason);
  }

  fatal(text: string): void {
    this.onfatal(text);
  }

  // ---- what the reader does ----

  set(change: Partial<ViewSettings>): void {
    const before = this.settings;
    this.settings = { ...before, ...change };
    const differs = (key: keyof ViewSettings) => key in change && JSON.stringify(before[key]) !== JSON.stringify(change[key]);
    const clip = differs("clip");
    const over_run = differs("range") && (before.range.kind === "run") !== (this.settings.range.kind === "run");
    if ((clip && !this.link?.local) || differs("field") || differs("component") || over_run)
      this.replay.refresh(() => {
        this.tell_field();
        this.tell_clip();
      });
    this.apply_look();
    this.emit("settings");
  }

  set_up(up: "y" | "z"): void {
    if (up === this.settings.up) return;
    this.stage.set_up(up);
    this.set({ up });
  }

  look_from(camera: CameraSetting | null): void {
    this.stage.look_from(camera);
    this.set({ camera });
  }

  // Everything that is visible now, in the middle.
  fit(): void {
    this.stage.orbit.fit_to(this.box_now());
    this.set({ camera: this.stage.orbit.setting() });
  }

  send(message: Json): void {
    this.link?.send(message);
  }

  toggle_play(): void {
    if (this.hello_?.live) this.send({ do: this.live_playing ? "pause" : "play" });
    else this.replay.set_playing(!this.replay.playing);
  }

  set_pick(pick: Pick | null): void {
    this.pick = pick;
    this.place_pick();
    this.emit("pick");
  }

  get theme(): Theme {
    return this.settings.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  }

  get fields(): FieldInfo[] {
    const names = new Map<string, FieldInfo>();
    for (const { fields } of this.hello_?.panes ?? []) for (const field of fields) names.set(field.name, field);
    return [...names.values()];
  }

  // The field of a pane, or null where it has none of that name.
  field_of(pane: number): FieldInfo | null {
    const { field } = this.settings;
    return this.hello_?.panes[pane]?.fields.find(({ name }) => name === field) ?? null;
  }

  // All panes show what the settings ask for.
  settled(): boolean {
    const one = this.replay.line.length === 0; // a live scene, or a mesh
    return one ? this.shown.length > 0 && this.shown.every((frame) => frame !== null) : this.replay.settled();
  }

  apply_look(): void {
    document.documentElement.dataset.theme = this.theme;
    this.stage.set_theme(this.theme);
    this.stage.panes.forEach(({ surface, glass }, pane) => {
      surface.set_style(this.settings.style);
      const { bodies, colliders } = this.hello_!.panes[pane]!;
      bodies.forEach(({ name }, body) => surface.set_hidden(body, this.settings.hide.includes(name)));
      colliders?.forEach(({ name }, i) => glass.set_hidden(i, this.settings.hide.includes(name)));
      surface.set_plane(this.link?.local ? this.settings.clip : null);
    });
    this.apply_marks();
    this.apply_scale();
    this.stage.invalidate();
  }

  draw(whole = false): void {
    const begun = performance.now();
    this.stage.draw(whole);
    if (this.timings.wait_for_card) this.stage.finish();
    this.timings.draw = performance.now() - begun;
  }

  // ---- inside ----

  private camera_moved(): void {
    const camera = this.stage.orbit.setting();
    if (format_camera(camera) !== format_camera(this.settings.camera ?? default_view)) this.set({ camera });
  }

  private show(frames: Frame[]): void {
    const begun = performance.now();
    let decode = 0;
    for (const frame of frames) {
      const pane = this.stage.panes[frame.pane];
      if (!pane) continue;
      decode += frame.decode_ms;
      frame.decode_ms = 0;
      if (this.shown[frame.pane]?.topology !== frame.topology && this.pick?.pane === frame.pane) this.pick = null;
      this.shown[frame.pane] = frame;
      pane.surface.show(frame);
      pane.glass.show(frame.collider_poses);
    }
    const playing = frames[0]?.playing ?? false;
    const changed = this.hello_?.live === true && playing !== this.live_playing;
    if (changed) this.live_playing = playing;
    this.apply_marks();
    this.apply_scale();
    this.place_pick();
    if (changed) this.emit("play");
    this.emit("frame");
    const fill = performance.now() - begun;
    this.draw();
    const total = decode + fill + this.timings.draw;
    Object.assign(this.timings, { decode, fill, total });
    this.timings.history.push(total);
    if (this.timings.history.length > history_length) this.timings.history.shift();
    if (this.hello_?.live) requestAnimationFrame(() => this.send({ do: "ready" }));
  }

  private note_range(frame: Frame): void {
    const { name, component, min, max } = frame.field!;
    if (min === null || max === null) return;
    const key = `${name}/${component}`;
    const [lo, hi] = this.run_ranges_.get(key) ?? [Infinity, -Infinity];
    this.run_ranges_.set(key, [Math.min(lo, min), Math.max(hi, max)]);
  }

  // One range for all panes, so that their colours can be compared.
  private apply_scale(): void {
    const fields = this.shown.flatMap((frame) => (frame?.field ? [frame.field] : []));
    if (fields.length === 0) {
      this.scale = null;
      return;
    }
    let lo = Infinity;
    let hi = -Infinity;
    const { range } = this.settings;
    if (range.kind === "fixed") [lo, hi] = [range.lo, range.hi];
    else
      for (const { name, component, min, max } of fields) {
        const [a, b] = (range.kind === "run" && this.run_ranges_.get(`${name}/${component}`)) || [min, max];
        if (a !== null) lo = Math.min(lo, a);
        if (b !== null) hi = Math.max(hi, b);
      }
    this.scale = scale_for(lo, hi);
    for (const { look } of this.stage.panes) set_scale(look, this.scale);
  }

  private apply_marks(): void {
    const { marks } = this.settings;
    this.shown.forEach((frame, pane) => {
      if (frame) this.stage.panes[pane]!.marks.show(frame, marks.includes("contacts"), marks.includes("constraints"));
    });
  }

  private place_pick(): void {
    this.stage.panes.forEach(({ marks }, pane) => {
      const frame = this.shown[pane];
      const here = this.pick?.pane === pane && frame;
      marks.set_picked(here ? picked_point(this.pick!, frame) : null, this.theme === "dark" ? [255, 255, 255] : [0, 0, 0]);
    });
    this.stage.invalidate();
  }

  // What the address does not say, an exported page knows.
  private begin_with(own: Record<string, string>): void {
    const query = new URLSearchParams(location.search);
    this.settings = parse_settings((key) => query.get(key) ?? own[key] ?? null).settings;
  }

  private keep_known_settings(): void {
    const { field, component } = this.settings;
    const info = this.fields.find(({ name }) => name === field);
    if (field !== null && !info) {
      this.onerror(`There is no field "${field}"; known are ${this.fields.map(({ name }) => name).join(", ")}.`);
      this.settings = { ...this.settings, field: null, component: null };
    } else if (info && component !== null && !info.components.includes(component)) {
      this.onerror(`Field ${info.name} has no component "${component}".`);
      this.settings = { ...this.settings, component: null };
    }
  }

  private tell_field(): void {
    const range = this.settings.range.kind === "run" ? "run" : "frame";
    this.hello_!.panes.forEach((_, pane) => {
      const info = this.field_of(pane);
      const component = this.settings.component ?? info?.components[0] ?? null;
      this.send({ do: "show", pane, field: info?.name ?? null, component, range });
    });
  }

  private tell_clip(): void {
    const plane: Plane | null = this.settings.clip;
    this.hello_!.panes.forEach((_, pane) => this.send({ do: "clip", pane, plane }));
  }

  private grow(pane: number, message: Json): void {
    const info = this.hello_?.panes[pane];
    if (!info) return;
    const known = new Set(info.frames.map(({ index }) => index));
    info.frames.push(...((message.frames ?? []) as typeof info.frames).filter(({ index }) => !known.has(index)));
    for (const line of (message.stats ?? []) as StatsLine[]) this.stats[pane]!.set(line.frame ?? 0, line);
    this.replay.extend(this.hello_!.panes);
    this.emit("frames");
  }

  // There is more to see than before: the camera stays where it is, and its numbers become those for the new box.
  private set_box(pane: number, box: Box): void {
    const panes = this.hello_?.panes;
    if (!panes?.[pane]) return;
    panes[pane]!.box = box;
    this.stage.set_box(union(panes.map((info) => info.box)));
    if (this.settings.camera) this.set({ camera: this.stage.orbit.setting() });
  }

  private box_now(): Box {
    const boxes: Box[] = [];
    this.shown.forEach((frame, pane) => {
      if (!frame) return;
      const { body, triangles } = frame.topology;
      const box: Box = [
        [Infinity, Infinity, Infinity],
        [-Infinity, -Infinity, -Infinity],
      ];
      for (let i = 0; i < triangles.length; ++i) {
        if (this.stage.panes[pane]!.surface.is_hidden(body[Math.floor(i / 3)]!)) continue;
        for (let k = 0; k < 3; ++k) {
          const x = frame.positions[3 * triangles[i]! + k]!;
          box[0][k] = Math.min(box[0][k]!, x);
          box[1][k] = Math.max(box[1][k]!, x);
        }
      }
      boxes.push(box);
    });
    return union(boxes);
  }
}
