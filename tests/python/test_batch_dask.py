"""A data set made by a Dask cluster of two processes, one of which is killed in the middle."""
import hashlib
import json
import os
import pathlib
import signal
import threading
import time

import pytest

distributed = pytest.importorskip("distributed", reason="python3-distributed is not installed")

import sinew

SCENE = {
    "sinew": 1,
    "bodies": {"bar": {
        "mesh": {"box": {"size": [1, 0.25, 0.25], "cells": [16, 4, 4]}},
        "material": {"model": "stable_neo_hookean", "young": 5e4, "poisson": 0.4}}},
    "attach": [{"what": "bar.xmin", "name": "left"},
               {"what": "bar.xmax", "name": "right", "motion": [
                   {"time": 0}, {"time": 1, "rotate": {"axis": [0, 0, 1], "degrees": 0}}]}],
    "time": {"fps": 1, "frames": 1},
}
STUDY = {
    "sinew_study": 1, "scene": "scene.json", "samples": 48, "seed": 7, "shard": 6,
    "vary": {"turn": {"path": "/attach/1/motion/1/rotate/degrees", "from": 0, "to": 60},
             "young": {"path": "/bodies/bar/material/young", "from": 1e4, "to": 1e6, "scale": "log"}},
    "keep": ["bar.position", "right.force"],
}


@pytest.fixture
def study(tmp_path):
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    (tmp_path / "study.json").write_text(json.dumps(STUDY))
    return tmp_path / "study.json"


def content(folder):
    """The name and hash of each file of a data set. Times are in log.jsonl alone."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file() and path.name != "log.jsonl"}


def parent_of(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def kill_a_worker(folder, workers, killed):
    """Kills the Dask worker whose command is the first seen to hold a shard."""
    end = time.monotonic() + 60
    while not killed and time.monotonic() < end:
        for lock in pathlib.Path(folder, "shards").glob("*.lock"):
            try:
                owner = parent_of(json.loads(lock.read_text())["pid"])
            except (OSError, json.JSONDecodeError):  # it has just ended, or not yet begun
                continue
            if owner in workers:
                os.kill(owner, signal.SIGKILL)
                killed.append(owner)
                return
        time.sleep(0.002)


def test_worker_killed_in_the_middle(study, tmp_path):
    assert len(sinew.batch(study, tmp_path / "reference", jobs=1)) == 48
    reference = content(tmp_path / "reference")
    folder = tmp_path / "dask"
    killed = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                  local_directory=str(tmp_path / "scratch")) as cluster:
        with distributed.Client(cluster) as client:
            workers = set(client.run(os.getpid).values())
            killer = threading.Thread(target=kill_a_worker, args=(folder, workers, killed))
            killer.start()
            sinew.batch(study, folder, client=client)
            killer.join()
    assert len(killed) == 1
    assert content(folder) == reference


class Nowhere:
    """A client that never works."""

    def map(self, *_, **__):
        raise AssertionError("nothing to be done")


def test_bad_study(study, tmp_path):
    study.write_text(json.dumps({**STUDY, "vary": {"young": {"path": "/bodies/bar/material/yuong", "from": 1, "to": 2}}}))
    with pytest.raises(ValueError, match="young"):
        sinew.batch(study, tmp_path / "data", client=Nowhere())
    with pytest.raises(ValueError, match="jobs"):
        sinew.batch(study, tmp_path / "data", client=Nowhere(), jobs=2)
