"""Runs that are killed at random times: no visible file is broken, and going on gives the same state."""
import pathlib
import random
import time

from sinew_tool import *


def kill_runs(count):
    scene = write_scene("killed.json", time={"fps": 60, "frames": 40}, output={"checkpoint_every": 3})
    start = time.monotonic()
    expect(0, ["run", scene, "-o", fresh("reference"), "--quiet"])
    seconds = time.monotonic() - start
    numbers = random.Random()
    for k in range(count):
        folder = fresh(f"run{k}")
        kills = 0
        # Usually killed several times on its way.
        for attempt in range(4):
            command = [TOOL, "run", scene, "-o", folder, "--quiet"] + (["--resume"] if attempt else [])
            process = subprocess.Popen(command)
            try:
                process.wait(timeout=numbers.uniform(0.01, 0.6 * seconds))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
                check_folder(folder)
        expect(0, ["run", scene, "-o", folder, "--resume", "--quiet"])
        files = check_folder(folder)
        check(not list(pathlib.Path(folder).rglob("*.tmp.*")), f"{folder}: unfinished files are removed")
        check(state_hash(folder) == state_hash("reference"), f"{folder}: the same state")
        expect(0, ["diff", "reference", folder], "the same to the last bit")
        print(f"{folder}: killed {kills} times, {files} files whole, state {state_hash(folder)}")
    finish()
