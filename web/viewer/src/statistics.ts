// The section of statistics: a curve over the frames and the numbers of the shown frame.
import { Curve, CurvePoint } from "./curve";
import { el, select } from "./dom";
import { Reason, StatsLine } from "./messages";
import { number_text } from "./ticks";
import { Viewer } from "./viewer";

interface Row {
  key: string;
  label: string;
  unit: string;
  logarithmic: boolean;
}

const rows: Row[] = [
  { key: "relative_residual", label: "Relative residual", unit: "", logarithmic: true },
  { key: "iterations", label: "Iterations", unit: "", logarithmic: false },
  { key: "linear_iterations", label: "Linear iterations", unit: "", logarithmic: false },
  { key: "energy", label: "Energy", unit: "J", logarithmic: false },
  { key: "contacts", label: "Contacts", unit: "", logarithmic: false },
  { key: "min_det_F", label: "Least det F", unit: "", logarithmic: false },
  { key: "inverted", label: "Inverted tets", unit: "", logarithmic: false },
  { key: "seconds", label: "Time to compute", unit: "s", logarithmic: true },
];

const live_points = 300; // of the curve of a live scene

function reason_text({ body, other, place, node, element, cause, advice }: Reason): string {
  const number = node !== undefined ? `, node ${node}` : element !== undefined ? `, element ${element}` : "";
  const where = `${other ? `${body} against ${other}` : body} at (${place.map((x) => number_text(x)).join(", ")})${number}`;
  return `${where}: ${cause}. To try: ${advice}.`;
}

export function make_statistics(viewer: Viewer): HTMLElement {
  const curve = new Curve();
  const table = el("table", { class: "numbers" });
  const residual = el("div", { class: "hint", hidden: true });
  const why = el("p", { class: "why", hidden: true });
  let chosen = rows[0]!;
  const choice = select(
    "Statistic of the curve",
    rows.map(({ key, label }) => [key, label] as const),
    chosen.key,
    (key) => {
      chosen = rows.find((row) => row.key === key)!;
      draw_curve();
    },
  );
  const cells = new Map<string, HTMLTableCellElement[]>();

  const draw_curve = (): void => {
    const point = ([frame, line]: [number, StatsLine]): CurvePoint => {
      const value = line[chosen.key];
      return { frame, value: typeof value === "number" ? value : NaN };
    };
    const lines = viewer.stats.map((stats) => {
      const line = [...stats].map(point).sort((a, b) => a.frame - b.frame);
      return has_all() ? line : line.slice(-live_points);
    });
    curve.draw(chosen.unit ? `${chosen.label} [${chosen.unit}]` : chosen.label, lines, chosen.logarithmic);
    mark();
  };
  const mark = (): void => {
    const frame = viewer.shown[0];
    if (frame) curve.mark(frame.index);
  };
  const text_of = (line: StatsLine | null | undefined, key: string): string => {
    const value = line?.[key];
    return typeof value === "number" ? number_text(value) : typeof value === "string" && value ? value : "–";
  };
  const make_table = (): void => {
    cells.clear();
    table.replaceChildren();
    const panes = viewer.hello_?.panes ?? [];
    if (panes.length > 1)
      table.append(el("tr", {}, el("td"), ...panes.map(({ name }, i) => el("th", { scope: "col", class: `pane-${i}` }, name))));
    for (const { key, label, unit } of [{ key: "status", label: "Status", unit: "" }, ...rows]) {
      const own = panes.map(() => el("td", { "data-stat": key }, "–"));
      cells.set(key, own);
      table.append(el("tr", {}, el("th", { scope: "row" }, unit ? `${label} [${unit}]` : label), ...own));
    }
  };
  const line_of = (pane: number): StatsLine | null | undefined => {
    const frame = viewer.shown[pane];
    return frame?.line ?? viewer.stats[pane]?.get(frame?.index ?? -1);
  };
  const fill = (): void => {
    const panes = viewer.hello_?.panes ?? [];
    const reasons = panes.flatMap(({ name }, pane) => {
      const reason = line_of(pane)?.reason;
      return reason ? [panes.length > 1 ? `${name}: ${reason_text(reason)}` : reason_text(reason)] : [];
    });
    why.textContent = reasons.join(" ");
    why.hidden = reasons.length === 0;
    for (const [key, own] of cells)
      own.forEach((cell, pane) => {
        const text = text_of(line_of(pane), key);
        if (cell.textContent !== text) cell.textContent = text;
      });
  };
  const has_all = (): boolean => viewer.hello_?.live !== true;

  curve.onframe = (frame) => {
    if (has_all()) viewer.replay.go(viewer.replay.position_of(frame));
  };
  viewer.on("hello", () => {
    make_table();
    draw_curve();
  });
  viewer.on("frames", draw_curve);
  viewer.on("frame", () => {
    fill();
    if (has_all()) mark();
    else draw_curve();
  });
  viewer.on("residual", () => {
    const now = viewer.iteration!;
    residual.hidden = false;
    residual.textContent = `iteration ${now.iteration}: ${number_text(now.relative, 3)}`;
  });
  return el("div", { class: "rows" }, choice, curve.element as unknown as HTMLElement, residual, why, table);
}
