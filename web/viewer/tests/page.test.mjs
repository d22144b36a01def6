// The page in a real browser, against a server that speaks the protocol with made-up bodies.
import assert from "node:assert/strict";
import { readFile, writeFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import { close_browser, matches_picture, on_screen, open_page, settle, shown, skip } from "./browser.mjs";
import { exported_page } from "./export_fixture.mjs";
import { start_fake } from "./fake_server.mjs";
import { load } from "./load.mjs";

const { decode_block } = await load("messages");
after(close_browser);

// Runs `body` on a page of a fake server and checks that nothing was written to the console.
function page_test(name, { server: options = {}, query = "", ...page_options }, body) {
  test(name, { skip, timeout: 120000 }, async () => {
    const server = await start_fake(options);
    const page = await open_page(server.url + query, page_options);
    try {
      await settle(page);
      await body(page, server);
      assert.deepEqual(page.problems, []);
    } finally {
      await page.context().close();
      await server.close();
    }
  });
}

const last = (server, what) => server.said.filter((message) => message.do === what).at(-1);

// What the page sends comes with one of its next screen refreshes.
async function until(condition) {
  for (const end = Date.now() + 20000; !condition() && Date.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 20));
}

page_test("a run: play, scrub, step, keys", { server: { frames: 10 } }, async (page, server) => {
  assert.equal(await page.textContent("#title"), "twisted_bar");
  assert.match(await page.title(), /twisted_bar/);
  assert.equal((await shown(page))[0].index, 0);
  await page.click("#play");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index >= 6);
  await page.click("#play");
  assert.equal(await page.getAttribute("#play", "aria-label"), "Play");
  await page.locator("#scrub").fill("4");
  await settle(page);
  assert.match(await page.textContent("#frame-text"), /^4 \/ 9 +0.1667 s$/);
  assert.match(page.url(), /token=0123456789abcdef.*frame=4/);
  await page.locator("#scrub").evaluate((slider) => slider.blur());
  await page.keyboard.press("ArrowRight");
  await settle(page);
  assert.equal((await shown(page))[0].index, 5);
  await page.keyboard.press("End");
  await settle(page);
  assert.equal((await shown(page))[0].index, 9);
  await page.keyboard.press("Home");
  await settle(page);
  assert.equal((await shown(page))[0].index, 0);
  assert.ok(server.said.every((message) => ["show", "clip", "frame", "ready"].includes(message.do)));
});

page_test("a field: legend, component, ranges", { server: { frames: 5 }, query: "&frame=4" }, async (page, server) => {
  assert.equal(await page.isVisible("#legend"), false);
  await page.selectOption("#field-name", "von_mises");
  await settle(page);
  assert.equal((await shown(page))[0].field.name, "von_mises");
  assert.equal(await page.textContent(".legend-title"), "von_mises [kPa]");
  assert.deepEqual(await page.locator(".legend-tick").allTextContents(), ["0", "5", "10", "15", "20"]);
  await page.selectOption("#field-name", "displacement");
  await page.selectOption("[aria-label=Component]", "y");
  await settle(page);
  assert.equal(await page.textContent(".legend-title"), "displacement y [mm]");
  assert.equal(last(server, "show").component, "y");
  await page.selectOption("[aria-label='Range of the colours']", "fixed");
  await page.fill("[aria-label='Lowest value of the colours']", "0");
  await page.fill("[aria-label='Highest value of the colours']", "0.25");
  await page.keyboard.press("Enter");
  await settle(page);
  assert.deepEqual(await page.locator(".legend-tick").allTextContents(), ["0", "50", "100", "150", "200", "250"]);
  assert.match(page.url(), /range=0:0.25/);
  await page.selectOption("[aria-label='Range of the colours']", "run");
  await settle(page);
  assert.equal(last(server, "show").range, "run");
});

