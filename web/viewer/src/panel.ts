// The panel at the right: sections of controls. Each section is built anew for a hello and follows the settings.
import { css, Rgb } from "./colours";
import { glass_tint } from "./glass";
import { checkbox, el, select } from "./dom";
import { Poses } from "./poses";
import { make_scene_section } from "./scene_section";
import { format_range, Mark, parse_range, Style } from "./settings";
import { make_clip } from "./clip";
import { make_statistics } from "./statistics";
import { Viewer } from "./viewer";

export function make_panel(viewer: Viewer, poses: Poses): HTMLElement {
  const section = (id: string, title: string, contents: HTMLElement): HTMLDetailsElement =>
    el("details", { id, open: true, class: "section" }, el("summary", {}, title), contents);
  const bodies = section("bodies", "Bodies", make_bodies(viewer));
  const field = section("field", "Field", make_field(viewer));
  const show = section("show", "Show", make_show(viewer));
  const scene = section("scene", "Scene", make_scene_section(viewer, poses));
  const statistics = section("statistics", "Statistics", make_statistics(viewer));
  const warnings = section("warnings", "Warnings", make_warnings(viewer));
  viewer.on("hello", () => {
    const hello = viewer.hello_!;
    field.hidden = viewer.fields.length === 0;
    scene.hidden = !hello.scene;
    statistics.hidden = !hello.live && viewer.stats.every((stats) => stats.size === 0);
    warnings.hidden = hello.panes.every((pane) => (pane.warnings ?? []).length === 0);
  });
  return el("aside", { id: "panel", "aria-label": "Settings" }, warnings, bodies, field, show, scene, statistics);
}

function make_bodies(viewer: Viewer): HTMLElement {
  const list = el("div", { class: "rows" });
  const boxes = new Map<string, HTMLInputElement>();
  viewer.on("hello", () => {
    boxes.clear();
    list.replaceChildren();
    const add = (name: string, colour: Rgb, what: string, title: string): void => {
      if (boxes.has(name)) return; // the same in both panes
      const chip = el("span", { class: "chip" });
      chip.style.background = css(colour);
      const { box, row } = checkbox(name, !viewer.settings.hide.includes(name), (on) => {
        const others = viewer.settings.hide.filter((other) => other !== name);
        viewer.set({ hide: on ? others : [...others, name] });
      }, chip);
      row.append(el("span", { class: "faint end", title }, what));
      boxes.set(name, box);
      list.append(row);
    };
    viewer.hello_!.panes.forEach(({ bodies }, p) =>
      bodies.forEach(({ name, nodes, tets, triangles }, b) => {
        const size = tets > 0 ? `${count(tets)} tets` : `${count(triangles)} triangles`;
        add(name, viewer.stage.panes[p]!.surface.colours[b]!, size, `${count(nodes)} nodes`);
      }),
    );
    for (const { colliders } of viewer.hello_!.panes)
      for (const { name } of colliders ?? []) add(name, glass_tint, "collider", "Bodies touch it; it is not simulated.");
  });
  viewer.on("settings", () => {
    for (const [name, box] of boxes) box.checked = !viewer.settings.hide.includes(name);
  });
  return list;
}

const count = (n: number): string => n.toLocaleString("en").replace(/,/g, " ");

