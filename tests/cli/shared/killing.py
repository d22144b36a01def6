"""Runs that are killed at random times: no visible file is broken, and going on gives the same state."""
import pathlib
import random
import time

from sinew_tool import *


def kill_runs(kills, kills_a_run=4):
    """Kills that many times in all; a run is killed several times on its way, then finished."""
    scene = write_scene("killed.json", time={"fps": 60, "frames": 40}, output={"checkpoint_every": 3})
    start = time.monotonic()
    expect(0, ["run", scene, "-o", fresh("reference"), "--quiet"])
    seconds = time.monotonic() - start
    numbers = random.Random()
    done = runs = files = 0
    while done < kills:
        folder = fresh("killed")
        runs += 1
        for attempt in range(min(kills_a_run, kills - done)):
            command = [TOOL, "run", scene, "-o", folder, "--quiet"] + (["--resume"] if attempt else [])
            process = subprocess.Popen(command)
            try:
                process.wait(timeout=numbers.uniform(0.01, 0.6 * seconds))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                done += 1
                files += check_folder(folder)
                check_sums(folder)
        expect(0, ["run", scene, "-o", folder, "--resume", "--quiet"])
        check_folder(folder)
        check(check_sums(folder) > 0, "sums in run.json")
        check(not list(pathlib.Path(folder).rglob("*.tmp.*")), "unfinished files are removed")
        check(state_hash(folder) == state_hash("reference"), "the same state")
        expect(0, ["diff", "reference", folder], "the same to the last bit")
    print(f"{runs} runs killed {done} times, {files} files whole, state {state_hash('reference')}")
    finish()
