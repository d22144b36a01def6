"""Runs the tool and looks at what it leaves. Scripts are called with the path of the tool and of the source tree."""
import io
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zipfile

TOOL = os.path.abspath(sys.argv[1])
TREE = pathlib.Path(sys.argv[2]).absolute()
EXAMPLES = sorted(path.parent for path in (TREE / "examples").glob("*/scene.json"))

failures = 0

BEAM = {
    "sinew": 1,
    "bodies": {"beam": {
        "mesh": {"box": {"size": [2, 0.5, 0.5], "cells": [8, 2, 2]}},
        "material": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.3}}},
    "attach": [{"what": "beam.xmin", "name": "wall"}],
    "gravity": [0, -9.81, 0],
    "solve": {"mode": "dynamic"},
    "time": {"fps": 60, "frames": 20},
    "output": {"checkpoint_every": 4},
}


def check(condition, text):
    """Counts and prints what does not hold."""
    global failures
    if not condition:
        failures += 1
        print("FAILED:", text)


def finish():
    print("failures:", failures)
    sys.exit(1 if failures else 0)


def write_scene(path, scene=None, **changes):
    """The beam, or another scene, with top-level values changed."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**(scene or BEAM), **changes}, indent=1))
    return str(path)


def sinew(*arguments, **options):
    """CompletedProcess with texts."""
    return subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


def expect(code, arguments, *texts, **options):
    """Runs the tool; its exit code and what it prints must be as said."""
    result = sinew(*arguments, **options)
    shown = f"sinew {' '.join(map(str, arguments))}"
    check(result.returncode == code, f"{shown}: exit {result.returncode}, expected {code}\n{result.stdout}{result.stderr}")
    for text in texts:
        check(text in result.stdout + result.stderr, f"{shown}: no '{text}' in\n{result.stdout}{result.stderr}")
    return result


def fresh(name):
    """A folder of that name in the working folder that does not exist."""
    shutil.rmtree(name, ignore_errors=True)
    return name


def state_hash(folder):
    return json.loads((pathlib.Path(folder) / "run.json").read_text())["state_hash"]


def content_hash(data):
    """The hash of src/base/hash.h."""
    mask, h = (1 << 64) - 1, 0x243f6a8885a308d3
    whole = len(data) // 8 * 8
    rest = data[whole:]
    last = int.from_bytes(rest, "little") ^ len(rest) << 56
    for word in (*struct.unpack(f"<{whole // 8}Q", data[:whole]), last):
        h = (h ^ word) * 0x9e3779b97f4a7c15 & mask
        h ^= h >> 29
    h ^= h >> 32
    h = h * 0xd6e8feb86659fd93 & mask
    return f"{h ^ h >> 32:016x}"


def check_sums(folder):
    """The sums in run.json, where there are any. Says how many."""
    try:
        files = json.loads((pathlib.Path(folder) / "run.json").read_text()).get("files", [])
    except FileNotFoundError:
        return 0
    for entry in files:
        path = pathlib.Path(folder) / entry["path"]
        check(path.exists() and content_hash(path.read_bytes()) == entry["hash"], f"{path}: the sum does not hold")
    return len(files)


def check_npy(data, place):
    """The header of an array, and that its numbers are all there."""
    check(data[:6] == b"\x93NUMPY", f"{place}: not an array")
    length = struct.unpack("<H", data[8:10])[0]
    header = data[10:10 + length].decode()
    shape = header.split("'shape':")[1].split("(")[1].split(")")[0]
    count = int(header.split("'descr':")[1].split("'")[1][2:])
    for size in shape.split(","):
        count *= int(size) if size.strip() else 1
    check(len(data) == 10 + length + count, f"{place}: {len(data)} bytes for shape ({shape})")


def check_exported(path):
    """Files for other programs: as long as their headers say, or with the end that they should have."""
    data = path.read_bytes()
    if path.suffix == ".glb":
        whole = struct.unpack("<I", data[8:12])[0] == len(data)
    elif path.suffix == ".pc2":
        points, _, _, samples = struct.unpack("<iffi", data[16:32])
        whole = len(data) == 32 + 12 * points * samples
    elif path.suffix == ".mdd":
        frames, points = struct.unpack(">ii", data[:8])
        whole = len(data) == 8 + 4 * frames + 12 * points * frames
    elif path.suffix == ".ply":
        header, body = data.split(b"end_header\n", 1)
        vertex, face = header.split(b"element vertex ")[1].split(b"element face ")
        size = {part: (int(part.split()[0]), 8 * part.count(b"double")) for part in (vertex, face)}
        whole = len(body) == size[vertex][0] * size[vertex][1] + size[face][0] * (13 + size[face][1])
    elif path.suffix == ".usda":
        whole = data.startswith(b"#usda 1.0\n") and data.endswith(b"\n}\n") and data.count(b"{") == data.count(b"}")
    else:
        whole = data.endswith(b"\n") and data.splitlines()[-1].count(b" ") == 3
    check(whole, f"{path}: not whole")


def check_file(path):
    if path.suffix == ".npz":
        with zipfile.ZipFile(path) as archive:
            check(archive.testzip() is None, f"{path}: broken archive")
            for name in archive.namelist():
                check_npy(archive.read(name), f"{path}:{name}")
    elif path.suffix in (".vtu", ".pvd"):
        xml.etree.ElementTree.parse(path)
    elif path.suffix == ".json":
        json.loads(path.read_text())
    elif path.suffix == ".jsonl":
        text = path.read_text()
        check(text.endswith("\n"), f"{path}: the last line is cut")
        frames = [json.loads(line)["frame"] for line in text.splitlines()]
        check(frames == list(range(len(frames))), f"{path}: frames {frames}")
    elif path.suffix in (".glb", ".mdd", ".obj", ".pc2", ".ply", ".usda"):
        check_exported(path)
    elif path.suffix == ".html":
        check(path.read_text().endswith("</html>\n"), f"{path}: the page is cut")
    elif path.suffix == ".bin":
        expect(0, ["info", path], "checkpoint")
    else:
        check(False, f"{path}: an unknown file")


def check_folder(folder):
    """Every visible file of a run is whole. Says how many there are."""
    count = 0
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_dir() or ".tmp." in path.name:
            continue
        count += 1
        try:
            check_file(path)
        except Exception as error:
            check(False, f"{path}: {error}")
    return count
