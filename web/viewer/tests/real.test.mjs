// The page that is built into the tool, with the tool's own server: $SINEW names it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { close_browser, matches_picture, on_screen, open_page, settle, shown, skip as no_browser } from "./browser.mjs";

const sinew = process.env.SINEW ? resolve(process.env.SINEW) : null;
const skip = no_browser || (sinew ? false : "$SINEW does not name the tool");
const tree = process.env.SINEW_TREE ?? fileURLToPath(new URL("../../..", import.meta.url));
const twist = join(tree, "examples", "02_twist", "scene.json");
const folder = mkdtempSync(join(tmpdir(), "sinew-real-"));
const tool = (...args) => execFileSync(sinew, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const servers = [];

before(() => {
  if (skip) return;
  tool("run", twist, "-o", "one", "--quiet");
  tool("run", twist, "-o", "other", "--quiet", "--set", "solve.method=hybrid");
});
after(async () => {
  await close_browser();
  for (const server of servers) server.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
});

async function view(...args) {
  const server = spawn(sinew, ["view", ...args, "--no-browser"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  servers.push(server);
  const url = await new Promise((found, failed) => {
    let text = "";
    server.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) found(text.split("\n")[0]);
    });
    server.on("exit", (code) => failed(new Error(`sinew view ended with ${code}`)));
  });
  const page = await open_page(url);
  await settle(page);
  return page;
}

function real_test(name, body) {
  test(name, { skip, timeout: 180000 }, body);
}

async function done(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

real_test("a run plays, scrubs, is picked, shows fields and is cut", async () => {
  const page = await view("one", "--field", "von_mises", "--frame", "20");
  assert.equal((await shown(page))[0].index, 20);
  assert.equal(await page.textContent(".legend-title"), "von_mises [kPa]");
  assert.ok((await matches_picture(page, "real_twist")) < 2);
  const [{ triangles }] = await shown(page);
  await page.click("#play");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index < 15, null, { timeout: 60000 });
  await page.click("#play");
  await page.locator("#scrub").fill("7");
  await settle(page);
  assert.equal((await shown(page))[0].index, 7);
  const middle = await on_screen(page, [2, 0.5, 0.5]);
  await page.mouse.click(middle.x, middle.y);
  assert.match(await page.innerText("#card"), /Body\s+bar[\s\S]*Tet\s+\d+[\s\S]*von_mises \[kPa\]\s+\d/);
  await page.selectOption("#field-name", "displacement");
  await settle(page);
  assert.match(await page.textContent(".legend-title"), /^displacement \[m?m\]$/);
  await page.selectOption("[aria-label='Range of the colours']", "run");
  await page.waitForFunction(() => window.sinew.viewer.scale?.hi > 1, null, { timeout: 30000 });
  await page.locator("#scrub").evaluate((slider) => slider.blur());
  await page.keyboard.press("c");
  await settle(page);
  assert.notEqual((await shown(page))[0].triangles, triangles);
  await done(page);
});

real_test("two runs side by side", async () => {
  const page = await view("one", "other", "--field", "displacement", "--frame", "15");
  const frames = await shown(page);
  assert.deepEqual(frames.map(({ index }) => index), [15, 15]);
  await done(page);
});

real_test("a scene is live: it steps, and follows the hand that drags an attachment", async () => {
  const page = await view(twist);
  await page.click("#step");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index === 1, null, { timeout: 60000 });
  const farthest = () => page.evaluate(() => Math.max(...window.sinew.viewer.shown[0].positions.filter((_, i) => i % 3 === 1)));
  const start = await farthest();
  const handle = await page.evaluate(() => {
    const { handles } = window.sinew.viewer.stage.panes[0];
    return handles.find(({ name }) => name.includes("right")).object.position.toArray();
  });
  const at = await on_screen(page, handle);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x, at.y - 100, { steps: 5 });
  await page.waitForTimeout(300);
  await page.mouse.up();
  await page.click("#step");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index === 2, null, { timeout: 60000 });
  assert.ok((await farthest()) > start + 0.1, "the body follows");
  await page.getByLabel("Back to the start").click();
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index === 0, null, { timeout: 60000 });
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index >= 3, null, { timeout: 60000 });
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !window.sinew.viewer.live_playing);
  await done(page);
});

real_test("two pages of a live scene: sliders follow, colliders are there and move", async () => {
  const scene = {
    sinew: 1,
    bodies: { block: { mesh: { box: { size: [1, 1, 1], cells: [2, 2, 2] } }, material: { model: "stable_neo_hookean", young: 1e5, poisson: 0.3 } } },
    colliders: { floor: { shape: { plane: { point: [0, -0.1, 0], normal: [0, 1, 0] } } } },
    gravity: [0, -9.81, 0],
    solve: { mode: "dynamic" },
    time: { fps: 30, frames: 5 },
  };
  writeFileSync(join(folder, "block.json"), JSON.stringify(scene));
  const page = await view("block.json");
  const other = await open_page(page.url());
  await settle(other);
  await page.fill("[aria-label='gravity y']", "-2.5");
  await page.keyboard.press("Enter");
  await other.waitForFunction(() => document.querySelector("[aria-label='gravity y']").value === "-2.5", null, { timeout: 60000 });
  const height = () => window.sinew.viewer.stage.panes[0].glass.group.children[0].matrix.elements[13];
  assert.ok(Math.abs((await other.evaluate(height)) + 0.1) < 1e-6);
  await page.locator("summary", { hasText: "collider.floor" }).click();
  await page.getByLabel("move y [m]", { exact: true }).last().fill("-1");
  await page.keyboard.press("Enter");
  await other.waitForFunction(() => Math.abs(window.sinew.viewer.stage.panes[0].glass.group.children[0].matrix.elements[13] + 1.1) < 1e-6, null, { timeout: 60000 });
  await other.context().close();
  await done(page);
});

real_test("a mesh", async () => {
  writeFileSync(join(folder, "tet.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const page = await view("tet.obj");
  assert.equal((await shown(page))[0].triangles, 4);
  assert.equal(await page.isVisible("#scrub"), false);
  await done(page);
});

real_test("an exported page holds the run", async () => {
  tool("view", "one", "--field", "von_mises", "--export", "page.html");
  const page = await open_page(pathToFileURL(join(folder, "page.html")).href);
  await settle(page);
  await page.keyboard.press("End");
  await settle(page);
  assert.equal((await shown(page))[0].index, 30);
  assert.equal(await page.textContent(".legend-title"), "von_mises [kPa]");
  await done(page);
});

real_test("pictures have the size asked for", () => {
  tool("picture", "one", "--frame", "20", "--size", "640x400", "-o", "one.png");
  const png = readFileSync(join(folder, "one.png"));
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [640, 400]);
  assert.ok(statSync(join(folder, "one.png")).size > 5000);
});
