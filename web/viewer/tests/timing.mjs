// What a frame costs the page: `node tests/timing.mjs [CELLS] [FIELD] [FRAMES]`; 46 cells are 50K vertices and
// 100K triangles, 145 are 1M triangles. Milliseconds: the page's own time; until a frame that
// follows another is on the screen; drawing everything when nothing moves.
// Meant for a machine that has nothing else to do.
import { close_browser, open_page, settle } from "./browser.mjs";
import { start_fake } from "./fake_server.mjs";

const [cells = "46", field = "none", frames = "30"] = process.argv.slice(2);
const server = await start_fake({ frames: 3, cells: Number(cells) });
const page = await open_page(server.url + (field === "none" ? "" : `&field=${field}`));
await settle(page);
const { own, moving, whole, vertices, triangles } = await page.evaluate((count) => {
  const { viewer, timings } = window.sinew;
  const frame = viewer.shown[0];
  const measure = (wait) => {
    timings.wait_for_card = wait;
    return Array.from({ length: count + 3 }, () => {
      viewer.show([frame]);
      viewer.stage.finish(); // nothing waits from one frame to the next
      return timings.total;
    }).slice(3);
  };
  const draw_whole = () => {
    viewer.draw(true);
    return timings.draw;
  };
  const result = { own: measure(false), moving: measure(true), whole: Array.from({ length: count }, draw_whole) };
  return { ...result, vertices: frame.topology.nodes.length, triangles: frame.topology.body.length };
}, Number(frames));
const at = (list, part) => [...list].sort((a, b) => a - b)[Math.floor(part * (list.length - 1))].toFixed(1);
console.log(`${vertices} vertices, ${triangles} triangles, field ${field}`);
console.log(`own time: median ${at(own, 0.5)}, 90 % ${at(own, 0.9)}; on the screen: median ${at(moving, 0.5)}, best ${at(moving, 0)}; at rest: median ${at(whole, 0.5)}, best ${at(whole, 0)}`);
await page.context().close();
await close_browser();
await server.close();
