// Pictures of the view: for the reader as a download, for the server as an answer to {"say": "capture"}.
//
// The canvas is drawn at the size that is asked for; the colour bar, the names of two panes and a title are
// written on a copy.
import { ServerLink } from "./connection";
import { font, Legend } from "./legend";
import { encode_block, Json } from "./messages";
import { parse_settings, ViewSettings } from "./settings";
import { theme_colours } from "./stage";
import { Viewer } from "./viewer";

interface Extras {
  legend: boolean;
  title: string;
}

export class Capture {
  private queue_: Promise<void> = Promise.resolve();

  constructor(
    private readonly viewer_: Viewer,
    private readonly legend_: Legend,
  ) {
    viewer_.oncapture = (message) => {
      this.queue_ = this.queue_.then(() => this.answer(message)).catch((error) => console.error(String(error)));
    };
  }

  async download(): Promise<void> {
    this.viewer_.draw(true);
    const blob = await this.compose({ legend: true, title: "" }, this.viewer_.stage.renderer.getPixelRatio());
    const { hello_, shown } = this.viewer_;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${(hello_?.title ?? "sinew").replace(/[^\w.-]+/g, "_")}_${shown[0]?.index ?? 0}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  private async answer(message: Json): Promise<void> {
    const viewer = this.viewer_;
    const { settings, problems } = parse_settings((key) => (key in message && message[key] !== null ? String(message[key]) : null));
    for (const problem of problems) console.error(`capture: ${problem}`);
    this.apply(settings);
    const wanted = Number(message.frame ?? 0);
    if (viewer.replay.line.length > 0) viewer.replay.go(viewer.replay.position_of(wanted));
    while (!viewer.settled()) await new Promise((resolve) => setTimeout(resolve, 5));
    const { stage } = viewer;
    const before = stage.size;
    const ratio = stage.renderer.getPixelRatio();
    const [width, height] = settings.size ?? before;
    const over = stage.smooth ? 1 : 2; // rough edges are drawn larger and averaged
    stage.renderer.setPixelRatio(over);
    stage.fit_canvas(width, height);
    stage.look_from(settings.camera);
    viewer.draw(true);
    const title = message.title === true ? (viewer.hello_?.title ?? "") : typeof message.title === "string" ? message.title : "";
    const blob = await this.compose({ legend: message.legend !== false, title }, 1, over);
    stage.renderer.setPixelRatio(ratio);
    stage.fit_canvas(...before);
    const png = new Uint8Array(await blob.arrayBuffer());
    const header = { say: "picture", frame: wanted };
    const link = viewer.link;
    if (link instanceof ServerLink)
      link.send_binary(encode_block(header, [{ name: "png", type: "u1", shape: [png.length], data: png }]));
  }

  private apply(settings: ViewSettings): void {
    const viewer = this.viewer_;
    viewer.set_up(settings.up);
    viewer.set({ ...settings, size: null, frame: null });
  }

  // Must follow a draw in the same task: the canvas keeps nothing.
  private compose({ legend, title }: Extras, unit_px: number, over = 1): Promise<Blob> {
    const { canvas } = this.viewer_.stage;
    const copy = document.createElement("canvas");
    copy.width = canvas.width / over;
    copy.height = canvas.height / over;
    const context = copy.getContext("2d")!;
    context.imageSmoothingQuality = "high";
    context.drawImage(canvas, 0, 0, copy.width, copy.height);
    const { text, faint } = theme_colours[this.viewer_.theme];
    if (legend) this.legend_.draw(context, copy.height, unit_px, text);
    context.textBaseline = "top";
    if (title) {
      context.fillStyle = text;
      context.font = `600 ${16 * unit_px}px ${font}`;
      context.fillText(title, 20 * unit_px, 18 * unit_px);
    }
    const panes = this.viewer_.hello_?.panes ?? [];
    if (panes.length > 1)
      panes.forEach(({ name }, i) => {
        context.fillStyle = faint;
        context.font = `${13 * unit_px}px ${font}`;
        context.fillText(name, (copy.width / panes.length) * i + 20 * unit_px, (title ? 44 : 18) * unit_px);
      });
    return new Promise((resolve, reject) =>
      copy.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no PNG"))), "image/png"),
    );
  }
}
