"""How an equilibrium changes with what makes it: inputs (poses, loads, gravity) and parameters (materials, densities, links).

    d = sinew.derivative(model, state)
    dx = d.forward(inputs={"load.pull": 1.0})          # (N,3): how every node moves
    g = d.adjoint(dL_dx)                               # of a number L(x): g["bar.young"], g["attach.end"]
    all = d.adjoint_many([dL_dx, dM_dx])               # of many at once

Formulas, and what is flagged: docs/sensitivity.md.
"""
from __future__ import annotations

import warnings as python_warnings
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._core import Model, State
from .errors import InputError

Inputs = Union[ArrayLike, Mapping[str, ArrayLike], None]


class DerivativeWarning(UserWarning):
    """Something makes a result less than the derivative of an equilibrium."""


def derivative(model: Model, state: State, inputs: Inputs = None) -> Derivative:
    """The derivative at a state in equilibrium.

    inputs  those it is in equilibrium with: a dict by name, or the whole flat vector; else the scene's at its time
    """
    return Derivative(model, state, inputs)


class Gradient:
    """The derivative of a number L.

    inputs    by name, in the shape of model.inputs(): a pose is (3,4)
    vector    the same as one flat vector
    params    by name, in the shape of model.params()
    elements  by name, one value for each element, also where the model has one for all
    """

    def __init__(self, model: Model, vector: np.ndarray, elements: dict[str, np.ndarray]) -> None:
        self.vector = vector
        self.elements = elements
        self.inputs: dict[str, np.ndarray] = {}
        for name, values in model.inputs().items():
            part = vector[model.input_slices[name]]
            self.inputs[name] = part.reshape(4, 3).T.copy() if values.ndim == 2 else part
        self.params: dict[str, np.ndarray] = {}
        for name, values in model.params().items():
            each = elements[name]
            self.params[name] = each if each.ndim == values.ndim else each.sum(axis=0)

    def __getitem__(self, name: str) -> np.ndarray:
        for table in (self.inputs, self.params):
            if name in table:
                return table[name]
        raise KeyError(f"{name!r} is no input and no parameter of this model: {[*self.inputs, *self.params]}")

    def __repr__(self) -> str:
        return f"<sinew.Gradient in {', '.join([*self.inputs, *self.params])}>"


class Derivative:
    """One factorisation; every forward() and adjoint() is one solve. Made by sinew.derivative()."""
    model: Model

    def __init__(self, model: Model, state: State, inputs: Inputs = None) -> None:
        if not isinstance(model, Model):
            raise InputError(f"model: found {type(model).__name__}, expected a sinew.Model")
        if not isinstance(state, State):
            raise InputError(f"state: found {type(state).__name__}, expected a sinew.State")
        self.model = model
        self._core = _core.DerivativeCore(model, state, inputs)
        for text in self.warnings:
            python_warnings.warn(text, DerivativeWarning, stacklevel=3)

    @property
    def warnings(self) -> list[str]:
        """What makes the results less than the derivative; each was also given to Python's warnings."""
        return self._core.warnings

    @property
    def relative_residual(self) -> float:
        """Of the state."""
        return self._core.relative_residual

    @property
    def linear_solver(self) -> str:
        return self._core.linear_solver

    def forward(self, inputs: Inputs = None, params: Optional[Mapping[str, ArrayLike]] = None) -> np.ndarray:
        """How every node moves, (N,3), when inputs and parameters change: forward(params={"bar.young": 1.0})."""
        return self._core.forward([(inputs, dict(params or {}))])[0]

    def forward_many(self, changes: Sequence[Mapping[str, Any]]) -> list[np.ndarray]:
        """The same for many changes at once, each a dict of forward()'s arguments: on large meshes they cost a few times one."""
        for change in changes:
            if unknown := set(change) - {"inputs", "params"}:
                raise InputError(f"changes: found {unknown.pop()!r}, expected 'inputs' or 'params'")
        return self._core.forward([(change.get("inputs"), dict(change.get("params") or {})) for change in changes])

    def adjoint(self, dL_dx: ArrayLike) -> Gradient:
        """The derivative of L in all inputs and parameters, from that in the positions, (N,3)."""
        return self.adjoint_many([dL_dx])[0]

    def adjoint_many(self, dL_dx: Sequence[ArrayLike]) -> list[Gradient]:
        """The same for many L at once: on large meshes they cost a few times one."""
        return [Gradient(self.model, *gradient) for gradient in self._core.adjoint(list(dL_dx))]

    def __repr__(self) -> str:
        return f"<sinew.Derivative by {self.linear_solver}: {len(self.warnings)} warnings>"
