// Builds the page, opens the link and keeps the address up to date.
import { make_bar } from "./bar";
import { Capture } from "./capture";
import { make_card } from "./card";
import { make_compass } from "./compass";
import { ServerLink } from "./connection";
import { el } from "./dom";
import { Pointer } from "./drag";
import { ExportedLink } from "./exported";
import { make_keys } from "./keys";
import { Legend } from "./legend";
import { Notices, show_fatal } from "./notices";
import { make_panel } from "./panel";
import { Poses } from "./poses";
import { parse_settings, picture_command, with_settings } from "./settings";
import { Timings, Viewer } from "./viewer";

declare global {
  interface Window {
    sinew?: { timings: Timings; viewer: Viewer };
  }
}

// What draws: a graphics card, the processor, or nothing.
function drawing_device(): "card" | "processor" | null {
  try {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) return null;
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) ? "processor" : "card";
  } catch {
    return null;
  }
}

function socket_url(): string {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  return `ws://${location.host}/ws?token=${encodeURIComponent(token)}`;
}

function build(software: boolean): void {
  const data = document.getElementById("sinew-data")?.textContent ?? null; // of an exported page
  const canvas = el("canvas", { id: "canvas", tabindex: 0, "aria-label": "The model. Drag turns it, the wheel zooms, a click picks." });
  const view = el("main", { id: "view" }, canvas);
  const viewer = new Viewer(canvas, software);
  const query = new URLSearchParams(location.search);
  const { settings, problems } = parse_settings((key) => query.get(key));
  viewer.settings = settings;
  document.documentElement.dataset.theme = viewer.theme;

  const notices = new Notices();
  const legend = new Legend();
  const poses = new Poses(viewer);
  const capture = new Capture(viewer, legend);
  const names = el("div", { id: "names" });
  const panel = make_panel(viewer, poses);
  const pointer = new Pointer(viewer, poses, view);

  const resize = (): void => viewer.stage.fit_canvas(view.clientWidth, view.clientHeight);
  const actions = {
    grab: () => {
      pointer.grab_tool = !pointer.grab_tool;
      bar.grab.setAttribute("aria-pressed", String(pointer.grab_tool));
      canvas.classList.toggle("grab-tool", pointer.grab_tool);
    },
    copy: () => copy_command(viewer, notices),
    screenshot: () => void capture.download(),
    theme: () => viewer.set({ theme: viewer.theme === "dark" ? "light" : "dark" }),
    help: () => keys.toggle(),
    clip: () => panel.querySelector<HTMLInputElement>("#clip input[type=checkbox]")?.click(),
    panel: () => {
      panel.hidden = !panel.hidden;
      bar.panel.setAttribute("aria-pressed", String(!panel.hidden));
      resize();
    },
  };
  const bar = make_bar(viewer, actions);
  bar.panel.setAttribute("aria-pressed", "true");
  const keys = make_keys(viewer, actions);
  view.append(names, legend.element, make_card(viewer), make_compass(viewer), notices.banner, notices.toasts);
  document.body.replaceChildren(bar.element, view, panel, keys.dialog);

  document.body.classList.add("waiting");
  viewer.on("hello", () => {
    document.body.classList.remove("waiting");
    const panes = viewer.hello_!.panes;
    names.replaceChildren(...(panes.length > 1 ? panes.map(({ name }) => el("span", {}, name)) : []));
    resize();
  });
  const show_legend = (): void => legend.show(viewer.shown.find((frame) => frame?.field)?.field ?? null, viewer.scale);
  viewer.on("frame", show_legend);
  viewer.on("settings", show_legend);
  viewer.onerror = (text) => notices.toast(text, "error");
  viewer.onnote = (text) => notices.toast(text, "note");
  viewer.onfatal = (text) => show_fatal("Nothing to show", text);
  for (const problem of problems) notices.toast(problem, "error");
  keep_address(viewer);
  new ResizeObserver(resize).observe(view);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => viewer.hello_ && viewer.apply_look());
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    notices.show_banner("The graphics card gave up on this page.", "Reload", () => location.reload());
  });
  const tick = (now: number): void => {
    viewer.replay.tick(now);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  window.sinew = { timings: viewer.timings, viewer };
  open_link(viewer, notices, data);
}

function open_link(viewer: Viewer, notices: Notices, data: string | null): void {
  if (data !== null) {
    const link = new ExportedLink(viewer);
    viewer.link = link;
    void link.open(data);
    return;
  }
  const connect = (): void => {
    notices.hide_banner();
    viewer.link?.close();
    viewer.link = new ServerLink(socket_url(), viewer);
  };
  viewer.onlost = (reason) => notices.show_banner(`The connection is lost: ${reason}.`, "Reconnect", connect);
  connect();
}

// The settings stay in the address, so that it can be kept or sent; at rest, not at every frame.
function keep_address(viewer: Viewer): void {
  let timer = 0;
  const write = (): void => {
    const frame = viewer.replay.line.length > 1 && viewer.replay.wanted > 0 ? (viewer.shown[0]?.index ?? null) : null;
    const query = with_settings(location.search, { ...viewer.settings, frame });
    try {
      history.replaceState(null, "", `${location.pathname}${query ? `?${query}` : ""}${location.hash}`);
    } catch {
      // Pages opened from a file may not change their address.
    }
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(write, 300);
  };
  viewer.on("settings", later);
  viewer.on("frame", () => !viewer.replay.playing && !viewer.hello_?.live && later());
}

async function copy_command(viewer: Viewer, notices: Notices): Promise<void> {
  const hello = viewer.hello_;
  if (!hello) return;
  const frame = viewer.replay.line.length > 1 ? (viewer.shown[0]?.index ?? null) : null;
  const [width, height] = viewer.stage.size;
  const settings = { ...viewer.settings, theme: viewer.theme, frame, size: [width, height] as [number, number] };
  const command = picture_command(hello.sources ?? [hello.title], settings);
  try {
    await navigator.clipboard.writeText(command);
    notices.toast(`Copied: ${command}`, "note");
  } catch {
    notices.toast(command, "note"); // to be copied by hand
  }
}

const device = drawing_device();
if (device) build(device === "processor");
else
  show_fatal(
    "This browser cannot draw the model",
    "The viewer needs WebGL 2, which this browser does not offer here.",
    "Use a current Firefox, Chromium, Chrome, Edge or Safari, and switch hardware acceleration on in its settings. In Chromium, chrome://gpu says why WebGL is off; starting it with --enable-unsafe-swiftshader draws without a graphics card.",
    "The results can also be opened in ParaView or Blender: see sinew export --list.",
  );