page_test("a click picks, the card follows the frames", { server: { frames: 5 }, query: "&frame=2&field=displacement" }, async (page) => {
  const point = await on_screen(page, [0.2, 0.2, 0.1]);
  await page.mouse.click(point.x, point.y);
  const card = page.locator("#card");
  assert.match(await card.innerText(), /Body\s+bar[\s\S]*Node\s+\d+[\s\S]*Tet\s+\d+[\s\S]*Position \[m\][\s\S]*displacement \[mm\]\s+\d/);
  const before = await card.innerText();
  await page.keyboard.press("ArrowRight");
  await settle(page);
  assert.notEqual(await card.innerText(), before);
  await page.keyboard.press("Escape");
  assert.equal(await card.isVisible(), false);
});

page_test("bodies, styles, clip plane, marks", { server: { frames: 3 } }, async (page, server) => {
  const [{ triangles }] = await shown(page);
  await page.getByLabel("block").uncheck();
  await page.keyboard.press("w");
  await page.waitForTimeout(400);
  assert.match(page.url(), /style=wire&hide=block/);
  await page.click("[data-style=points]");
  await page.click("[data-style=edges]");
  await page.keyboard.press("c");
  await settle(page);
  assert.deepEqual(last(server, "clip").plane.slice(0, 3), [1, 0, 0]);
  assert.ok((await shown(page))[0].triangles < triangles);
  await page.getByLabel("Keep the other side").click();
  await settle(page);
  assert.deepEqual(last(server, "clip").plane.slice(0, 3), [-1, 0, 0]);
  await page.getByLabel("Contacts").check();
  await page.getByLabel("Constraints").check();
  await page.waitForTimeout(400);
  assert.match(page.url(), /marks=contacts,constraints/);
  await page.keyboard.press("c");
  await settle(page);
  assert.equal(last(server, "clip").plane, null);
});

page_test("the camera: drag, presets, fit, and the copied command", { query: "&field=von_mises&frame=3" }, async (page) => {
  await page.mouse.move(300, 500);
  await page.mouse.down();
  await page.mouse.move(380, 540, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(400);
  assert.match(page.url(), /camera=-?[\d.]+,[\d.]+,[\d.]+&/);
  await page.selectOption("[aria-label='View from']", "Front");
  await page.keyboard.press("f");
  await page.waitForTimeout(400);
  assert.match(page.url(), /camera=-?0,0,/);
  await page.getByLabel("Copy the view as a command").click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^sinew picture out\/twisted_bar --field von_mises --camera[ =]-?0,0,[\d.,-]+ --theme light --frame 3 --size \d+x\d+ -o picture.png$/);
});

page_test("a screenshot is a PNG with the colour bar", { query: "&field=von_mises&frame=10" }, async (page) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("p")]);
  assert.equal(download.suggestedFilename(), "twisted_bar_10.png");
  const png = await readFile(await download.path());
  assert.ok((await matches_picture(page, "screenshot", png)) < 2);
});

page_test("a live scene: play, step, reset, grab, drag an attachment, edit", { server: { kind: "scene" } }, async (page, server) => {
  await page.click("#step");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index === 1);
  await page.click("#play");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index >= 5);
  await page.click("#play");
  await page.waitForFunction(() => !window.sinew.viewer.live_playing);
  await page.click("#reset");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index === 0);

  const highest = () => page.evaluate(() => Math.max(...window.sinew.viewer.shown[0].positions.filter((_, i) => i % 3 === 1)));
  const start = await highest();
  const handle = await on_screen(page, [0.4, 0.15, 0.05]);
  await page.mouse.move(handle.x, handle.y);
  await page.mouse.down();
  await page.mouse.move(handle.x, handle.y - 80, { steps: 5 });
  await page.mouse.up();
  await until(() => last(server, "pose")?.translate[1] > 0.02);
  await page.waitForTimeout(300);
  const pose = last(server, "pose");
  assert.equal(pose.name, "attach.right");
  assert.ok(pose.translate[1] > 0.02);
  assert.ok((await highest()) > start + 0.02, "the body follows");

  await page.keyboard.press("g");
  const top = await on_screen(page, [0.1, 0.2, 0.1]);
  await page.mouse.move(top.x, top.y);
  await page.mouse.down();
  await page.mouse.move(top.x + 40, top.y - 40, { steps: 5 });
  await page.mouse.up();
  await until(() => last(server, "release"));
  const words = server.said.map((message) => message.do);
  assert.ok(words.indexOf("grab") < words.lastIndexOf("move") && words.lastIndexOf("move") < words.lastIndexOf("release"));
  assert.ok(Number.isInteger(last(server, "grab").node));

  await page.selectOption("[aria-label=Method]", "newton");
  await page.fill("[aria-label='bodies.bar.material.young [Pa]']", "5e5");
  await page.keyboard.press("Enter");
  await page.fill("[aria-label='gravity y']", "-3");
  await page.keyboard.press("Enter");
  await until(() => last(server, "input") && last(server, "set"));
  assert.equal(last(server, "method").name, "newton");
  assert.deepEqual(last(server, "set"), { do: "set", path: "bodies.bar.material.young", value: 5e5 });
  assert.deepEqual(last(server, "input").value, [0, -3, 0]);
  await page.getByLabel("Save the session").click();
  await page.getByText("saved as session.json").waitFor();
});

