"""A run that does not converge: why, in the terminal, run.json, stats.jsonl and report.html; and what is kept of it."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *


def lines(folder):
    return [json.loads(line) for line in (pathlib.Path(folder) / "stats.jsonl").read_text().splitlines()]


def look_at(folder, result, frame, body):
    """The reason of a frame, wherever it is told."""
    line, run = lines(folder)[frame], json.loads((pathlib.Path(folder) / "run.json").read_text())
    reason = line["reason"]
    check(reason["body"] == body and len(reason["place"]) == 3 and reason["cause"] and reason["advice"], f"{folder}: {reason}")
    check({**reason, "frame": frame} in run["reasons"], f"{folder}: run.json")
    page = (pathlib.Path(folder) / "report.html").read_text()
    for words in (reason["cause"], reason["advice"]):
        check(words.replace('"', "&quot;") in page or words in page, f"{folder}: '{words}' in the report")
        check(words in result.stdout + result.stderr, f"{folder}: '{words}' in the terminal\n{result.stderr}")
    check((pathlib.Path(folder) / f"frames/frame_{frame:05}.npz").exists(), f"{folder}: frame {frame} is there")
    return reason


# The right end goes through the left one. What each method reached is kept, and the run goes on.
squeezed = {"method": "newton", "mode": "quasistatic",
            **{method: {"iterations": 4} for method in ("newton", "hybrid", "l_bfgs")}}
motion = [{"time": 0}, {"time": 0.1, "translate": [-3, 0, 0]}]
for method in ("newton", "hybrid", "l_bfgs"):
    scene = write_scene("squeezed.json", attach=[{"what": "beam.xmin", "name": "wall"},
                                                 {"what": "beam.xmax", "name": "ram", "motion": motion}],
                        gravity=[0, 0, 0], solve={**squeezed, "method": method}, time={"fps": 20, "frames": 2})
    folder = fresh(method)
    result = expect(3, ["run", scene, "-o", folder], 'the body "beam" at (', "2 frames did not reach the tolerance", "not_converged: frame 2")
    look_at(folder, result, 1, "beam")
    look_at(folder, result, 2, "beam")
    run = json.loads(pathlib.Path(folder, "run.json").read_text())
    check([line["status"] for line in lines(folder)] == ["start", "stalled", "stalled"], f"{method}: statuses")
    check(run["status"] == "not_converged" and run["frame"] == 2 and run["not_converged"] == 2, f"{method}: run.json")
    check(check_folder(folder) > 0, f"{method}: whole files")
outcome = json.loads(expect(3, ["run", scene, "-o", folder, "--force", "--json"]).stdout)
check([reason["frame"] for reason in outcome["reasons"]] == [1, 2], "run --json")

# Held blocks that close on a slab leave no room: the frame that fails is written as far as it came, and the run ends.
block = {"density": 1000, "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}}
box = lambda size, origin: {**block, "mesh": {"box": {"size": size, "cells": [1, 1, 1], "origin": origin}}}
press = {"sinew": 1, "contact": {}, "gravity": [0, 0, 0], "solve": {"mode": "dynamic"},
         "bodies": {"low": box([1, 1, 1], [0, 0, 0]), "slab": box([0.6, 0.6, 0.2], [0.2, 0.2, 1.05]),
                    "high": box([1, 1, 1], [0.02, 0.03, 1.3])},
         "attach": [{"what": "low.all"}, {"what": "high.all", "motion": [{"time": 0}, {"time": 1, "translate": [0, 0, -1]}]}],
         "time": {"fps": 4, "frames": 4}, "output": {"export": ["pvd"]}}
held_slab = box([1.6, 0.6, 0.2], [-0.3, 0.2, 1.05])
held_slab["mesh"]["box"]["cells"] = [8, 2, 1]
scene = write_scene("still.json", press, solve={"mode": "quasistatic"}, bodies={**press["bodies"], "slab": held_slab},
                    attach=[*press["attach"], {"what": "slab.xmin"}, {"what": "slab.xmax"}])
result = expect(3, ["run", scene, "-o", fresh("still")], "failed, and the run ends there")
last = len(lines("still")) - 1
line = lines("still")[last]
check(line["status"] == "failed" and (last - 1) / 4 < line["time"] < last / 4, f"between two frames: {line['time']}")
reason = look_at("still", result, last, line["reason"]["body"])
check("pass through" in reason["cause"] and "slab" in (reason["body"], reason["other"]), f"why it failed: {reason}")

scene = write_scene("press.json", press)
result = expect(3, ["run", scene, "-o", fresh("press")], "failed, and the run ends there")
statuses = [line["status"] for line in lines("press")]
last = len(statuses) - 1
check(statuses[-1] == "failed" and "failed" not in statuses[:-1], f"statuses {statuses}")
reason = look_at("press", result, last, lines("press")[last]["reason"]["body"])
check("pass through" in reason["cause"] and {reason["body"], reason["other"]} & {"slab", "high", "low"} != set(), f"{reason}")
run = json.loads(pathlib.Path("press/run.json").read_text())
check(run["frame"] == last - 1 and run["not_converged"] >= 1, "the last whole frame is the one before")
check(lines("press")[last - 1]["time"] <= lines("press")[last]["time"] < last / 4, "its own time")
check(check_folder("press") > 0, "whole files")
check((pathlib.Path("press/vtk") / f"slab_{last:05}.vtu").exists(), "the frame that failed is exported")
expect(0, ["info", "press"], "not_converged", reason["cause"])
expect(0, ["export", "press", "-o", fresh("npz"), "--format", "npz"])
# Going on from the frame before ends at the same place.
expect(3, ["run", scene, "-o", "press", "--resume"], "failed, and the run ends there")
check([line["status"] for line in lines("press")] == statuses and state_hash("press") == run["state_hash"], "resumed")

# What newton does not solve within its limits, the fallback chain does, and it says so; also in several parts.
scene = write_scene("pulled.json", attach=[{"what": "beam.xmin"}, {"what": "beam.xmax", "motion": [{"time": 0}, {"time": 2, "translate": [4, 0, 0]}]}],
                    gravity=[0, 0, 0], solve={"mode": "quasistatic", "newton": {"iterations": 1, "linear": "pcg", "linear_iterations": 1}},
                    time={"fps": 1, "frames": 2})
note = 'newton did not converge; the fallback "hybrid" did: hybrid'
expect(0, ["run", scene, "-o", fresh("pulled"), "--threads", 1], f"frame 1: {note}")
check(all(line["status"] == "converged" and note in line["notes"] for line in lines("pulled")[1:]), "the rung in stats.jsonl")
check(f"frame 2: {note}" in json.loads(pathlib.Path("pulled/run.json").read_text())["warnings"], "the rung in run.json")
check(note.replace('"', "&quot;") in pathlib.Path("pulled/report.html").read_text(), "the rung in the report")
expect(0, ["run", scene, "-o", fresh("parts"), "--frames", "0:1", "--threads", 2])
expect(0, ["run", scene, "-o", "parts", "--resume", "--threads", 2])
check(state_hash("parts") == state_hash("pulled"), "the same bits on other threads, and resumed")
expect(3, ["run", scene, "-o", fresh("none"), "--set", "solve.hybrid.iterations=1", "--set", "solve.hybrid.linear=pcg",
           "--set", "solve.hybrid.linear_iterations=1"], "the fallbacks did not converge either: increments, hybrid")

finish()
