"""Runs: a scene into a folder, and the folder read again, frame by frame.

    run = sinew.run(scene, "out")
    for state in sinew.load_run("out"): print(state.time, state.x.max(axis=0))
"""
from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._core import Model, State
from .errors import InputError
from .meshes import PathLike
from .scenes import Scene

OnFrame = Optional[Callable[[int, float, float], object]]


class Run:
    """The folder of a run. Frames are read when they are asked for: run[i], or all in turn."""

    def __init__(self, folder: PathLike) -> None:
        self._core = _core.RunCore(folder)

    @property
    def folder(self) -> str:
        return self._core.folder

    @property
    def model(self) -> Model:
        return self._core.model

    @property
    def summary(self) -> dict[str, Any]:
        """run.json: status, scene, machine, timings, hashes."""
        summary: dict[str, Any] = json.loads(self._core.summary)
        return summary

    @property
    def status(self) -> str:
        """running, done, not_converged, interrupted or failed."""
        return str(self.summary["status"])

    @property
    def stats(self) -> list[dict[str, Any]]:
        """stats.jsonl: one dict a frame."""
        return [json.loads(line) for line in self._core.stats]

    @property
    def warnings(self) -> list[str]:
        return self._core.warnings

    @property
    def frames(self) -> np.ndarray:
        """The numbers of the frames that are there."""
        return np.array([index for index, time in self._core.frames], dtype=np.int64)

    @property
    def times(self) -> np.ndarray:
        """Of these frames [s]."""
        return np.array([time for index, time in self._core.frames], dtype=np.float64)

    def refresh(self) -> None:
        """Looks again for frames: the run may still be going on."""
        self._core.refresh()

    def __len__(self) -> int:
        return len(self._core.frames)

    def __getitem__(self, index: int) -> State:
        if not isinstance(index, (int, np.integer)):
            raise TypeError("frames are numbered from 0 in the order of Run.frames")
        return self._core.state(int(index))

    def __iter__(self) -> Iterator[State]:
        for index in range(len(self)):
            yield self[index]

    def __repr__(self) -> str:
        return f"<sinew.Run {self.folder}: {self.status}, {len(self)} frames>"


def load_run(folder: PathLike) -> Run:
    """The run in a folder. Nothing outside the folder is needed."""
    return Run(folder)


def run(scene: Union[Scene, PathLike, Mapping[str, Any]], folder: PathLike, *, resume: bool = False,
        force: bool = False, export: Optional[Sequence[str]] = None, on_frame: OnFrame = None) -> Run:
    """Runs a scene into a folder, as the command `sinew run` does.

    resume    goes on from the checkpoint in the folder
    force     replaces what the folder holds
    export    formats for other programs instead of the scene's; () for none
    on_frame  called with frame, time [s] and relative residual after each frame, the start included

    At Ctrl-C, or where on_frame raises, the folder holds a checkpoint to resume from.
    """
    formats = None if export is None else list(export)
    if isinstance(export, str):
        raise InputError("export: found a text, expected a list of texts")
    if isinstance(scene, Mapping):
        scene = Scene.from_dict(scene)
    if isinstance(scene, Scene):
        with tempfile.TemporaryDirectory(prefix="sinew-") as kept:
            file = os.path.join(kept, "scene.json")
            scene.save(file)
            _core.run_file(file, folder, resume, force, formats, on_frame)
    else:
        _core.run_file(scene, folder, resume, force, formats, on_frame)
    return Run(folder)
