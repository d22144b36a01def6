"""Files that are none: pipes that nobody writes to, devices without an end. Every reader refuses them at once."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

SOLIDS = ["mesh", "msh", "node", "vtu", "vtk", "inp", "veg", "feb"]
SURFACES = ["obj", "ply", "stl", "off"]


def pipe(name):
    pathlib.Path(name).unlink(missing_ok=True)
    os.mkfifo(name)
    return name


def refused(arguments, name, what="pipe"):
    expect(4, arguments, name, f"is a {what}, expected a file")


def body(**mesh):
    return {"b": {"mesh": mesh, "material": {"model": "linear", "young": 1, "poisson": 0}}}


for ending in SOLIDS + SURFACES:
    refused(["info", pipe(f"pipe.{ending}")], f"pipe.{ending}")
    refused(["convert", f"pipe.{ending}", "out.vtu"], f"pipe.{ending}")
for ending in SOLIDS:
    refused(["check", write_scene("file.json", attach=[], bodies=body(file=f"pipe.{ending}"))], f"pipe.{ending}")
for ending in SURFACES:
    refused(["mesh", f"pipe.{ending}", "-o", "out.vtu", "--cell", "0.1"], f"pipe.{ending}")
    refused(["check", write_scene("surface.json", attach=[], bodies=body(surface=f"pipe.{ending}", cell=0.1))],
            f"pipe.{ending}")
    refused(["check", write_scene("collider.json", colliders={"c": {"shape": {"mesh": {"file": f"pipe.{ending}"}}}})],
            f"pipe.{ending}")

# Scenes, studies, motions, sessions, skins, arrays and checkpoints.
for arguments in (["run"], ["check"], ["info"], ["compare"], ["view", "--no-browser"]):
    refused([*arguments, pipe("scene.json")], "scene.json")
refused(["batch", pipe("study.json")], "study.json")
moved = write_scene("moved.json", attach=[{"what": "beam.xmin", "motion": {"file": pipe("motion.csv")}}])
refused(["check", moved], "motion.csv")
refused(["run", write_scene("beam.json"), "--session", pipe("session.json"), "-o", fresh("session")], "session.json")
refused(["info", pipe("frame.npz")], "frame.npz")
refused(["info", pipe("checkpoint.bin")], "checkpoint.bin")
expect(0, ["run", write_scene("beam.json", time={"fps": 60, "frames": 2}), "-o", fresh("run"), "--quiet", "--export", "none"])
for name, commands in (("checkpoint.bin", [["run", "beam.json", "-o", "run", "--resume"]]),
                       ("stats.jsonl", [["export", "run", "--format", "obj", "-o", fresh("exported")]]),
                       ("run.json", [["info", "run"], ["export", "run", "--format", "obj", "-o", fresh("exported")]])):
    kept = pathlib.Path("run", name).read_bytes()
    pipe(f"run/{name}")
    for arguments in commands:
        result = sinew(*arguments)
        check(result.returncode in (2, 4) and pathlib.Path(name).name in result.stderr, f"{name}: {arguments}: {result}")
    pathlib.Path("run", name).unlink()
    pathlib.Path("run", name).write_bytes(kept)

# Devices: one that never ends, by a name that readers take, and one that waits for keys.
for device in ("/dev/zero", "/dev/tty"):
    for ending in ("obj", "vtu", "json"):
        link = pathlib.Path(f"device.{ending}")
        link.unlink(missing_ok=True)
        link.symlink_to(device)
        result = sinew("info", link)
        check(result.returncode == 4 and f"device.{ending}" in result.stderr, f"{device}: {result}")
finish()
