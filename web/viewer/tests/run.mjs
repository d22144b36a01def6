// Builds the page and runs the tests: `node tests/run.mjs [unit|page|real]`, all without a word.
//
// `real` needs $SINEW, the tool; it is left out with a message where that is not set.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));
const groups = {
  unit: ["tests/messages.test.mjs", "tests/view.test.mjs"],
  page: ["tests/page.test.mjs"],
  real: ["tests/real.test.mjs"],
};
const wanted = process.argv[2] ? [process.argv[2]] : Object.keys(groups);
const run = (args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: "inherit" });
  if (status !== 0) process.exit(1);
};
if (!process.env.SINEW) console.log("real: skipped, $SINEW does not name the tool");
run(["build.mjs"]);
run(["--test", ...wanted.flatMap((group) => (group === "real" && !process.env.SINEW ? [] : groups[group]))]);
