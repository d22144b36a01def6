"""Volumes for surfaces: any closed surface, also one that crosses itself, becomes tets or hexahedra that carry it.

    body = sinew.mesh_surface(V, F, cell=0.008)
    scene.add_solid("body", body, material=...)      # simulates the tets, shows the surface
    body.carry(x)                                    # where the surface is when the vertices are at x
"""
from __future__ import annotations

import json
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Mesh
from .errors import InputError


class Volume:
    """A mesh around a surface, and how it carries it."""

    def __init__(self, made: dict[str, Any]) -> None:
        mesh: Optional[Mesh] = made["mesh"]
        self._mesh = mesh
        self._count = len(made["elements"] if mesh is None else mesh.elements)
        self.vertices: NDArray[np.float64] = made["vertices"] if mesh is None else mesh.vertices  #: (N,3) [m]
        self.tets: Optional[NDArray[np.int32]] = None if mesh is None else mesh.elements  #: (M,4), or None
        self.hexes: Optional[NDArray[np.int32]] = made["elements"] if mesh is None else None  #: (M,8) as VTK has them
        self.triangles: NDArray[np.int32] = made["triangles"]  #: (K,3) of the surface as given, outwards
        self.element: NDArray[np.int32] = made["element"]  #: (P,) that carries each vertex of the surface
        self.nodes: NDArray[np.int32] = made["nodes"]  #: (P,4) or (P,8): its vertices
        self.weights: NDArray[np.float64] = made["weights"]  #: of these; each row adds up to one
        self.report: dict[str, Any] = json.loads(made["report"])  #: what was found: docs/meshing.md

    @property
    def mesh(self) -> Mesh:
        """The tets with their groups and data (`layers`, `coverage`) and the surface as their skin."""
        if self._mesh is None:
            raise InputError("mesh: found hexahedra, expected tets: call mesh_surface without hexes=True")
        return self._mesh

    def carry(self, x: ArrayLike) -> NDArray[np.float64]:
        """(P,3): the vertices of the surface when those of the mesh are at x, (N,3)."""
        at = np.asarray(x, dtype=float)
        if at.shape != self.vertices.shape:
            raise InputError(f"x: found an array of shape {at.shape}, expected {self.vertices.shape}")
        carried: NDArray[np.float64] = np.einsum("pk,pkc->pc", self.weights, at[self.nodes])
        return carried

    def __repr__(self) -> str:
        tets = self.tets is not None
        return f"<sinew.Volume: {len(self.vertices)} vertices, {self._count} {'tets' if tets else 'hexahedra'}>"


def mesh_surface(V: Union[ArrayLike, Mesh], F: Optional[ArrayLike] = None, *, cell: Optional[float] = None,
                 cells: Optional[int] = None, tets: Optional[int] = None, coarsen: int = 0, hexes: bool = False,
                 winding: bool = False, repair: bool = True,
                 joined: Union[str, Sequence[Sequence[str]]] = ()) -> Volume:
    """A volume mesh for a closed surface. Where it crosses itself, layers that overlap are not joined.

    V, F     vertices (P,3) [m] and triangles (K,3) that face outwards; or a Mesh of triangles, whose groups come along
    cell     edge of the cells [m]; without a size one for about 20,000 tets
    cells    instead: as many cells, within 10 %
    tets     instead: as many tets, within 10 %
    coarsen  what is joined is found on cells 2^coarsen times smaller
    hexes    hexahedra instead of tets
    winding  for open surfaces: the inside is where the surface winds around a point by more than one half
    repair   small holes are closed, triangles turned, walls, fins and sheets left out, and what cannot be closed goes by its
             winding number; else such surfaces are refused
    joined   parts stuck into each other that shall hold together: "all" that meet, or pairs of groups, [("eye_l", "head")]

    Raises sinew.InputError with what was found and what was expected, before memory would run out.
    """
    if sum(value is not None for value in (cell, cells, tets)) > 1:
        raise InputError("cell: expected one of cell, cells and tets, or none")
    size, cell_count, tet_count = _number("cell", cell, float), _number("cells", cells, int), _number("tets", tets, int)
    levels = _number("coarsen", coarsen, int, least=0)
    if isinstance(V, Mesh):
        if F is not None:
            raise InputError("F: expected no triangles beside a Mesh")
        surface = V
    else:
        if F is None:
            raise InputError("F: found None, expected triangles (K,3) beside the vertices")
        surface = Mesh(V, F)
    if surface.is_solid:
        raise InputError("F: found tets, expected triangles of shape (any, 3)")
    return Volume(_core.mesh_surface(surface, size, cell_count, tet_count, levels, bool(hexes), bool(winding),
                                     bool(repair), *_joined(joined)))


def _joined(joined: Union[str, Sequence[Sequence[str]]]) -> tuple[bool, list[list[str]]]:
    pairs = [] if isinstance(joined, str) else [list(pair) for pair in joined]
    if isinstance(joined, str) and joined != "all" or not all(
            len(pair) == 2 and all(isinstance(name, str) for name in pair) for pair in pairs):
        raise InputError(f'joined: found {joined!r}, expected "all" or pairs of groups, [("eye_l", "head")]')
    return joined == "all", pairs


def _number(name: str, value: Any, kind: type, least: Optional[int] = None) -> Any:
    """Zero where it is not given."""
    if value is None:
        return kind(0)
    array = np.asarray(value)
    fine = array.ndim == 0 and array.dtype.kind in ("iuf" if kind is float else "iu") and np.isfinite(array)
    if not fine or not (array > 0 if least is None else array >= least) or array > 2e9:
        wanted = "a positive number [m]" if kind is float else f"a whole number from {1 if least is None else least} on"
        raise InputError(f"{name}: found {value!r}, expected {wanted}")
    return kind(array)
