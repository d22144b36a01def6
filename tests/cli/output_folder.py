"""`run` and its folder: exit codes, refusals, and that only whole files are left when writing fails."""
import ctypes
import json
import os
import pathlib
import resource
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

scene = write_scene("beam.json", time={"fps": 60, "frames": 3})

# A run, and what is then refused.
expect(0, ["run", scene, "-o", fresh("out")], "out/run.json", "out/vtk/beam.pvd", "done: frame 3")
check(check_folder("out") == 13, "the files of a run")
run = json.loads(pathlib.Path("out/run.json").read_text())
check(run["status"] == "done" and len(run["state_hash"]) == 16 and run["scene"]["gravity"] == [0, -9.81, 0], "run.json")
check({"cpu", "cores", "system"} <= run["machine"].keys() and run["threads"] >= 1, "run.json: machine")
check({entry["path"] for entry in run["files"]} ==
      {str(p.relative_to("out")) for p in pathlib.Path("out").rglob("*") if p.is_file()} - {"run.json", "report.html"}, "files")
expect(2, ["run", scene, "-o", "out"], "--resume", "--force")
expect(0, ["run", scene, "-o", "out", "--resume"])
expect(0, ["run", scene, "-o", "out", "--force", "--quiet"])
expect(2, ["run", scene, "-o", "out", "--set", "time.fps=50"], "another scene", "--force")
expect(2, ["run", scene, "-o", "out", "--set", "time.fps=50", "--resume"], "--force")
pathlib.Path(fresh("foreign")).mkdir()
pathlib.Path("foreign/letter.txt").write_text("dear")
expect(2, ["run", scene, "-o", "foreign"], "not empty")
outcome = json.loads(expect(0, ["run", scene, "-o", fresh("json"), "--json"]).stdout)
check(outcome["state_hash"] == run["state_hash"] and outcome["folder"] == "json", "run --json")
expect(0, ["diff", "out", "json"], "the same to the last bit")
expect(0, ["run", scene, "-o", fresh("other"), "--set", "gravity=[0,-9.8,0]", "--export", "none"])
check(not pathlib.Path("other/vtk").exists(), "--export none")
expect(1, ["diff", "out", "other"], "different", "first differ in frame_00001")
expect(0, ["diff", "out", "other", "--tol", "0.1"], "within the tolerance")
expect(0, ["diff", "out/checkpoint.bin", "json/checkpoint.bin"], "the same to the last bit")
expect(0, ["info", "out"], "done", run["state_hash"])
expect(2, ["run", scene, "-o", fresh("x"), "--frames", "2:9"], "--frames", "A:B")
expect(2, ["run", scene, "-o", fresh("x"), "--export", "pdv"], 'did you mean "pvd"?')
check(not pathlib.Path("x").exists(), "a refused run leaves no folder")

# Expectations and convergence.
bad = write_scene("bad.json", expect={"beam.volume": {"max": 0.1}}, time={"frames": 1})
expect(1, ["run", bad, "-o", fresh("bad")], "expectation not met", "beam.volume", "at most 0.1")
check(check_folder("bad") > 0, "a failed expectation leaves whole files")
# Steel far away: its positions are too coarse for its strains.
hard = write_scene("hard.json", time={"frames": 1}, solve={"mode": "quasistatic"}, bodies={"beam": {
    **BEAM["bodies"]["beam"], "place": {"translate": [4e6, 0, 0]},
    "material": {"model": "corotated", "young": 2e11, "poisson": 0.3}}})
expect(3, ["run", hard, "-o", fresh("hard")], "not_converged")
check(json.loads(pathlib.Path("hard/run.json").read_text())["status"] == "not_converged", "marked in run.json")
check(check_folder("hard") > 0, "output is written")
free = write_scene("free.json", attach=[], solve={"mode": "quasistatic"}, time={"frames": 1})
expect(2, ["run", free, "-o", fresh("free")], 'the body "beam" is free to move and has no equilibrium')
check(not pathlib.Path("free").exists(), "a body that falls leaves no folder")
expect(0, ["run", free, "-o", fresh("free"), "--set", "gravity=[0,0,0]"])
hinged = write_scene("hinged.json", attach=[{"what": "beam.hinge"}], solve={"mode": "quasistatic"}, time={"frames": 1},
                     gravity=[9.81, 0, 0], bodies={"beam": {**BEAM["bodies"]["beam"],
                     "mesh": {"box": {"size": [2, 0.5, 0.5], "cells": [8, 2, 2]}},
                     "select": {"hinge": {"box": [[0, 0.25, -1], [0, 0.25, 1]]}}}})
expect(0, ["check", hinged], "note: ", "is free to move: rotation about z")
expect(0, ["run", hinged, "-o", fresh("hinged")])

# What cannot be read or written.
lost = write_scene("lost.json", bodies={"b": {"mesh": {"file": "gone.mesh"},
                                              "material": {"model": "linear", "young": 1, "poisson": 0}}}, attach=[])
expect(4, ["run", lost, "-o", fresh("lost")], "gone.mesh")
pathlib.Path("file").write_text("not a folder")
expect(4, ["run", scene, "-o", "file"], "file")
expect(4, ["run", scene, "-o", "file/out"], "file/out")
expect(4, ["run", scene, "-o", "/proc/no_such_folder"], "/proc/no_such_folder")
if os.geteuid() != 0:
    pathlib.Path(fresh("locked")).mkdir(mode=0o500)
    expect(4, ["run", scene, "-o", "locked"], "locked")


def small_files():
    """No file may grow beyond the limit: writing fails as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))


expect(4, ["run", scene, "-o", fresh("limited")], "cannot write", preexec_fn=small_files)
check(check_folder("limited") > 0, "whole files under a limit")
check(not list(pathlib.Path("limited").rglob("*.tmp.*")), "no unfinished files are left")
expect(0, ["run", scene, "-o", "limited", "--resume"])
check(state_hash("limited") == run["state_hash"], "goes on after a full disk")

libc = ctypes.CDLL(None, use_errno=True)
disk = os.path.abspath("disk")
os.makedirs(disk, exist_ok=True)
if os.geteuid() == 0 and libc.mount(b"tmpfs", disk.encode(), b"tmpfs", 0, b"size=64k") == 0:
    try:
        long = write_scene("long.json", time={"fps": 60, "frames": 40})
        expect(4, ["run", long, "-o", "disk/out"], "No space left")
        check(check_folder("disk/out") > 0, "whole files on a full disk")
        check(not list(pathlib.Path("disk").rglob("*.tmp.*")), "no unfinished files on a full disk")
    finally:
        libc.umount2(disk.encode(), 2)
else:
    print("no disk of its own can be mounted here: only the limit on file sizes was tried")
finish()
