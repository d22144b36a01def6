"""Many equilibria: of one model in memory, or of a study in a folder.

    A = np.tile(model.input_vector(), (1000, 1))            # one row a sample; change what should differ
    X, ok = sinew.batch(model, inputs=A, jobs=2)            # (M,N,3) positions, and which were found
    data = sinew.batch("study.json", "data", jobs=2)        # a data set on disk (sinew.study)
"""
from __future__ import annotations

import os
from typing import Any, NamedTuple, Optional, Sequence, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, study
from ._core import Model
from .dataset import Dataset
from .errors import InputError
from .meshes import PathLike


class _Found(NamedTuple):
    X: NDArray[np.float64]
    ok: NDArray[np.bool_]


class Batch(_Found):
    """X (M,N,3) [m] and ok (M,), with what is known of each sample beside them. Samples that are not ok are at rest."""
    relative_residual: NDArray[np.float64]
    iterations: NDArray[np.int64]
    rung: Sequence[str]    # what solved it: lanes, warm, path, increments or hybrid
    reason: Sequence[str]  # why it was not solved; empty where it was


@overload
def batch(what: Model, *, inputs: ArrayLike, start: Optional[ArrayLike] = None, time: Optional[float] = None,
          tolerance: float = 1e-6, jobs: Optional[int] = None) -> Batch: ...
@overload
def batch(what: PathLike, folder: PathLike, *, client: Any = None, jobs: Optional[int] = None,
          force: bool = False) -> Dataset: ...
def batch(what: Union[Model, PathLike], folder: Optional[PathLike] = None, *, inputs: Optional[ArrayLike] = None,
          start: Optional[ArrayLike] = None, time: Optional[float] = None, tolerance: float = 1e-6,
          jobs: Optional[int] = None, client: Any = None, force: bool = False) -> Union[Batch, Dataset]:
    """The equilibria of a model at many inputs; or, with the path of a study and a folder, a data set on disk.

    inputs     (M,n): each row a whole input vector, as model.input_vector() gives it
    start      (M,N,3) positions to start from; without them from rest
    time       [s] that of the scene's last frame by default
    tolerance  relative residual at which a sample counts as solved
    jobs       threads that take samples; all cores by default

    The answer to a sample depends on nothing but itself: not on the other samples, not on their order, not on jobs.
    Of a study: client, jobs and force as in sinew.study.batch().
    """
    if isinstance(what, Model):
        if folder is not None or client is not None or force:
            raise InputError("folder: expected with the path of a study; equilibria of a model stay in memory")
        return _solve(what, inputs, start, time, tolerance, jobs)
    if folder is None or inputs is not None:
        raise InputError("what: expected a sinew.Model with inputs, or the path of a study with a folder")
    return study.batch(what, folder, client=client, jobs=jobs, force=force)


def _solve(model: Model, inputs: Optional[ArrayLike], start: Optional[ArrayLike], time: Optional[float],
           tolerance: float, jobs: Optional[int]) -> Batch:
    at = model.time_of(model.frames) if time is None else float(time)
    threads = (os.cpu_count() or 1) if jobs is None else jobs
    X, ok, residual, iterations, rung, reason = _core.solve_batch(model, inputs, start, at, tolerance, threads)
    found = Batch(X, ok)
    found.relative_residual, found.iterations, found.rung, found.reason = residual, iterations, rung, reason
    return found
