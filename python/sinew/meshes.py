"""Mesh files. The ending of a name gives the format."""
from __future__ import annotations

import os
from typing import Union

from . import _core
from ._core import Mesh

PathLike = Union[str, "os.PathLike[str]"]


def write_mesh(path: PathLike, mesh: Mesh) -> list[str]:
    """Writes a mesh; gives what the format could not hold, one sentence each. Tets become their boundary where the
    format holds surfaces alone."""
    if not isinstance(mesh, Mesh):
        raise _wrong("mesh", mesh)
    return _core.write_mesh(path, mesh)


def convert(source: PathLike, target: PathLike) -> list[str]:
    """Reads one mesh file and writes it as another; gives what was repaired or lost, one sentence each."""
    mesh = _core.read_mesh(source)
    return [*mesh.notes, *_core.write_mesh(target, mesh)]


def _wrong(name: str, value: object) -> Exception:
    from .errors import InputError
    return InputError(f"{name}: found {type(value).__name__}, expected a sinew.Mesh")
