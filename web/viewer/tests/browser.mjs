// Chromium for the tests, and comparison of pictures. $SINEW_CHROMIUM names another browser.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { chromium } from "playwright-core";

export const program = process.env.SINEW_CHROMIUM ?? "/usr/bin/chromium";
export const skip = existsSync(program) ? false : `no ${program}: install chromium, or name one in SINEW_CHROMIUM`;

const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--force-color-profile=srgb"];
let browser = null;

// A page that fails the test on any error in its console.
export async function open_page(url, { size = [1280, 800], scheme = "light", allow = /$^/, before = null } = {}) {
  browser ??= await chromium.launch({ executablePath: program, args });
  const context = await browser.newContext({ viewport: { width: size[0], height: size[1] }, colorScheme: scheme, acceptDownloads: true });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !allow.test(message.text())) page.problems.push(message.text());
  });
  page.on("pageerror", (error) => page.problems.push(error.message));
  if (before) await page.addInitScript(before);
  await page.goto(url);
  return page;
}

export async function close_browser() {
  await browser?.close();
  browser = null;
}

// Until all panes show what is asked for, and the address has followed.
export async function settle(page) {
  await page.waitForFunction(() => window.sinew?.viewer.settled(), null, { timeout: 60000 });
  await page.waitForTimeout(400);
}

export const shown = (page) =>
  page.evaluate(() => {
    const { viewer } = window.sinew;
    return viewer.shown.map((frame) => frame && { index: frame.index, time: frame.time, field: frame.field, triangles: frame.topology.body.length });
  });

// Where a point of the model is on the screen.
export const on_screen = (page, point, pane = 0) =>
  page.evaluate(
    ([at, p]) => {
      const { stage } = window.sinew.viewer;
      const { camera, controls } = stage.orbit;
      camera.updateMatrixWorld();
      const seen = controls.target.clone().set(...at).project(camera);
      const rect = stage.canvas.getBoundingClientRect();
      const width = rect.width / stage.panes.length;
      return { x: rect.left + p * width + ((seen.x + 1) / 2) * width, y: rect.top + ((1 - seen.y) / 2) * rect.height };
    },
    [point, pane],
  );

// Mean difference of the colours of two PNGs in percent; the browser decodes them.
async function difference(page, one, other) {
  const bytes = (png) => png.toString("base64");
  return page.evaluate(
    async ([a, b]) => {
      const pixels = async (base64) => {
        const data = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const image = await createImageBitmap(new Blob([data], { type: "image/png" }));
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
      };
      const [p, q] = [await pixels(a), await pixels(b)];
      if (p.width !== q.width || p.height !== q.height) return 100;
      let sum = 0;
      for (let i = 0; i < p.data.length; ++i) sum += Math.abs(p.data[i] - q.data[i]);
      return (100 * sum) / (255 * 0.75 * p.data.length);
    },
    [bytes(one), bytes(other)],
  );
}

// Compares with tests/pictures/NAME.png; with UPDATE_PICTURES=1 writes it instead. The new picture stays in
// dist/pictures to be looked at.
export async function matches_picture(page, name, png = null) {
  const now = png ?? (await page.screenshot());
  const kept = new URL(`pictures/${name}.png`, import.meta.url);
  await mkdir(new URL("../dist/pictures/", import.meta.url), { recursive: true });
  await writeFile(new URL(`../dist/pictures/${name}.png`, import.meta.url), now);
  if (process.env.UPDATE_PICTURES) {
    await writeFile(kept, now);
    return 0;
  }
  return difference(page, now, await readFile(kept));
}
