"""An equilibrium as a function of torch, with its derivative; needs PyTorch.

    import sinew.torch
    x = sinew.torch.equilibrium(model, {"bar.young": young, "attach.end": pose})     # (N,3), differentiable
    ((x - observed) ** 2).sum().backward()

Forward is one solve by the method, backward one adjoint solve. First derivatives only.
"""
from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np

from ._core import Model, State
from .sensitivity import Derivative
from .errors import Error, InputError
from .methods import method as make_method

try:
    import torch
except ImportError as missing:
    raise ImportError("sinew.torch needs PyTorch, which is not installed") from missing


class _Equilibrium(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, model: Model, options: tuple, start: Optional[State], names: tuple,  # type: ignore[override]
                *tensors: torch.Tensor) -> torch.Tensor:
        values = {name: tensor.detach().cpu().numpy().astype(float) for name, tensor in zip(names, tensors)}
        params = model.params()
        model = model.with_params({name: value for name, value in values.items() if name in params})
        inputs = {name: value for name, value in values.items() if name not in params}
        state = model.state() if start is None else start.copy()
        info = make_method(model, options[0], **options[1]).equilibrium(state, inputs=inputs)
        if not info.converged:
            raise Error(f"no equilibrium was found: {info.reason or info.status}")
        ctx.derivative = Derivative(model, state, inputs)
        ctx.names = names
        ctx.save_for_backward(*tensors)
        return torch.as_tensor(np.array(state.x), dtype=tensors[0].dtype, device=tensors[0].device)

    @staticmethod
    def backward(ctx: Any, dL_dx: torch.Tensor) -> tuple:  # type: ignore[override]
        gradient = ctx.derivative.adjoint(dL_dx.detach().cpu().numpy().astype(float))
        result = [torch.as_tensor(np.asarray(gradient[name]), dtype=tensor.dtype, device=tensor.device)
                  .reshape(tensor.shape) for name, tensor in zip(ctx.names, ctx.saved_tensors)]
        return (None, None, None, None, *result)


def equilibrium(model: Model, values: Mapping[str, torch.Tensor], method: str = "newton", *,
                start: Optional[State] = None, **options: Any) -> torch.Tensor:
    """Positions (N,3) at the equilibrium of the scene's last frame, with some inputs and parameters as tensors.

    values   by the names of model.inputs() and model.params(), in their shapes
    start    a state to search from, instead of rest
    options  of the method, such as tolerance
    """
    known = {**model.inputs(), **model.params()}
    if not values:
        raise InputError("values: found none, expected at least one tensor")
    for name in values:
        if name not in known:
            raise InputError(f"values: {name!r} is no input and no parameter of this model: {list(known)}")
    return _Equilibrium.apply(model, (method, options), start, tuple(values), *values.values())
