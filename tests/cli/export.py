"""`sinew export` and `run --export`: formats, arguments, frames that are missing, writes that fail."""
import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

FORMATS = ["glb", "glb_frames", "mdd", "npz", "obj", "pc2", "ply", "pvd", "usda"]


def pc2(path):
    """Points, first frame, rate, samples, and the positions as a flat tuple."""
    data = pathlib.Path(path).read_bytes()
    magic, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
    check(magic == b"POINTCACHE2\0" and version == 1, f"{path}: header")
    check(len(data) == 32 + 12 * points * samples, f"{path}: {len(data)} bytes")
    return points, start, rate, samples, struct.unpack(f"<{3 * points * samples}f", data[32:])


def obj(path):
    words = [line.split() for line in pathlib.Path(path).read_text().splitlines()]
    return ([tuple(map(float, w[1:])) for w in words if w[0] == "v"],
            [tuple(map(int, w[1:])) for w in words if w[0] == "f"])


def files(folder):
    return sorted(str(p.relative_to(folder)) for p in pathlib.Path(folder).rglob("*") if p.is_file())


# The list, and every format of it from one run.
listed = [line.split()[0] for line in expect(0, ["export", "--list"]).stdout.splitlines()]
check([name for name in listed if name in FORMATS] == FORMATS, f"export --list: {listed}")  # and those added since
scene = write_scene("beam.json", time={"fps": 60, "frames": 4}, output={"export": []})
expect(0, ["run", scene, "-o", fresh("run"), "--quiet"])
check(not any(name in files("run") for name in ("pc2", "obj")), "nothing was exported")
shutil.rmtree("all", ignore_errors=True)
done = json.loads(expect(0, ["export", "run", "--format", ",".join(FORMATS), "-o", "all", "--json"]).stdout)
check(done["frames"] == 5 and not done["interrupted"], f"export --json: {done}")
check(done["meshes"][0] == {"name": "beam", "vertices": 74, "triangles": 144}, f"export --json: {done['meshes']}")
for name in ("pc2/beam.pc2", "mdd/beam.mdd", "obj/beam_00000.obj", "ply/beam_00000.ply", "vtk/beam.pvd",
             "usda/scene.usda", "npz/beam.npz", "glb/scene.glb", "glb_frames/frame_00000.glb"):
    check(name in done["files"] and os.path.exists("all/" + name), f"{name} is missing")
check(len(files("all")) == 2 + 2 + 5 + 5 + 6 + 2 + 1 + 1 + 5, f"{files('all')}")
points, start, rate, samples, positions = pc2("all/pc2/beam.pc2")
vertices, faces = obj("all/pc2/beam.obj")
check((points, start, rate, samples) == (74, 0, 1, 5) and len(vertices) == 74 and len(faces) == 144, "counts of pc2")
check(all(abs(a - b) < 1e-6 for a, b in zip(positions, (c for v in vertices for c in v))), "frame 0 is the rest pose")
last = obj("all/obj/beam_00004.obj")[0]
check(all(abs(a - b) < 1e-6 for a, b in zip(positions[-3 * 74:], (c for v in last for c in v))), "pc2 and obj agree")
mdd = pathlib.Path("all/mdd/beam.mdd").read_bytes()
check(struct.unpack(">ii5f", mdd[:28])[:2] == (5, 74), "header of mdd")
check(struct.unpack(f">{15 * 74}f", mdd[28:]) == positions, "mdd and pc2 agree")
with zipfile.ZipFile("all/npz/beam.npz") as archive:
    check(archive.testzip() is None, "npz is whole")
    check({"rest.npy", "tets.npy", "triangles.npy", "positions.npy", "stress.npy"} <= set(archive.namelist()), "npz")

# `run` writes the same bytes, and into its own folder.
expect(0, ["run", scene, "-o", fresh("direct"), "--export", ",".join(FORMATS), "--quiet"])
for name in files("all"):
    check(pathlib.Path("all", name).read_bytes() == pathlib.Path("direct", name).read_bytes(), f"run: {name} differs")
check_sums("direct")
expect(0, ["export", "run", "--format", "obj"], "run/obj/beam_00000.obj")
check(os.path.exists("run/obj/beam_00004.obj"), "without -o: in the folder of the run")

# Ranges, axes, units, bodies, rest pose, a surface of one's own.
expect(0, ["export", "run", "--format", "pc2", "-o", fresh("some"), "--frames", "1:4:3", "--up", "z", "--unit", "cm"])
points, start, rate, samples, turned = pc2("some/pc2/beam.pc2")
check((start, rate, samples) == (1, 3, 2), "range of pc2")
x, y, z = last[40]
check(all(abs(a - b) < 1e-4 for a, b in zip(turned[3 * (74 + 40):], (100 * x, -100 * z, 100 * y))), "z up in cm")
expect(0, ["export", "run", "--format", "obj,usda", "-o", fresh("rest"), "--rest", "--bodies", "beam"])
check(files("rest") == ["obj/beam_rest.obj", "usda/beam_rest.usda", "usda/scene_rest.usda"], f"{files('rest')}")
pathlib.Path("my skin.obj").write_text("v 0.1 0.1 0.1\nv 1.9 0.1 0.1\nv 1.9 0.45 0.52\nv 0.1 0.4 0.1\nf 4 3 2 1\n")
expect(0, ["export", "run", "--format", "pc2", "-o", fresh("skin"), "--embed", "beam=my skin.obj"])
check(files("skin") == ["pc2/my_skin.obj", "pc2/my_skin.pc2"], f"{files('skin')}")
check(pc2("skin/pc2/my_skin.pc2")[0] == 4 and obj("skin/pc2/my_skin.obj")[1] == [(4, 3, 2), (4, 2, 1)], "the skin")
expect(0, ["export", "run", "--format", "ply", "-o", fresh("plain"), "--fields", "none", "--what", "volume"])
check(b"element vertex 81\n" in pathlib.Path("plain/ply/beam_00000.ply").read_bytes(), "all nodes")

