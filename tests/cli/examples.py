"""Every example runs to its end, converges, and meets its expectations."""
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

if not EXAMPLES:
    sys.exit(77)
for folder in EXAMPLES:
    scene = json.loads(expect(0, ["info", folder / "scene.json", "--json"]).stdout or "{}")
    check(scene.get("expectations", 0) > 0, f"{folder.name}: has no \"expect\"")
    check((folder / "README.md").exists(), f"{folder.name}: has no README.md")
    start = time.monotonic()
    expect(0, ["run", folder / "scene.json", "-o", fresh(folder.name), "--quiet"])
    print(f"{folder.name}: {time.monotonic() - start:.1f} s")
    check(check_folder(folder.name) > 0, f"{folder.name}: wrote nothing")
finish()
