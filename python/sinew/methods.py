"""Methods by name.

    newton = sinew.method(model, "newton", tolerance=1e-8)
    info = newton.step(state, dt=1/30)
    for info in newton.run(state): print(info.frame, state.x[0])
"""
from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping, Optional, Union

from numpy.typing import ArrayLike

from . import _core
from ._core import Model, State, StepInfo
from .errors import InputError
from .tables import to_text

OnResidual = Optional[Callable[[float], object]]
Inputs = Union[ArrayLike, Mapping[str, ArrayLike], None]


def methods() -> list[dict[str, Any]]:
    """The methods of this build: name, title, doc, and fields, which are their options."""
    return _core.methods()


def method(model: Model, name: Optional[str] = None, **options: Any) -> Method:
    """A method for a model; without a name the scene's own. Options not given are those of the scene.

    `options`: of the method itself (docs/methods.md), and tolerance, mode, integrator.
    """
    return Method(model, name, options)


class Method:
    """Moves states. Not for several threads at once: make one for each."""
    model: Model

    def __init__(self, model: Model, name: Optional[str] = None, options: Optional[Mapping[str, Any]] = None) -> None:
        if not isinstance(model, Model):
            raise InputError(f"model: found {type(model).__name__}, expected a sinew.Model")
        self.model = model
        self._core = _core.MethodCore(model, model.method if name is None else name, to_text(options or {}, "options"))

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def tolerance(self) -> float:
        """Relative residual at which a step has converged."""
        return self._core.tolerance

    def step(self, state: State, *, dt: Optional[float] = None, to: Optional[float] = None, inputs: Inputs = None,
             on_residual: OnResidual = None) -> StepInfo:
        """Takes the state to a later time: by dt, to a time, or by the scene's own step [s].

        inputs       what the inputs are then, instead of the scene's: a dict by name, or the whole flat vector
        on_residual  called with the relative residual whenever the method has looked at it

        Unless the step was taken the state is what it was: where no solution was found (info.taken is false), where
        on_residual raised, and at Ctrl-C.
        """
        _require_state(state)
        if dt is not None and to is not None:
            raise InputError("dt: expected dt or to, not both")
        if to is None:
            to = state.time + _number("dt", 1 / (self.model.fps * self.model.substeps) if dt is None else dt)
        return self._core.step_to(state, _number("to", to), inputs, on_residual)

    def equilibrium(self, state: State, *, time: Optional[float] = None, inputs: Inputs = None,
                    on_residual: OnResidual = None) -> StepInfo:
        """The equilibrium at a time, that of the scene's last frame by default, found from the state as it is."""
        _require_state(state)
        at = self.model.time_of(self.model.frames) if time is None else _number("time", time)
        return self._core.equilibrium(state, at, inputs, on_residual)

    def run(self, state: State, frames: Optional[int] = None, *, on_residual: OnResidual = None) -> Iterator[StepInfo]:
        """Frame by frame, to the scene's last one or so many further; gives the info of each frame's last step.
        Ends after a step that was not taken."""
        _require_state(state)
        first = round(state.time * self.model.fps)
        if frames is not None and (not isinstance(frames, int) or frames < 0):
            raise InputError(f"frames: found {frames!r}, expected a whole number of at least 0")
        last = self.model.frames if frames is None else first + frames
        return self._frames(state, first + 1, last, on_residual)

    def _frames(self, state: State, first: int, last: int, on_residual: OnResidual) -> Iterator[StepInfo]:
        for frame in range(first, last + 1):
            info = None
            for substep in range(1, self.model.substeps + 1):
                info = self._core.step_to(state, self.model.time_of(frame, substep), None, on_residual)
                if not info.taken:
                    break
            assert info is not None
            info.frame = frame
            yield info
            if not info.taken:
                return

    def __repr__(self) -> str:
        return f"<sinew.Method {self.name}>"


def _require_state(state: object) -> None:
    if not isinstance(state, State):
        raise InputError(f"state: found {type(state).__name__}, expected a sinew.State")


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name}: found {value!r}, expected a number [s]") from None
