"""The viewer's page in chromium: its own tests, with a server of their own and with the tool's. Skipped where the page was
not built or there is no chromium."""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import TOOL, TREE

WEB = pathlib.Path(TOOL).resolve().parents[1] / "web" / "viewer"  # the copy that the page was built in

if not (WEB / "node_modules").exists():
    print("skipped: the page was not built here; nodejs and npm are missing")
    sys.exit(77)
if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
    print("skipped: no chromium")
    sys.exit(77)

shutil.copytree(TREE / "web" / "viewer" / "tests", WEB / "tests", dirs_exist_ok=True)
subprocess.run([WEB / "node_modules" / ".bin" / "tsc", "--noEmit"], cwd=WEB, check=True)
environment = {**os.environ, "SINEW": TOOL, "SINEW_TREE": str(TREE)}
sys.exit(subprocess.run(["node", "tests/run.mjs"], cwd=WEB, env=environment).returncode)