page_test("colliders are seen through, move with the frames and can be hidden", { server: { frames: 4, colliders: true }, query: "&frame=3" }, async (page) => {
  const post = () => page.evaluate(() => {
    const { group } = window.sinew.viewer.stage.panes[0].glass;
    return { at: group.children[1].matrix.elements.slice(12, 15), visible: group.children[1].visible };
  });
  assert.ok(Math.abs((await post()).at[1] - 0.25) < 1e-6);
  assert.ok((await matches_picture(page, "colliders")) < 2);
  await page.keyboard.press("Home");
  await settle(page);
  assert.ok(Math.abs((await post()).at[1] - 0.15) < 1e-6);
  await page.getByLabel("post").uncheck();
  await page.waitForTimeout(400);
  assert.match(page.url(), /hide=post/);
  assert.equal((await post()).visible, false);
});

// The fake server shares nothing between pages; what a real one tells is told here.
page_test("what another page or the scene changes is followed", { server: { kind: "scene" } }, async (page, server) => {
  const value = (label) => page.getByLabel(label, { exact: true }).inputValue();
  const scene = await page.evaluate(() => window.sinew.viewer.hello_.scene);
  scene.method = "hybrid";
  scene.numbers[0].value = 3e4;
  server.tell({ say: "state", playing: false, scene, reset: false });
  await page.waitForFunction(() => document.querySelector("[aria-label=Method]").value === "hybrid");
  assert.equal(Number(await value("bodies.bar.material.young [Pa]")), 3e4);
  await page.evaluate(() => window.sinew.viewer.send({ do: "input", name: "gravity", value: [0, 2.5, 0] }));
  await page.waitForFunction(() => document.querySelector("[aria-label='gravity y']").value === "2.5");
  await page.evaluate(() => window.sinew.viewer.send({ do: "pose", name: "attach.right", translate: [0, 0.125, 0] }));
  await page.waitForFunction(() => document.querySelector("[aria-label='move y [m]']").value === "0.125");
  // Not while the reader types.
  await page.focus("[aria-label='gravity y']");
  await page.evaluate(() => window.sinew.viewer.send({ do: "input", name: "gravity", value: [0, 7, 0] }));
  await page.waitForFunction(() => window.sinew.viewer.shown[0].inputs.gravity[1] === 7);
  assert.equal(await value("gravity y"), "2.5");
  // The box grows, the camera stays.
  const camera = () => page.evaluate(() => window.sinew.viewer.stage.orbit.camera.position.toArray());
  const before = await camera();
  server.tell({ say: "box", pane: 0, box: [[0, -2, 0], [0.4, 0.35, 0.15]] });
  await page.waitForFunction(() => window.sinew.viewer.stage.box[0][1] === -2);
  assert.deepEqual(await camera(), before);
});

