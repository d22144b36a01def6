"""Methods side by side on one step of a scene.

    result = sinew.compare(scene, ["newton", ("pbng", {"iterations": 200})], budget=1.0)
    plt.semilogy(result["pbng:iterations=200"].seconds, result["pbng:iterations=200"].relative_residual)
"""
from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence, Union

from . import _core
from ._core import Curve, Model
from .errors import FileError, InputError
from .meshes import PathLike
from .scenes import Scene

Entry = Union[str, tuple[str, Mapping[str, Any]]]


class Comparison:
    """What compare() found: `curves`, each with arrays over the iterations."""

    def __init__(self, core: _core.ComparisonCore) -> None:
        self._core = core
        self.curves: list[Curve] = core.curves

    def __getitem__(self, label: Union[int, str]) -> Curve:
        if isinstance(label, int):
            return self.curves[label]
        for curve in self.curves:
            if curve.label == label:
                return curve
        raise KeyError(f"no curve {label!r}; there are {', '.join(curve.label for curve in self.curves)}")

    @property
    def time(self) -> float:
        """The end of the step that was compared [s]."""
        return self._core.time

    @property
    def verdict(self) -> list[str]:
        """Who is ahead, in sentences."""
        return self._core.verdict

    @property
    def notes(self) -> list[str]:
        return self._core.notes

    @property
    def table(self) -> str:
        """One row a method."""
        return self._core.table

    def save(self, folder: PathLike) -> None:
        """Writes report.html, compare.json, curves.csv and plots, as the command `sinew compare` does."""
        try:
            os.makedirs(folder, exist_ok=True)
            strange = [name for name in os.listdir(folder) if not self._core.is_report_file(name)]
        except OSError as error:
            raise FileError(error.strerror or "cannot be used", where=os.fsdecode(folder)) from None
        if strange:
            raise InputError(f"the folder holds {strange[0]}, which is no part of a report of compare",
                             where=os.fsdecode(folder))
        for name, content in self._core.report_files().items():
            _core.write_file(os.path.join(os.fsdecode(folder), name), content)

    def __repr__(self) -> str:
        return f"<sinew.Comparison: {', '.join(curve.label for curve in self.curves)}>"


def compare(scene: Union[Scene, Model, PathLike], methods: Union[str, Sequence[Entry]], *,
            budget: Optional[float] = None, iterations: Optional[int] = None, step: int = 1, repeats: int = 3,
            tolerance: float = 1e-8) -> Comparison:
    """Runs methods on one step of a scene.

    methods     names, "name:option=value" or (name, {option: value}); or "all"
    budget      seconds of each method; 5 where no iterations are given either
    iterations  of each method
    step        the one that is compared; newton takes those before
    repeats     timed runs of each method; times are medians
    tolerance   relative residual at which a method has converged
    """
    if isinstance(scene, Model):
        model = scene
    else:
        model = (scene if isinstance(scene, Scene) else Scene.load(scene)).build()
    text = methods if isinstance(methods, str) else ",".join(_entry_text(entry) for entry in methods)
    return Comparison(_core.ComparisonCore(model, text, budget, iterations, step, repeats, tolerance))


def _entry_text(entry: Entry) -> str:
    if isinstance(entry, str):
        return entry
    try:
        name, options = entry
        return ":".join([name, *(f"{key}={_word(value)}" for key, value in options.items())])
    except (AttributeError, TypeError, ValueError):
        raise InputError(f"methods: found {entry!r}, expected a name or (name, {{option: value}})") from None


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
