// The bar at the top: title, playing, the time line, and tools.
import { el, IconName, select, set_icon, tool } from "./dom";
import { CameraSetting } from "./settings";
import { number_text } from "./ticks";
import { Viewer } from "./viewer";

export interface BarActions {
  grab(): void;
  copy(): void;
  screenshot(): void;
  theme(): void;
  help(): void;
  panel(): void;
}

export interface Bar {
  element: HTMLElement;
  grab: HTMLButtonElement;
  panel: HTMLButtonElement;
}

const views: [string, CameraSetting | null][] = [
  ["3/4", null],
  ["Front", view(0, 0)],
  ["Back", view(180, 0)],
  ["Left", view(-90, 0)],
  ["Right", view(90, 0)],
  ["Top", view(0, 90)],
  ["Bottom", view(0, -90)],
];

function view(azimuth: number, elevation: number): CameraSetting {
  return { azimuth, elevation, zoom: 1, target: null };
}

export function time_text(time: number): string {
  return `${number_text(time, 4)} s`;
}

export function make_bar(viewer: Viewer, actions: BarActions): Bar {
  const title = el("h1", { id: "title" }, "sinew");
  const transport = make_transport(viewer);
  const grab = tool("grab", "Grab: drag the body", actions.grab, "g");
  const save = tool("save", "Save the session", () => viewer.send({ do: "save" }), "s");
  grab.setAttribute("aria-pressed", "false");
  const presets = select("View from", [["", "View"], ...views.map(([name]) => [name, name] as const)], "", (name) => {
    viewer.look_from(views.find(([other]) => other === name)?.[1] ?? null);
    presets.value = "";
  });
  const panel = tool("panel", "Panel", actions.panel, "b");
  const tools = el(
    "div",
    { class: "tools", role: "toolbar", "aria-label": "Tools" },
    grab,
    tool("fit", "Fit", () => viewer.fit(), "f"),
    presets,
    tool("copy", "Copy the view as a command", actions.copy),
    tool("camera", "Save a picture", actions.screenshot, "p"),
    save,
    tool("theme", "Light or dark", actions.theme, "t"),
    tool("help", "Keys", actions.help, "?"),
    panel,
  );
  viewer.on("hello", () => {
    const hello = viewer.hello_!;
    title.textContent = hello.title.split("/").slice(-2).join("/"); // the end of a path says most
    title.title = hello.title;
    document.title = `${title.textContent} – sinew`;
    grab.hidden = save.hidden = !hello.live;
  });
  return { element: el("header", { id: "bar" }, title, transport, tools), grab, panel };
}

function make_transport(viewer: Viewer): HTMLElement {
  const { replay } = viewer;
  const play = tool("play", "Play", () => viewer.toggle_play(), "Space");
  play.id = "play";
  const back = tool("back", "Frame before", () => go(replay.wanted - 1), "Left");
  const step = tool("step", "Next frame", () => (viewer.hello_?.live ? viewer.send({ do: "step" }) : go(replay.wanted + 1)), "Right");
  step.id = "step";
  const reset = tool("reset", "Back to the start", () => viewer.send({ do: "reset" }), "r");
  reset.id = "reset";
  const slider = el("input", { id: "scrub", type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": "Frame", oninput: () => go(Number(slider.value)) });
  const frame_text = el("output", { id: "frame-text", "aria-label": "Frame and time" });
  const speed = select("Frames a second", [6, 12, 24, 48].map((fps) => [String(fps), `${fps} fps`] as const), "24", (fps) => {
    replay.fps = Number(fps);
  });
  const loop = tool("loop", "Loop", () => {
    replay.loop = !replay.loop;
    loop.setAttribute("aria-pressed", String(replay.loop));
  }, "l");
  loop.id = "loop";
  loop.setAttribute("aria-pressed", "true");
  const element = el("div", { class: "transport", role: "group", "aria-label": "Playing" }, back, play, step, reset, slider, frame_text, speed, loop);

  const go = (position: number): void => {
    if (replay.playing) replay.set_playing(false);
    replay.go(position);
  };
  const follow_play = (): void => {
    const playing = viewer.hello_?.live ? viewer.live_playing : replay.playing;
    const [name, label]: [IconName, string] = playing ? ["pause", "Pause"] : ["play", "Play"];
    if (play.getAttribute("aria-label") !== label) set_icon(play, name, label, "Space");
  };
  const follow_frames = (): void => {
    slider.max = String(Math.max(1, replay.line.length - 1));
  };
  viewer.on("hello", () => {
    const live = viewer.hello_!.live;
    element.classList.toggle("live", live);
    const many = replay.line.length > 1;
    for (const part of [slider, speed, loop, back]) part.hidden = live || !many;
    play.hidden = step.hidden = !live && !many;
    reset.hidden = !live;
    frame_text.hidden = !live && !many;
    follow_frames();
    follow_play();
  });
  viewer.on("frames", follow_frames);
  viewer.on("play", follow_play);
  viewer.on("state", follow_play);
  viewer.on("frame", () => {
    const frame = viewer.shown[0];
    if (!frame) return;
    if (!viewer.hello_?.live && document.activeElement !== slider) slider.value = String(replay.wanted);
    const last = replay.line[replay.line.length - 1]?.index;
    const number = viewer.hello_?.live || last === undefined ? `${frame.index}` : `${frame.index} / ${last}`;
    frame_text.textContent = `${number}   ${time_text(frame.time)}`;
    slider.setAttribute("aria-valuetext", `frame ${frame.index}, ${time_text(frame.time)}`);
  });
  return element;
}
