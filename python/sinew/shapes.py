"""Built-in shapes as meshes, with groups of nodes on their sides. Lengths in metres.

    mesh = sinew.shapes.box(size=(1, 0.2, 0.2), cells=(20, 4, 4))
    mesh.vertex_groups["xmin"]
"""
from __future__ import annotations

from typing import Any, Mapping, Sequence

from . import _core
from ._core import Mesh
from .tables import to_text

__all__ = ["ball", "box", "capsule", "cylinder", "ellipsoid", "lattice", "sheet", "shell", "torus", "tube"]

_ORIGIN = (0.0, 0.0, 0.0)


def _make(word: str, **keys: Any) -> Mesh:
    return _core.shape(to_text({word: keys}, word))


def box(cells: Sequence[int], size: Sequence[float] = (1.0, 1.0, 1.0), *, split: str = "five",
        origin: Sequence[float] = _ORIGIN) -> Mesh:
    """A block of cells. Groups: xmin xmax ymin ymax zmin zmax."""
    return _make("box", cells=cells, size=size, split=split, origin=origin)


def ball(radius: float, cells: int, *, split: str = "six", centre: Sequence[float] = _ORIGIN) -> Mesh:
    """A ball, with so many cells across. Group: surface."""
    return _make("ball", radius=radius, cells=cells, split=split, centre=centre)


def ellipsoid(radii: Sequence[float], cells: int, *, split: str = "six", centre: Sequence[float] = _ORIGIN) -> Mesh:
    """An ellipsoid with axes x, y and z. Group: surface."""
    return _make("ellipsoid", radii=radii, cells=cells, split=split, centre=centre)


def cylinder(radius: float, length: float, cells: int, layers: int, *, split: str = "six") -> Mesh:
    """A solid cylinder along z, from z = 0. Groups: side bottom top."""
    return _make("cylinder", radius=radius, length=length, cells=cells, layers=layers, split=split)


def tube(inner: float, outer: float, length: float, radial: int, around: int, layers: int, *,
         start_degrees: float = 0.0, sweep_degrees: float = 360.0, split: str = "six") -> Mesh:
    """A thick-walled tube along z, or a part of it. Groups: inner outer bottom top, and start end of a part."""
    return _make("tube", inner=inner, outer=outer, length=length, radial=radial, around=around, layers=layers,
                 start_degrees=start_degrees, sweep_degrees=sweep_degrees, split=split)


def torus(major: float, minor: float, cells: int, around: int, *, start_degrees: float = 0.0,
          sweep_degrees: float = 360.0, split: str = "six", centre: Sequence[float] = _ORIGIN) -> Mesh:
    """A ring about z, or a part of it. Groups: surface, and start end of a part."""
    return _make("torus", major=major, minor=minor, cells=cells, around=around, start_degrees=start_degrees,
                 sweep_degrees=sweep_degrees, split=split, centre=centre)


def capsule(radius: float, length: float, cells: int, layers: int, *, split: str = "six",
            centre: Sequence[float] = _ORIGIN) -> Mesh:
    """A cylinder along z between two half balls. Groups: surface bottom_cap side top_cap."""
    return _make("capsule", radius=radius, length=length, cells=cells, layers=layers, split=split, centre=centre)


def sheet(size: Sequence[float], thickness: float, cells: Sequence[int], *, layers: int = 1, split: str = "five",
          origin: Sequence[float] = _ORIGIN) -> Mesh:
    """A thin slab, [0, thickness] in z. Groups: xmin xmax ymin ymax bottom top."""
    return _make("sheet", size=size, thickness=thickness, cells=cells, layers=layers, split=split, origin=origin)


def shell(inner: float, outer: float, radial: int, across: int, *, octant: bool = False, split: str = "six") -> Mesh:
    """A thick hollow ball, or its octant. Groups: inner outer, and xmin ymin zmin of the octant."""
    return _make("shell", inner=inner, outer=outer, radial=radial, across=across, octant=octant, split=split)


def lattice(cell: float, solid: Mapping[str, Any]) -> Mesh:
    """A solid made by set operations, as in scene files, filled with the tets of a lattice. Group: surface."""
    return _make("lattice", cell=cell, solid=solid)
