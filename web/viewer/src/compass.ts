// The axes at the lower right corner, turned with the camera, and the size of a cell of the ground's grid.
import { Vector3 } from "three";

import { el, svg } from "./dom";
import { number_text, unit_scale } from "./ticks";
import { Viewer } from "./viewer";

const size = 64;
const arm = 22;

export function make_compass(viewer: Viewer): HTMLElement {
  const axes = (["x", "y", "z"] as const).map((name) => {
    const line = svg("line", { x1: size / 2, y1: size / 2, class: `axis axis-${name}` });
    const text = svg("text", { "text-anchor": "middle", "dominant-baseline": "central" });
    text.textContent = name;
    return { line, text, direction: new Vector3(Number(name === "x"), Number(name === "y"), Number(name === "z")) };
  });
  const cell = el("span", { class: "cell" });
  const drawing = svg("svg", { viewBox: `0 0 ${size} ${size}` }, ...axes.flatMap(({ line, text }) => [line, text]));
  const seen = new Vector3();
  viewer.stage.onrender = () => {
    const { camera } = viewer.stage.orbit;
    for (const { line, text, direction } of axes) {
      seen.copy(direction).transformDirection(camera.matrixWorldInverse);
      const [x, y] = [size / 2 + arm * seen.x, size / 2 - arm * seen.y];
      line.setAttribute("x2", x.toFixed(1));
      line.setAttribute("y2", y.toFixed(1));
      text.setAttribute("x", (size / 2 + (arm + 7) * seen.x).toFixed(1));
      text.setAttribute("y", (size / 2 - (arm + 7) * seen.y).toFixed(1));
    }
    const grid = viewer.stage.grid;
    const scaled = grid ? unit_scale("m", grid.cell) : null;
    const label = grid?.object.visible ? `cell ${number_text(grid.cell * scaled!.factor)} ${scaled!.unit}` : "";
    if (cell.textContent !== label) cell.textContent = label;
  };
  return el("div", { id: "compass", "aria-hidden": "true" }, cell, drawing as unknown as HTMLElement);
}