function make_field(viewer: Viewer): HTMLElement {
  const rows = el("div", { class: "rows" });
  const doc = el("p", { class: "hint" });
  const range_row = el("div", { class: "rows" });
  const lo = el("input", { type: "number", step: "any", "aria-label": "Lowest value of the colours", onchange: () => set_fixed() });
  const hi = el("input", { type: "number", step: "any", "aria-label": "Highest value of the colours", onchange: () => set_fixed() });
  const fixed = el("div", { class: "pair" }, lo, el("span", { class: "faint" }, "to"), hi);
  const set_fixed = (): void => {
    const [a, b] = [Number(lo.value), Number(hi.value)];
    const wrong = !(a < b);
    for (const input of [lo, hi]) input.setAttribute("aria-invalid", String(wrong));
    if (!wrong) viewer.set({ range: parse_range(`${a}:${b}`) });
  };
  const set_range = (kind: string): void => {
    if (kind !== "fixed") return viewer.set({ range: parse_range(kind) });
    const { scale } = viewer;
    const usable = scale && scale.lo < scale.hi;
    viewer.set({ range: usable ? { kind: "fixed", lo: scale.lo, hi: scale.hi } : { kind: "fixed", lo: 0, hi: 1 } });
  };
  const build = (): void => {
    const { field, component, range } = viewer.settings;
    const info = viewer.fields.find(({ name }) => name === field);
    const names = [["", "none"] as const, ...viewer.fields.map(({ name }) => [name, name] as const)];
    const name_choice = select("Field", names, field ?? "", (name) => viewer.set({ field: name || null, component: null }));
    name_choice.id = "field-name";
    const line = el("div", { class: "pair" }, name_choice);
    if (info && info.components.length > 1)
      line.append(
        select("Component", info.components.map((c) => [c, c] as const), component ?? info.components[0]!, (c) =>
          viewer.set({ component: c === info.components[0] ? null : c }),
        ),
      );
    doc.textContent = info?.doc ?? "";
    rows.replaceChildren(line, doc, range_row);
    range_row.replaceChildren();
    if (!info) return;
    const kinds = [
      ["frame", "range of the frame"],
      ["run", viewer.hello_!.live ? "range so far" : "range of the run"],
      ["fixed", "fixed range"],
    ] as const;
    range_row.append(select("Range of the colours", kinds, range.kind, set_range));
    if (range.kind === "fixed") {
      const [a, b] = format_range(range).split(":");
      lo.value = a!;
      hi.value = b!;
      range_row.append(fixed);
    }
  };
  let key = "";
  viewer.on("hello", () => {
    key = "";
    build();
  });
  viewer.on("settings", () => {
    const { field, component, range } = viewer.settings;
    const now = JSON.stringify([field, component, range]);
    if (now !== key && viewer.hello_) {
      const focus = document.activeElement?.getAttribute("aria-label");
      build();
      if (focus) rows.querySelector<HTMLElement>(`[aria-label="${focus}"]`)?.focus();
    }
    key = now;
  });
  return rows;
}

const style_names: [Style, string][] = [
  ["surface", "Surface"],
  ["edges", "Edges"],
  ["wire", "Wire"],
  ["points", "Points"],
];

function make_show(viewer: Viewer): HTMLElement {
  const buttons = style_names.map(([style, label]) =>
    el("button", { type: "button", "data-style": style, onclick: () => viewer.set({ style }) }, label),
  );
  const marks = (mark: Mark, label: string, ...chips: string[]) =>
    checkbox(
      label,
      viewer.settings.marks.includes(mark),
      (on) => {
        const others = viewer.settings.marks.filter((other) => other !== mark);
        viewer.set({ marks: on ? [...others, mark] : others });
      },
      ...chips.map((chip) => el("span", { class: `dot ${chip}` })),
    );
  const contacts = marks("contacts", "Contacts", "red", "blue");
  contacts.row.title = "Red: between bodies. Blue: with a collider.";
  const constraints = marks("constraints", "Constraints", "blue", "red");
  constraints.row.title = "Blue: held. Red: springs and tissue.";
  const grid = checkbox("Ground grid", true, (on) => viewer.stage.set_grid(on));
  const follow = (): void => {
    const { style, marks: shown } = viewer.settings;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.style === style));
    contacts.box.checked = shown.includes("contacts");
    constraints.box.checked = shown.includes("constraints");
  };
  viewer.on("settings", follow);
  viewer.on("hello", follow);
  return el(
    "div",
    { class: "rows" },
    el("div", { class: "segments", role: "group", "aria-label": "Style" }, ...buttons),
    make_clip(viewer),
    contacts.row,
    constraints.row,
    grid.row,
  );
}

function make_warnings(viewer: Viewer): HTMLElement {
  const list = el("ul", { class: "warnings" });
  viewer.on("hello", () => {
    const panes = viewer.hello_!.panes;
    const lines = panes.flatMap(({ name, warnings }) => (warnings ?? []).map((text) => (panes.length > 1 ? `${name}: ${text}` : text)));
    list.replaceChildren(...lines.map((text) => el("li", {}, text)));
  });
  return list;
}
