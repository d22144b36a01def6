"""sinew.Dataset against numpy's own reader, on a data set that the tool makes."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

TREE = pathlib.Path(__file__).absolute().parents[2]


def load_reader():
    """The module alone: it needs neither the package nor its compiled part."""
    spec = importlib.util.spec_from_file_location("sinew_dataset", TREE / "python" / "sinew" / "dataset.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["sinew_dataset"] = module
    spec.loader.exec_module(module)
    return module


reader = load_reader()
SCENE = {
    "sinew": 1,
    "bodies": {"bar": {"mesh": {"box": {"size": [1, 0.3, 0.3], "cells": [3, 1, 1]}},
                       "material": {"model": "neo_hookean", "young": 1e5, "poisson": 0.3}}},
    "attach": [{"what": "bar.xmin", "name": "left"}],
    "gravity": [0, -9.81, 0],
}
STUDY = {
    "sinew_study": 1, "scene": "scene.json", "samples": 11, "seed": 2, "shard": 4, "validation": 0.4,
    "vary": {"young": {"path": "/bodies/bar/material/young", "from": 5e4, "to": 5e5, "scale": "log"},
             "down": {"path": "/gravity/1", "from": -10, "to": 0}},
    "keep": ["bar.position", "bar.von_mises", "left.force", "bar.det_F.min"],
}


def find_tool():
    for path in (os.environ.get("SINEW_TOOL"), TREE / "build" / "bin" / "sinew"):
        if path and pathlib.Path(path).exists():
            return str(path)
    return None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    tool = find_tool()
    if not tool:
        pytest.skip("no build/bin/sinew to make a data set with")
    place = tmp_path_factory.mktemp("data")
    (place / "scene.json").write_text(json.dumps(SCENE))
    (place / "study.json").write_text(json.dumps(STUDY))
    subprocess.run([tool, "batch", place / "study.json", "-o", place / "set", "--jobs", "2", "--quiet"], check=True)
    return place / "set"


def together(folder, name):
    return np.concatenate([np.load(path)[name] for path in sorted(folder.glob("shards/*.npz"))])


def test_rows_are_those_of_the_shards(folder):
    data = reader.Dataset(folder)
    assert len(data) == 11 and list(data.index) == list(range(11))
    for name in ("bar.position", "bar.von_mises", "left.force", "bar.det_F.min", "parameters"):
        whole = together(folder, name)
        field = data[name]
        assert field.shape == whole.shape and field.dtype == whole.dtype
        assert np.array_equal(field[:], whole)
        assert np.array_equal(np.asarray(field), whole)
        assert np.array_equal(field[5], whole[5]) and np.array_equal(field[-1], whole[-1])
        assert np.array_equal(field[[7, 2]], whole[[7, 2]]) and np.array_equal(field[2:9:3], whole[2:9:3])
    assert data["bar.position"].unit == "m"


def test_rest_and_manifest(folder):
    data = reader.Dataset(folder)
    rest = np.load(folder / "rest.npz")
    assert set(data.rest) == set(rest.files)
    assert all(np.array_equal(data.rest[name], rest[name]) for name in rest.files)
    assert data.rest["bar.X"].shape == (16, 3) and data.rest["bar.tets"].max() == 15
    names = [v["name"] for v in data.info["variables"]]
    for row, line in enumerate(data.manifest):
        assert [line["values"][name] for name in names] == list(data.parameters[row])
    assert data.failed == []


def test_splits_part_the_samples(folder):
    data = reader.Dataset(folder)
    train, validation = data.split("train"), data.split("validation")
    assert sorted([*train.index, *validation.index]) == list(range(11)) and len(validation) > 0
    k = int(validation.index[0])
    assert np.array_equal(validation["bar.position"][0], data["bar.position"][k])
    assert len(train.split("validation")) == 0


def test_maps_do_not_copy(folder):
    row = reader.Dataset(folder)._row(6, "bar.position")
    assert isinstance(row, np.memmap) and not row.flags.writeable


def test_refusals(folder, tmp_path):
    data = reader.Dataset(folder)
    with pytest.raises(KeyError, match="bar.position"):
        data["bar.positon"]
    with pytest.raises(IndexError, match="11"):
        data["bar.position"][11]
    with pytest.raises(ValueError, match="train"):
        data.split("test")
    with pytest.raises(FileNotFoundError, match="no finished data set"):
        reader.Dataset(tmp_path)
    (tmp_path / "study.json").write_text("{}")
    with pytest.raises(FileNotFoundError, match="topup"):
        reader.Dataset(tmp_path)
    (tmp_path / "dataset.json").write_text('{"sinew_dataset": 9}')
    with pytest.raises(ValueError, match="expected 1"):
        reader.Dataset(tmp_path)


def test_torch(folder):
    torch = pytest.importorskip("torch")
    data = reader.Dataset(folder)
    rows = data.torch("parameters", "bar.position")
    assert len(rows) == 11
    p, x = rows[3]
    assert torch.equal(x, torch.from_numpy(np.array(data["bar.position"][3]))) and p.shape == (2,)
