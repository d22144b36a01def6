"""Written by tools/material_stubs.py."""
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

_Number = Union[float, NDArray[Any]]
_Direction = Union[Sequence[float], NDArray[Any]]

__all__: list[str]

class Material:
    law: str
    def __init__(self, *, where: Optional[str] = ..., add: bool = ..., **values: Any) -> None: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object) -> bool: ...
    __hash__: None  # type: ignore[assignment]

class ActiveFibre(Material):
    def __init__(self, *, tension: _Number, nominal: bool = ..., fibre: _Direction, where: Optional[str] = ..., add: bool = ...) -> None: ...

class Arap(Material):
    def __init__(self, *, mu: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class Corotated(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class CorotatedLinear(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class EdgeSprings(Material):
    def __init__(self, *, young: _Number, compression: _Number = ..., edge_1: _Direction = ..., edge_2: _Direction = ..., edge_3: _Direction = ..., where: Optional[str] = ..., add: bool = ...) -> None: ...

class Fung(Material):
    def __init__(self, *, young: _Number, poisson: _Number, stiffening: _Number = ..., where: Optional[str] = ..., add: bool = ...) -> None: ...

class Guccione(Material):
    def __init__(self, *, c: _Number, b_f: _Number = ..., b_t: _Number = ..., b_fs: _Number = ..., bulk: _Number, fibre: _Direction, where: Optional[str] = ..., add: bool = ...) -> None: ...

class Linear(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class MacklinMueller(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class MooneyRivlin(Material):
    def __init__(self, *, c10: _Number, c01: _Number, bulk: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class Muscle(Material):
    def __init__(self, *, c10: _Number = ..., c01: _Number = ..., bulk: _Number = ..., peak_stress: _Number = ..., optimal: _Number = ..., activation: _Number = ..., isochoric_fibre: bool = ..., fibre: _Direction, where: Optional[str] = ..., add: bool = ...) -> None: ...

class NeoHookean(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class NeoHookeanCiarlet(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class NeoHookeanDecoupled(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class Ogden(Material):
    def __init__(self, *, mu1: _Number, alpha1: _Number, mu2: _Number = ..., alpha2: _Number = ..., mu3: _Number = ..., alpha3: _Number = ..., bulk: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class Orthotropic(Material):
    def __init__(self, *, young_warp: _Number, young_weft: _Number, poisson: _Number, shear: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class StableNeoHookean(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class StableNeoHookeanLog(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class Stvk(Material):
    def __init__(self, *, young: _Number, poisson: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...

class Yeoh(Material):
    def __init__(self, *, c10: _Number, c20: _Number = ..., c30: _Number = ..., bulk: _Number, where: Optional[str] = ..., add: bool = ...) -> None: ...
