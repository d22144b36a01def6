"""Data sets from a study, made by processes of this machine or by the workers of a Dask cluster.

    data = sinew.batch("study.json", "data", jobs=2)
    data = sinew.batch("study.json", "data", client=distributed.Client("scheduler:8786"))

With a client every shard is a task. It is solved by the command `sinew` on the worker, which must be the same program on all of
them and see the folder under the same path. A worker that dies loses what it had not finished; Dask gives its tasks to others.
"""
from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Optional

from . import tool
from .dataset import Dataset
from .errors import InputError
from .meshes import PathLike

_MOST_DEATHS = 3  # of the command in a row, before a shard is given up


def batch(study: PathLike, folder: PathLike, *, client: Any = None, jobs: Optional[int] = None,
          force: bool = False) -> Dataset:
    """Makes the data set of a study file in a folder. What is there of it is kept: called again, it goes on.

    client  a distributed.Client whose workers solve the shards; without one, processes of this machine do
    jobs    how many processes; one for each core if it is not given
    force   removes the data set of another study or program from the folder
    """
    path = os.path.abspath(folder)
    again = ["--force"] if force else []
    if client is None:
        tool.run("batch", study, "-o", path, "--quiet", *([] if jobs is None else ["--jobs", jobs]), *again)
        return Dataset(path)
    if jobs is not None:
        raise InputError("jobs: the workers of the client do the work, expected none with client")
    tool.run("batch", "prepare", study, "-o", path, *again)
    shards = json.loads(tool.run("batch", "status", path, "--json").stdout)["shards"]
    tasks = client.map(_work, range(shards), folder=path, shards=shards, pure=False, key="sinew-shard")
    try:
        client.gather(tasks)
    finally:
        client.cancel(tasks)
    tool.run("batch", "collect", path)
    return Dataset(path)


def _work(shard: int, folder: str, shards: int) -> None:
    # The command writes a line for each sample to its standard output, and ends when nobody can read it any more: it does
    # not outlive a worker that is killed.
    command = [tool.path(), "batch", "work", folder, "--shard", f"{shard}/{shards}", "--worker-pipe", "1"]
    for death in range(_MOST_DEATHS):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode >= 0:
            break
    if done.returncode != 0:
        raise tool.failure(done)
