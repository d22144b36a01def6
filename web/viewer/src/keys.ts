// The keyboard, and the list of keys.
import { el, tool } from "./dom";
import { Viewer } from "./viewer";

export interface KeyActions {
  grab(): void;
  screenshot(): void;
  theme(): void;
  panel(): void;
  clip(): void;
}

interface Key {
  keys: string[];
  shown: string;
  text: string;
  run(): void;
}

export function make_keys(viewer: Viewer, actions: KeyActions): { dialog: HTMLDialogElement; toggle(): void } {
  const { replay } = viewer;
  const live = (): boolean => viewer.hello_?.live === true;
  const go = (position: number): void => {
    if (live()) return;
    replay.set_playing(false);
    replay.go(position);
  };
  const list: Key[] = [
    { keys: [" "], shown: "Space", text: "play or pause", run: () => viewer.toggle_play() },
    { keys: ["ArrowLeft"], shown: "Left", text: "frame before", run: () => go(replay.wanted - 1) },
    {
      keys: ["ArrowRight"],
      shown: "Right",
      text: "next frame",
      run: () => (live() ? viewer.send({ do: "step" }) : go(replay.wanted + 1)),
    },
    { keys: ["Home"], shown: "Home", text: "first frame", run: () => go(0) },
    { keys: ["End"], shown: "End", text: "last frame", run: () => go(replay.line.length - 1) },
    { keys: ["r"], shown: "r", text: "live: back to the start", run: () => live() && viewer.send({ do: "reset" }) },
    { keys: ["f"], shown: "f", text: "fit", run: () => viewer.fit() },
    { keys: ["0"], shown: "0", text: "default view", run: () => viewer.look_from(null) },
    {
      keys: ["w"],
      shown: "w",
      text: "wire on or off",
      run: () => viewer.set({ style: viewer.settings.style === "wire" ? "surface" : "wire" }),
    },
    {
      keys: ["e"],
      shown: "e",
      text: "edges on or off",
      run: () => viewer.set({ style: viewer.settings.style === "edges" ? "surface" : "edges" }),
    },
    { keys: ["c"], shown: "c", text: "clip plane on or off", run: () => actions.clip() },
    { keys: ["g"], shown: "g", text: "live: grab tool", run: () => live() && actions.grab() },
    { keys: ["s"], shown: "s", text: "live: save the session", run: () => live() && viewer.send({ do: "save" }) },
    { keys: ["l"], shown: "l", text: "loop on or off", run: () => document.getElementById("loop")?.click() },
    { keys: ["p"], shown: "p", text: "save a picture", run: () => actions.screenshot() },
    { keys: ["t"], shown: "t", text: "light or dark", run: () => actions.theme() },
    { keys: ["b"], shown: "b", text: "panel on or off", run: () => actions.panel() },
    { keys: ["Escape"], shown: "Esc", text: "close the card", run: () => viewer.set_pick(null) },
    { keys: ["?"], shown: "?", text: "this list", run: () => toggle() },
  ];
  const mouse: [string, string][] = [
    ["Drag", "turn"],
    ["Right drag", "shift"],
    ["Wheel", "nearer, farther"],
    ["Click", "pick a point"],
    ["Shift + drag", "live: pull a vertex"],
  ];
  const rows = [...list.map(({ shown, text }) => [shown, text]), ...mouse];
  const dialog = el(
    "dialog",
    { id: "keys", "aria-label": "Keys" },
    el("h2", {}, "Keys"),
    el("dl", {}, ...rows.map(([key, text]) => el("div", {}, el("dt", {}, el("kbd", {}, key!)), el("dd", {}, text!)))),
  );
  dialog.append(tool("close", "Close", () => dialog.close(), "Esc"));
  const toggle = (): void => (dialog.open ? dialog.close() : dialog.showModal());

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || viewer.hello_ === null) return;
    const target = event.target as HTMLElement;
    const writing = target.matches("input[type=number], select, textarea");
    const operating = target.matches("input[type=range]") && /^(Arrow|Home|End|Page)/.test(event.key);
    const pressing = target.matches("button, summary, input[type=checkbox]") && (event.key === " " || event.key === "Enter");
    if (writing || operating || pressing || (dialog.open && event.key !== "?")) return;
    const found = list.find(({ keys }) => keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found.run();
  });
  // A button that the mouse has pressed does not keep the keyboard: Space then plays.
  document.addEventListener("click", (event) => {
    const pressed = (event.target as Element).closest<HTMLElement>("button, summary, label");
    if (event.detail > 0 && pressed) (document.activeElement as HTMLElement | null)?.blur();
  });
  return { dialog, toggle };
}
