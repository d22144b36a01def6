"""One state hash for 1, 2 and 3 threads on every example, and for 8 on one."""
import json

from sinew_tool import *


def compare_threads(frames):
    """The first frames of each example; None: all of them."""
    if not EXAMPLES:
        sys.exit(77)
    for folder in EXAMPLES:
        hashes = {}
        for threads in (1, 2, 3) + ((8,) if folder == EXAMPLES[0] else ()):
            command = ["run", folder / "scene.json", "-o", fresh("out"), "--threads", threads, "--export", "none",
                       "--json"]
            last = json.loads(sinew("info", folder / "scene.json", "--json").stdout or '{"frames": 1}')["frames"]
            if frames and frames < last:
                command += ["--frames", f"{frames}:{frames}"]
            outcome = json.loads(expect(0, command).stdout or "{}")
            hashes[threads] = outcome.get("state_hash")
        print(folder.name, hashes)
        check(len(set(hashes.values())) == 1 and None not in hashes.values(), f"{folder.name}: {hashes}")
    finish()