# Arguments that make no sense.
for arguments, text in [
        ([], "RUN is missing"), (["run"], "--format LIST"), (["run", "--format", "pc3"], 'did you mean "pc2"?'),
        (["run", "--format", "pc2", "--frames", "3"], "A:B:STEP"), (["run", "--format", "pc2", "--frames", "0:4:0"], "A:B"),
        (["run", "--format", "pc2", "--frames", "2:9"], "has frames 0 to 4"),
        (["run", "--format", "pc2", "--up", "x"], "y or z"), (["run", "--format", "pc2", "--unit", "-1"], "--unit"),
        (["run", "--format", "pc2", "--what", "solid"], "surface, boundary or volume"),
        (["run", "--format", "pc2", "--bodies", "bean"], 'did you mean "beam"?'),
        (["run", "--format", "pc2", "--embed", "beam"], "BODY=FILE"),
        (["run", "--format", "pc2", "--fields", "stress"], "keeps fields"),
        (["run", "--format", "ply", "--fields", "stres"], 'did you mean "stress"?'),
        (["run", "--format", "glb", "--up", "z"], "y up and in metres"),
        (["run", "--format", "pc2", "--rest", "--frames", "0:1"], "--rest")]:
    expect(2, ["export", *arguments, "-o", fresh("x")], text)
    check(not os.path.exists("x") or not files("x"), f"{arguments}: files are left")
expect(4, ["export", "run", "--format", "pc2", "--embed", "beam=gone.obj"], "gone.obj")
pathlib.Path("far.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 90 0\nf 1 2 3\n")
expect(2, ["export", "run", "--format", "pc2", "-o", fresh("x"), "--embed", "beam=far.obj"], "1 of 3 vertices")

# A folder that is no run, one that is half copied, one of a newer version, a frame that is missing.
expect(2, ["export", "gone", "--format", "pc2"], "gone", "run.json")
shutil.copytree("run", fresh("half"))
os.remove("half/frames/frame_00002.npz")
expect(2, ["export", "half", "--format", "pc2"], "frame 2 is missing", "--frames")
expect(0, ["export", "half", "--format", "pc2", "--frames", "3:"])
pathlib.Path("half/frames/frame_00003.npz").write_bytes(pathlib.Path("run/frames/frame_00003.npz").read_bytes()[:500])
expect(2, ["export", "half", "--format", "mdd", "--frames", "3:"], "frame_00003.npz")
check(not files("half/mdd"), "a broken frame leaves no cache")
shutil.rmtree("half/frames")
expect(2, ["export", "half", "--format", "pc2"], "no frames")
newer = json.loads(pathlib.Path("half/run.json").read_text())
newer["sinew"] = "99.0.0"
pathlib.Path("half/run.json").write_text(json.dumps(newer))
expect(2, ["export", "half", "--format", "pc2"], "99.0.0", "update")


def small_files():
    """No file may grow beyond the limit: writing fails as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


for name in FORMATS:
    expect(4, ["export", "run", "--format", name, "-o", fresh("full")], "cannot write", preexec_fn=small_files)
    check(not files("full"), f"{name}: {files('full')} on a full disk")

# An interruption in the middle of a long export: nothing that is not whole, and exit 130.
long = write_scene("long.json", time={"fps": 60, "frames": 400}, output={"export": []},
                   bodies={"beam": {**BEAM["bodies"]["beam"], "mesh": {"box": {"size": [2, 0.5, 0.5], "cells": [2, 1, 1]}}}})
expect(0, ["run", long, "-o", fresh("long"), "--quiet"])
interrupted = 0
for delay in (0.05, 0.1, 0.2, 0.4):
    process = subprocess.Popen([TOOL, "export", "long", "--format", "pc2,obj", "-o", fresh("cut"), "--quiet"],
                               stderr=subprocess.PIPE, text=True)
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    shown = process.communicate(timeout=60)[1]
    check(process.returncode in (0, 130, -signal.SIGINT), f"interrupted: exit {process.returncode}\n{shown}")
    left = files("cut") if os.path.exists("cut") else []
    check(not any(".tmp." in name for name in left), f"interrupted: {left}")
    if process.returncode == 130:
        interrupted += 1
        check("interrupted" in shown and "pc2/beam.pc2" not in left, f"interrupted: {shown}{left}")
print("interrupted in the middle:", interrupted, "of 4")
# What a killed export left goes with the next one; what is still written and what is the user's stays.
ended = subprocess.Popen(["true"])
ended.wait()
left = [pathlib.Path(fresh("killed")) / name for name in (f"pc2/beam.pc2.tmp.{ended.pid}", f"obj/beam_00003.obj.tmp.{ended.pid}")]
kept = [pathlib.Path("killed") / name for name in (f"pc2/beam.pc2.tmp.{os.getpid()}", f"pc2/notes.txt.tmp.{ended.pid}")]
for path in left + kept:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("half")
expect(0, ["export", "run", "--format", "pc2,obj", "-o", "killed", "--quiet"])
check(not any(path.exists() for path in left), f"unfinished files of a killed export are left: {files('killed')}")
check(all(path.exists() for path in kept), f"too much was removed: {files('killed')}")
finish()
