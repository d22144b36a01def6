// Bundles src/ into one page with everything in it: `node build.mjs [OUTPUT]`, by default dist/page.html.
import { build } from "esbuild";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist", "page.html");
const bundled = ["three"]; // whose code ends up in the page

const shared = { absWorkingDir: here, bundle: true, minify: true, write: false, legalComments: "none", logLevel: "warning" };
const script = await build({ ...shared, entryPoints: ["src/main.ts"], format: "esm", target: "es2022" });
const style = await build({ ...shared, entryPoints: ["src/style.css"] });
const text = (result) => result.outputFiles[0].text.trim();

const licences = await Promise.all(
  bundled.map(async (name) => {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const licence = (await readFile(join(folder, "LICENSE"), "utf8")).trim();
    return `This page contains ${name} ${version}:\n\n${licence}`.replaceAll("--", "- -");
  }),
);
// A closing tag inside of a string would end the script.
const inlined = text(script).replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const page = (await readFile(join(here, "src", "page.html"), "utf8"))
  .replace("<!--LICENCES-->", () => `<!--\n${licences.join("\n\n")}\n-->`)
  .replace("/*STYLE*/", () => text(style))
  .replace("/*SCRIPT*/", () => inlined);

await mkdir(dirname(output), { recursive: true });
await writeFile(`${output}.part`, page);
await rename(`${output}.part`, output);
