// The card of the picked point: body, node, tet or triangle, position and value, followed from frame to frame.
import { el, tool } from "./dom";
import { picked_point, picked_value } from "./pick";
import { number_text, unit_scale } from "./ticks";
import { Viewer } from "./viewer";

export function make_card(viewer: Viewer): HTMLElement {
  const rows = el("dl", {});
  const close = tool("close", "Close", () => viewer.set_pick(null), "Esc");
  const card = el("div", { id: "card", role: "status", "aria-label": "Picked point", hidden: true }, rows, close);
  const fill = (): void => {
    const { pick } = viewer;
    const frame = pick && viewer.shown[pick.pane];
    card.hidden = !frame;
    if (!frame) return;
    const { topology, field } = frame;
    const pane = viewer.hello_!.panes[pick.pane]!;
    const body = pane.bodies[topology.body[pick.triangle]!];
    const element = topology.tets[pick.triangle]!;
    const point = picked_point(pick, frame);
    const value = picked_value(pick, frame);
    const list: [string, string][] = [
      ["Body", body?.name ?? "–"],
      ["Node", String(topology.nodes[pick.vertex])],
      [body && body.tets > 0 ? "Tet" : "Triangle", String(element >= 0 ? element : pick.triangle)],
      ["Position [m]", point.map((x) => number_text(x)).join("  ")],
    ];
    if (field && value !== null) {
      const { factor, unit } = unit_scale(field.unit, Math.abs(value));
      const name = field.component && field.component !== "norm" ? `${field.name} ${field.component}` : field.name;
      list.push([unit ? `${name} [${unit}]` : name, number_text(value * factor)]);
    }
    rows.replaceChildren(...list.flatMap(([key, text]) => [el("dt", {}, key), el("dd", {}, text)]));
  };
  for (const topic of ["pick", "frame", "hello"] as const) viewer.on(topic, fill);
  return card;
}