page_test("a hand that the scene takes away lets go", { server: { kind: "scene" } }, async (page, server) => {
  await page.keyboard.press("g");
  const top = await on_screen(page, [0.1, 0.2, 0.1]);
  await page.mouse.move(top.x, top.y);
  await page.mouse.down();
  await page.mouse.move(top.x + 40, top.y - 40, { steps: 3 });
  await until(() => last(server, "move"));
  server.tell({ say: "state", playing: true, released: true });
  server.tell({ say: "error", text: "frame 14 could not be computed; the hand let go" });
  await page.getByText("the hand let go").waitFor();
  assert.equal(await page.evaluate(() => window.sinew.viewer.stage.panes[0].grab_line.visible), false);
  const moves = server.said.filter((message) => message.do === "move").length;
  await page.mouse.move(top.x + 90, top.y - 90, { steps: 3 });
  await page.mouse.up();
  await page.waitForTimeout(200);
  assert.equal(server.said.filter((message) => message.do === "move").length, moves);
  assert.equal(last(server, "release"), undefined);
});

page_test("of a large model a part is drawn while it moves, and all of it at rest", { server: { frames: 3, cells: 84 }, query: "&field=von_mises" }, async (page) => {
  const [{ triangles }] = await shown(page);
  assert.ok(triangles > 300000);
  await page.evaluate(() => {
    const { stage } = window.sinew.viewer;
    const before = stage.onrender;
    window.drawn = [];
    stage.onrender = () => {
      before();
      window.drawn.push(stage.renderer.info.render.triangles);
    };
  });
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((all) => window.drawn.length > 1 && window.drawn.at(-1) === all, triangles, { timeout: 60000 });
  const [moving] = await page.evaluate(() => window.drawn);
  assert.ok(moving > 50000 && moving < 250000, `${moving} triangles`);
});

page_test("a frame that did not converge says why", { query: "&frame=17" }, async (page) => {
  await shown(page);
  assert.equal(await page.textContent("td[data-stat=status]"), "stalled");
  assert.equal(await page.textContent(".why"), "bar at (0.1, 0.05, 0), element 12: 2 elements are inverted. To try: take more frames.");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index === 18, null, { timeout: 20000 });
  assert.equal(await page.isVisible(".why"), false);
});

page_test("a mesh has no time line", { server: { kind: "mesh" } }, async (page) => {
  assert.equal(await page.isVisible("#scrub"), false);
  assert.equal(await page.isVisible("#play"), false);
  assert.equal(await page.isVisible("#statistics"), false);
});

page_test("two runs share time, camera and colours", { server: { panes: 2, frames: 8 }, query: "&field=displacement&frame=6" }, async (page, server) => {
  const [one, other] = await shown(page);
  assert.deepEqual([one.index, other.index], [6, 6]);
  assert.ok(other.field.max < one.field.max);
  assert.deepEqual(await page.locator("#names span").allTextContents(), ["newton", "pbng"]);
  const scales = await page.evaluate(() => window.sinew.viewer.stage.panes.map(({ look }) => look.range.value.y));
  assert.equal(scales[0], scales[1]);
  assert.ok(server.said.some((message) => message.do === "frame" && message.pane === 1));
  assert.ok((await matches_picture(page, "two_runs")) < 2);
});

page_test("a missing frame is told, and playing goes on behind it", { server: { frames: 6, missing: 2 } }, async (page) => {
  await page.click("#play");
  await page.waitForFunction(() => window.sinew.viewer.shown[0].index === 5, null, { timeout: 20000 });
  assert.match(await page.textContent("#toasts"), /there is no frame 2/);
});

test("a lost connection can be made again", { skip, timeout: 60000 }, async () => {
  const server = await start_fake({ frames: 4 });
  const page = await open_page(server.url, { allow: /WebSocket/ });
  await settle(page);
  server.drop();
  await page.getByText("The connection is lost").waitFor();
  await page.getByRole("button", { name: "Reconnect" }).click();
  await page.waitForFunction(() => document.getElementById("banner").hidden && window.sinew.viewer.settled());
  assert.deepEqual(page.problems, []);
  await page.context().close();
  await server.close();
});

