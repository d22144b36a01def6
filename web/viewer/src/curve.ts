// A small curve of a statistic over the frames, one line a pane, with the shown frame marked.
import { svg } from "./dom";
import { number_text, tick_texts, ticks } from "./ticks";

export interface CurvePoint {
  frame: number;
  value: number;
}

const width = 260;
const height = 92;
const left = 40;
const bottom = 16;
const top = 6;
const right = 4;

export class Curve {
  readonly element: SVGElement;
  onframe: (frame: number) => void = () => {};
  private readonly marker_ = svg("line", { class: "curve-marker", y1: top, y2: height - bottom });
  private first_ = 0;
  private last_ = 1;

  constructor() {
    this.element = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img" });
    this.element.addEventListener("click", (event) => {
      const rect = this.element.getBoundingClientRect();
      const x = (((event as MouseEvent).clientX - rect.left) / rect.width) * width;
      const part = Math.min(1, Math.max(0, (x - left) / (width - left - right)));
      this.onframe(Math.round(this.first_ + part * (this.last_ - this.first_)));
    });
  }

  draw(label: string, lines: CurvePoint[][], logarithmic: boolean): void {
    const usable = lines.map((line) =>
      line.filter(({ value }) => Number.isFinite(value) && (!logarithmic || value > 0)),
    );
    const all = usable.flat();
    this.element.replaceChildren();
    if (all.length === 0) {
      this.element.append(svg("text", { x: width / 2, y: height / 2, class: "curve-empty" }));
      this.element.lastElementChild!.textContent = "nothing yet";
      this.element.setAttribute("aria-label", `${label}: nothing yet`);
      return;
    }
    const map = (value: number): number => (logarithmic ? Math.log10(value) : value);
    const least = (list: number[]): number => list.reduce((a, b) => Math.min(a, b), Infinity);
    const most = (list: number[]): number => list.reduce((a, b) => Math.max(a, b), -Infinity);
    const frames = all.map(({ frame }) => frame);
    this.first_ = least(frames);
    this.last_ = Math.max(this.first_ + 1, most(frames));
    const values = all.map(({ value }) => map(value));
    let lo = least(values);
    let hi = most(values);
    if (logarithmic) [lo, hi] = [Math.floor(lo), Math.max(Math.ceil(hi), Math.floor(lo) + 1)];
    else if (hi === lo) [lo, hi] = [lo - 0.5 * (Math.abs(lo) || 1), hi + 0.5 * (Math.abs(hi) || 1)];
    const y_of = (v: number): number => height - bottom - ((v - lo) / (hi - lo)) * (height - bottom - top);
    this.axis(lo, hi, logarithmic, y_of);
    usable.forEach((line, pane) => {
      const points = line.map(({ frame, value }) => `${this.x_of(frame).toFixed(1)},${y_of(map(value)).toFixed(1)}`);
      if (points.length === 1) {
        const [x, y] = points[0]!.split(",");
        this.element.append(svg("circle", { cx: x!, cy: y!, r: 2, class: `curve-dot pane-${pane}` }));
      }
      this.element.append(svg("polyline", { points: points.join(" "), class: `curve-line pane-${pane}` }));
    });
    for (const [x, frame, anchor] of [[left, this.first_, "start"], [width - right, this.last_, "end"]] as const) {
      const text = svg("text", { x, y: height - 4, "text-anchor": anchor });
      text.textContent = String(frame);
      this.element.append(text);
    }
    this.element.append(this.marker_);
    this.element.setAttribute("aria-label", `${label} over frames ${this.first_} to ${this.last_}`);
  }

  mark(frame: number): void {
    const x = this.x_of(frame).toFixed(1);
    this.marker_.setAttribute("x1", x);
    this.marker_.setAttribute("x2", x);
  }

  private x_of(frame: number): number {
    return left + ((frame - this.first_) / (this.last_ - this.first_)) * (width - left - right);
  }

  private axis(lo: number, hi: number, logarithmic: boolean, y_of: (v: number) => number): void {
    let list = ticks(lo, hi, 4);
    if (logarithmic) list = list.filter(Number.isInteger);
    const texts = logarithmic ? list.map((v) => `1e${v}`) : list.length > 1 ? tick_texts(list) : list.map((v) => number_text(v));
    list.forEach((value, i) => {
      const y = y_of(value);
      const text = svg("text", { x: left - 5, y: y + 3, "text-anchor": "end" });
      text.textContent = texts[i]!;
      this.element.append(svg("line", { class: "curve-grid", x1: left, x2: width - right, y1: y, y2: y }), text);
    });
  }
}
