// Elements of the page, and icons drawn as strokes on a 16 x 16 grid.
//
//     el("button", { class: "tool", onclick: fit }, icon("fit"))

type Value = string | number | boolean | null | ((event: never) => void);

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

const svg_space = "http://www.w3.org/2000/svg";

export function svg(tag: string, attributes: Record<string, string | number>, ...children: Node[]): SVGElement {
  const made = document.createElementNS(svg_space, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

const paths = {
  play: "M4.5 2.8v10.4l8.6-5.2z",
  pause: "M4.5 3v10M11.5 3v10",
  step: "M3.5 3v10l6.5-5zM12.5 3v10",
  back: "M12.5 3v10l-6.5-5zM3.5 3v10",
  reset: "M3 3.2v3.6h3.6M3.3 6.6A5.2 5.2 0 1 1 3 9.4",
  loop: "M3 7V6a2 2 0 0 1 2-2h7.5M10.5 1.8 12.8 4l-2.3 2.2M13 9v1a2 2 0 0 1-2 2H3.5M5.5 14.2 3.2 12l2.3-2.2",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10M6 6h4v4H6z",
  grab: "M5 8.5V4a1.1 1.1 0 0 1 2.2 0v3.2V3a1.1 1.1 0 0 1 2.2 0v4.2V4a1.1 1.1 0 0 1 2.2 0v5.8c0 2.6-1.5 4.4-4 4.4-2 0-3-1-4-2.8L2.4 9.2c-.5-1 .8-1.8 1.5-.9L5 9.6",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  camera: "M2 5h3l1.2-1.8h3.6L11 5h3v8H2zM8 11.2a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8z",
  save: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 11v2.5h11V11",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  help: "M5.6 6a2.4 2.4 0 1 1 3.4 2.2c-.7.3-1 .8-1 1.6M8 12.4v.4",
  panel: "M2.5 3h11v10h-11zM10 3v10",
  close: "M4 4l8 8M12 4l-8 8",
  warning: "M8 2.6 14 13H2zM8 6.6v3M8 11.2v.4",
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGElement {
  return svg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, svg("path", { d: paths[name] }));
}

export function tool(name: IconName, label: string, onclick: () => void, key = ""): HTMLButtonElement {
  const title = key ? `${label} (${key})` : label;
  return el("button", { class: "tool", type: "button", "aria-label": label, title, onclick }, icon(name));
}

export function set_icon(button: HTMLButtonElement, name: IconName, label: string, key = ""): void {
  button.replaceChildren(icon(name));
  button.setAttribute("aria-label", label);
  button.title = key ? `${label} (${key})` : label;
}

export function select(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
  onchange: (value: string) => void,
): HTMLSelectElement {
  const made = el("select", { "aria-label": label, onchange: () => onchange(made.value) });
  for (const [value, text] of options) made.append(el("option", { value, selected: value === chosen }, text));
  return made;
}

export function checkbox(label: string, checked: boolean, onchange: (on: boolean) => void, ...before: Node[]) {
  const box: HTMLInputElement = el("input", { type: "checkbox", onchange: () => onchange(box.checked) });
  box.checked = checked;
  return { box, row: el("label", { class: "check" }, box, ...before, el("span", {}, label)) };
}