test("without WebGL 2 the page says what to do", { skip }, async () => {
  const server = await start_fake();
  const page = await open_page(server.url, {
    before: () => {
      HTMLCanvasElement.prototype.getContext = () => null;
    },
  });
  assert.match(await page.innerText("main"), /WebGL 2[\s\S]*hardware acceleration/);
  await page.context().close();
  await server.close();
});

page_test("captures come in the size and with the settings asked for", { server: { frames: 4 } }, async (page, server) => {
  server.tell({ say: "capture", frame: 3, field: "von_mises", size: "640x400", camera: "60,30,1.2", style: "edges", theme: "dark", range: "0:20000" });
  server.tell({ say: "capture", frame: 1, size: "300x200" });
  const until = Date.now() + 60000;
  while (server.pictures.length < 2 && Date.now() < until) await page.waitForTimeout(50);
  const pictures = server.pictures.map((bytes) => decode_block(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));
  assert.deepEqual(pictures.map(({ header }) => [header.say, header.frame]), [["picture", 3], ["picture", 1]]);
  const sizes = pictures.map(({ arrays }) => {
    const png = Buffer.from(arrays.get("png").data);
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  });
  assert.deepEqual(sizes, [[640, 400], [300, 200]]);
  assert.ok((await matches_picture(page, "capture", Buffer.from(pictures[0].arrays.get("png").data))) < 2);
});

test("an exported page plays from a file", { skip, timeout: 60000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "sinew-page-"));
  const file = join(folder, "page.html");
  await writeFile(file, await exported_page({ frames: 8 }));
  const page = await open_page(pathToFileURL(file).href);
  await settle(page);
  await page.keyboard.press("End");
  await settle(page);
  assert.equal((await shown(page))[0].index, 7);
  assert.equal(await page.textContent(".legend-title"), "von_mises [kPa]");
  await page.keyboard.press("c");
  assert.match(await page.locator("#clip label").getAttribute("title"), /surface alone/);
  await page.selectOption("[aria-label='Range of the colours']", "run");
  await settle(page);
  assert.equal(await page.evaluate(() => window.sinew.viewer.scale.hi), 25000);
  assert.deepEqual(page.problems, []);
  await page.context().close();
  await rm(folder, { recursive: true });
});

for (const [size, scheme] of [["1280x800", "light"], ["1280x800", "dark"], ["1920x1080", "light"], ["1920x1080", "dark"]])
  page_test(`looks as it did: ${size}, ${scheme}`, { size: size.split("x").map(Number), scheme, query: `&field=von_mises&frame=12&style=${size === "1280x800" ? "edges" : "surface"}` }, async (page) => {
    assert.ok((await matches_picture(page, `run_${size}_${scheme}`)) < 2);
  });

page_test("looks as it did: live scene", { server: { kind: "scene" }, query: "&marks=contacts,constraints" }, async (page) => {
  assert.ok((await matches_picture(page, "live")) < 2);
});

page_test("every control has a name, and Tab reaches them in order", {}, async (page) => {
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select")]
      .filter((control) => !control.getAttribute("aria-label") && !control.closest("label")?.textContent && !control.textContent)
      .map((control) => control.outerHTML),
  );
  assert.deepEqual(nameless, []);
  const order = [];
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    order.push(await page.evaluate(() => document.activeElement.closest("#bar, #view, #panel")?.id ?? "none"));
  }
  const parts = order.filter((part, i) => part !== order[i - 1] && part !== "none");
  assert.deepEqual(parts.slice(0, 3), ["bar", "view", "panel"]);
});

page_test("the list of keys opens and closes", {}, async (page) => {
  await page.keyboard.press("?");
  assert.match(await page.innerText("#keys"), /Space[\s\S]*play or pause/);
  await page.keyboard.press("Escape");
  assert.equal(await page.isVisible("#keys"), false);
});
