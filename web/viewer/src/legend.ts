// The colour bar: the field's name and unit, ticks at round numbers, as text in the page or on a picture.
import { colour_at, css, no_value, Scale } from "./colours";
import { el } from "./dom";
import { FrameField } from "./messages";
import { tick_texts, ticks, unit_scale } from "./ticks";

export interface LegendContents {
  title: string; // of the field and its component
  unit: string;
  ticks: { at: number; text: string }[]; // at: 0 below, 1 above
  scale: Scale;
}

export function legend_contents({ name, component, unit }: FrameField, scale: Scale): LegendContents {
  const { lo, hi } = scale;
  const title = component && component !== "norm" ? `${name} ${component}` : name;
  if (!Number.isFinite(lo) || !Number.isFinite(hi))
    return { title, unit: unit === "1" ? "" : unit, ticks: [{ at: 0.5, text: "no values" }], scale };
  const scaled = unit_scale(unit, Math.max(Math.abs(lo), Math.abs(hi)));
  const [a, b] = [lo * scaled.factor, hi * scaled.factor];
  const list = b > a ? ticks(a, b, 6) : [a];
  const texts = b > a ? tick_texts(list) : tick_texts([a]);
  return {
    title,
    unit: scaled.unit,
    ticks: list.map((value, i) => ({ at: b > a ? (value - a) / (b - a) : 0.5, text: texts[i]! })),
    scale,
  };
}

// The colour at a height of the bar, 0 to 1.
function bar_colour({ scale }: LegendContents, height: number): string {
  if (!Number.isFinite(scale.lo) || !Number.isFinite(scale.hi)) return css(no_value);
  const value = scale.lo + height * (scale.hi - scale.lo);
  return css(colour_at(scale.map, (value - scale.from) / (scale.to - scale.from)));
}

const stops = 24;

export class Legend {
  readonly element = el("div", { id: "legend", role: "img", hidden: true });
  contents: LegendContents | null = null;
  private key_ = "";

  show(field: FrameField | null, scale: Scale | null): void {
    this.element.hidden = !field || !scale;
    this.contents = field && scale ? legend_contents(field, scale) : null;
    if (!this.contents) return;
    const key = JSON.stringify(this.contents);
    if (key === this.key_) return;
    this.key_ = key;
    const { title, unit, ticks: marks } = this.contents;
    const bar = el("div", { class: "legend-bar" });
    const colours = Array.from({ length: stops + 1 }, (_, i) => bar_colour(this.contents!, i / stops));
    bar.style.background = `linear-gradient(to top, ${colours.join(", ")})`;
    const scale_column = el("div", { class: "legend-ticks" });
    for (const { at, text } of marks) {
      const tick = el("span", { class: "legend-tick" }, text);
      tick.style.bottom = `${(100 * at).toFixed(2)}%`;
      scale_column.append(tick);
    }
    this.element.replaceChildren(
      el("div", { class: "legend-title" }, title, ...(unit ? [el("span", { class: "legend-unit" }, ` [${unit}]`)] : [])),
      el("div", { class: "legend-body" }, bar, scale_column),
    );
    this.element.setAttribute("aria-label", `Colours of ${title}${unit ? ` in ${unit}` : ""}: ${marks.map(({ text }) => text).join(", ")}`);
  }

  // On a picture, at its left edge; `unit_px` is the size of a CSS pixel.
  draw(context: CanvasRenderingContext2D, height: number, unit_px: number, text_colour: string): void {
    if (!this.contents) return;
    const { title, unit, ticks: marks } = this.contents;
    const size = 12 * unit_px;
    const tall = Math.min(220 * unit_px, 0.5 * height);
    const left = 20 * unit_px;
    const bottom = height - 24 * unit_px;
    const gradient = context.createLinearGradient(0, bottom, 0, bottom - tall);
    for (let i = 0; i <= stops; ++i) gradient.addColorStop(i / stops, bar_colour(this.contents, i / stops));
    context.fillStyle = gradient;
    context.fillRect(left, bottom - tall, size, tall);
    context.fillStyle = text_colour;
    context.font = `600 ${size}px ${font}`;
    context.textBaseline = "alphabetic";
    context.fillText(unit ? `${title} [${unit}]` : title, left, bottom - tall - size);
    context.font = `${size}px ${font}`;
    context.textBaseline = "middle";
    for (const { at, text } of marks) {
      const y = bottom - at * tall;
      context.fillRect(left + size, y - 0.5 * unit_px, 4 * unit_px, unit_px);
      context.fillText(text, left + size + 8 * unit_px, y);
    }
  }
}

export const font = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';
