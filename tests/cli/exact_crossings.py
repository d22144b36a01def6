"""The program that looks for surfaces that cross in the frames of a run: finds them where a block falls through another
that it does not touch, and none in a beam that bends."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import TOOL, check, expect, finish, fresh, write_scene

PROGRAM = pathlib.Path(TOOL).parent / "exact_crossings"


def block(height):
    return {"mesh": {"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}}, "place": {"translate": [0.1, 0.2, height]},
            "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}


def crossings(folder):
    return subprocess.run([PROGRAM, folder, "."], capture_output=True, text=True, timeout=60)


if not PROGRAM.exists():
    sys.exit(77)

write_scene("beam.json")
expect(0, ["run", "beam.json", "-o", fresh("beam")])
result = crossings("beam")
check(result.returncode == 0 and ", 0 pairs meet" in result.stdout, result.stdout + result.stderr)

write_scene("fall.json", bodies={"low": block(0), "high": block(1.25)},
            attach=[{"what": "low.zmin", "name": "ground"}], gravity=[0, 0, -9.81], time={"fps": 10, "frames": 4})
expect(0, ["run", "fall.json", "-o", fresh("fall")])
result = crossings("fall")
check(result.returncode == 1, result.stdout + result.stderr)
check("frame_00000.npz" not in result.stdout, "blocks that are apart at the start:\n" + result.stdout)
check("one of low and one of high" in result.stdout, result.stdout)

check(crossings("nothing").returncode == 2, "a folder that is not there")
finish()
