"""Stopped and continued runs end in the same bits."""
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *


def same_files(a, b):
    """All results but run.json, which tells times, and the seconds in the statistics."""
    for path in sorted(pathlib.Path(a).rglob("*")):
        other = pathlib.Path(b) / path.relative_to(a)
        if path.is_file() and path.suffix in (".npz", ".vtu", ".pvd"):
            check(other.exists() and path.read_bytes() == other.read_bytes(), f"{other} is as {path}")


# 100 steps = 50 + 50.
scene = write_scene("hundred.json", time={"fps": 60, "frames": 100},
                    solve={"mode": "dynamic", "integrator": "bdf2"}, output={"checkpoint_every": 7, "fields": []})
expect(0, ["run", scene, "-o", fresh("whole"), "--threads", "1"])
expect(0, ["run", scene, "-o", fresh("halves"), "--frames", "0:50", "--threads", "2"])
expect(0, ["run", scene, "-o", "halves", "--resume", "--threads", "1"])
same_files("whole", "halves")
check(state_hash("whole") == state_hash("halves"), "100 = 50 + 50")
expect(0, ["diff", "whole", "halves"], "the same to the last bit: 101 frames")
check_folder("halves")
expect(0, ["diff", "whole/checkpoint.bin", "halves/checkpoint.bin"], "the same to the last bit")

# In the middle of contact: what sticks and slips is in the checkpoint.
falling = write_scene(
    "contact.json",
    bodies={name: {"mesh": {"box": {"size": [0.2, 0.2, 0.1], "cells": [3, 3, 1], "origin": origin}}, "density": 1000,
                   "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4},
                   "initial": {"velocity": [1, 0, -1]}}
            for name, origin in (("low", [0, 0, 0.01]), ("high", [0.05, 0.03, 0.13]))},
    attach=[], colliders={"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}},
    contact={"friction": 0.3}, gravity=[0, 0, -9.81], time={"fps": 100, "frames": 12}, expect={},
    output={"export": []})
for method in ("newton", "pbng", "hybrid"):
    code = 3 if method == "pbng" else 0  # sweeps do not reach the tolerance
    solve = ["--set", "solve.mode=dynamic", "--set", f"solve.method={method}"]
    expect(code, ["run", falling, "-o", fresh(f"contact_{method}"), *solve])
    expect(code, ["run", falling, "-o", fresh(f"parts_{method}"), "--frames", "0:7", *solve])
    expect(code, ["run", falling, "-o", f"parts_{method}", "--resume", *solve])
    same_files(f"contact_{method}", f"parts_{method}")
    check(state_hash(f"contact_{method}") == state_hash(f"parts_{method}"), f"{method}: 12 = 7 + 5 in contact")
    lines = (pathlib.Path(f"contact_{method}") / "stats.jsonl").read_text().splitlines()
    check(json.loads(lines[7])["contacts"] > 0, f"{method}: frame 7 is in contact")

# SIGTERM and SIGINT: a checkpoint, exit 130, and on.
for number, name in ((signal.SIGTERM, "term"), (signal.SIGINT, "int")):
    process = subprocess.Popen([TOOL, "run", scene, "-o", fresh(name)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    while not (pathlib.Path(name) / "frames" / "frame_00003.npz").exists() and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(number)
    messages = process.communicate(timeout=60)[1]
    check(process.returncode == 130, f"{name}: exit {process.returncode}\n{messages}")
    check("--resume" in messages, f"{name}: says how to go on\n{messages}")
    check('"status": "interrupted"' in (pathlib.Path(name) / "run.json").read_text(), f"{name}: run.json")
    check_folder(name)
    expect(0, ["run", scene, "-o", name, "--resume"])
    same_files("whole", name)
    check(state_hash(name) == state_hash("whole"), f"{name}: the same state")

# A frame that was changed after it was written, in a run that was killed.
process = subprocess.Popen([TOOL, "run", scene, "-o", fresh("hurt")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while not (pathlib.Path("hurt") / "frames" / "frame_00030.npz").exists() and process.poll() is None:
    time.sleep(0.005)
process.kill()
process.wait()
frame = pathlib.Path("hurt/frames/frame_00002.npz")
good = frame.read_bytes()
frame.write_bytes(good[:200] + bytes([good[200] ^ 1]) + good[201:])
expect(2, ["run", scene, "-o", "hurt", "--resume"], "frames/frame_00002.npz", "not what the run wrote", "--force")
frame.unlink()
expect(2, ["run", scene, "-o", "hurt", "--resume"], "frames/frame_00002.npz", "missing")
expect(0, ["run", scene, "-o", "hurt", "--resume", "--force", "--frames", "0:40"], "frames/frame_00002.npz")
frame.write_bytes(good)
expect(0, ["run", scene, "-o", "hurt", "--resume"])
same_files("whole", "hurt")

# Another scene, and a broken checkpoint.
expect(2, ["run", scene, "-o", "term", "--resume", "--set", "gravity=[0,0,0]"], "--force")
data = (pathlib.Path("term") / "checkpoint.bin").read_bytes()
(pathlib.Path("term") / "checkpoint.bin").write_bytes(data[:-20])
expect(2, ["run", scene, "-o", "term", "--resume"], "checkpoint.bin", "broken", "--force")
finish()
