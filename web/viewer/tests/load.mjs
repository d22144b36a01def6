// A module of src/, bundled for node: `const { ticks } = await load("ticks")`.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

export async function load(name) {
  const entry = fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));
  const result = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm", platform: "neutral", mainFields: ["module", "main"] });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].text).toString("base64")}`);
}
