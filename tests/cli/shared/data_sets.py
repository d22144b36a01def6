"""A small study for the scripts that make data sets, and what they look at afterwards."""
import json
import pathlib
import re
import signal
import struct
import time
import zipfile

BENT = {
    "sinew": 1,
    "bodies": {"bar": {
        "mesh": {"box": {"size": [1, 0.25, 0.25], "cells": [4, 1, 1]}},
        "material": {"model": "stable_neo_hookean", "young": 5e4, "poisson": 0.4}}},
    "attach": [
        {"what": "bar.xmin", "name": "left"},
        {"what": "bar.xmax", "name": "right", "motion": [
            {"time": 0}, {"time": 1, "translate": [0, 0, 0], "rotate": {"axis": [0, 0, 1], "degrees": 0}}]}],
    "gravity": [0, 0, 0],
    "time": {"fps": 2, "frames": 2},
}
VARY = {
    "turn": {"path": "/attach/1/motion/1/rotate/degrees", "from": 0, "to": 60},
    "young": {"path": "bodies.bar.material.young", "from": 2e4, "to": 2e5, "scale": "log"},
    "push": {"paths": ["/attach/1/motion/1/translate/0", "/gravity/1"], "along": [[0, 0], [-0.2, -9.81]]},
}
STUDY = {
    "sinew_study": 1, "scene": "scene.json", "samples": 10, "seed": 7, "vary": VARY, "shard": 4, "validation": 0.3,
    "keep": ["bar.position", "bar.von_mises", "left.force", "bar.det_F.min", "bar.displacement.norm"], "dtype": "float64",
}
LEFT_OUT = {"log.jsonl"}


def write_study(path, **changes):
    """The study above with values changed; None leaves a key out."""
    study = {key: value for key, value in {**STUDY, **changes}.items() if value is not None}
    pathlib.Path(path).write_text(json.dumps(study, indent=1))
    return str(path)


def final_files(folder):
    """Name to bytes of everything that is part of the data set, and a note of what should not be there."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(pathlib.Path(folder).rglob("*"))
            if path.is_file() and path.name not in LEFT_OUT}


def manifest(folder):
    return [json.loads(line) for line in (pathlib.Path(folder) / "manifest.jsonl").read_text().splitlines()]


def npz_array(path, name):
    """The numbers of an array, flat."""
    with zipfile.ZipFile(path) as archive:
        data = archive.read(name + ".npy")
    length = struct.unpack("<H", data[8:10])[0]
    header, body = data[10:10 + length].decode(), data[10 + length:]
    code = {"<f8": "d", "<f4": "f", "<i8": "q", "<i4": "i"}[re.search(r"'descr': *'([^']+)'", header)[1]]
    return list(struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body))


def sample_array(folder, index, name):
    line = manifest(folder)[index]
    values = npz_array(pathlib.Path(folder) / "shards" / f"{line['shard']:05}.npz", name)
    rows = sum(other["shard"] == line["shard"] and other["status"] == "solved" for other in manifest(folder))
    size = len(values) // rows
    return values[line["row"] * size:(line["row"] + 1) * size]


def check_manifest(folder, samples):
    """Every sample once, in order, in its shard, with its values in the npz; both splits."""
    from sinew_tool import check
    lines = manifest(folder)
    check([line["index"] for line in lines] == list(range(samples)), f"{folder}: indices of the manifest")
    check({line["split"] for line in lines} == {"train", "validation"}, f"{folder}: splits")
    description = json.loads((pathlib.Path(folder) / "dataset.json").read_text())
    check(description["samples"] == samples, f"{folder}: samples in dataset.json")
    for line in lines:
        check(line["shard"] == line["index"] // STUDY["shard"] and line["residual"] <= 1e-6, f"{folder}: {line}")
        stored = sample_array(folder, line["index"], "parameters")
        check(stored == [line["values"][name] for name in VARY], f"{folder}: parameters {stored} of {line}")
        check(sample_array(folder, line["index"], "index") == [line["index"]], f"{folder}: index of {line}")


def without_comments(path):
    return json.loads("\n".join(line for line in pathlib.Path(path).read_text().splitlines()
                                if not line.lstrip().startswith("//")))


def wait_for(condition, seconds=60):
    """Whether the condition came true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True


def ignore_size_signal():
    """A write beyond the limit then fails instead of ending the process."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
