#!/usr/bin/env python3
"""Writes the stub of sinew.materials, whose classes are made while the package is imported.

    PYTHONPATH=build/python material_stubs.py python/sinew/materials.pyi
"""
import pathlib
import sys

HEAD = '''"""Written by tools/material_stubs.py."""
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
'''
TYPES = {"number": "_Number", "boolean": "bool", "vector3": "_Direction"}


def stub(laws):
    text = HEAD
    for law in laws:
        name = "".join(part.capitalize() for part in law["name"].split("_"))
        parameters = [f"{field['name']}: {TYPES[field['kind']]}{'' if field['initial'] is None else ' = ...'}"
                      for field in law["fields"]]
        parameters += ["where: Optional[str] = ...", "add: bool = ..."]
        text += f"\nclass {name}(Material):\n    def __init__(self, *, {', '.join(parameters)}) -> None: ...\n"
    return text


if __name__ == "__main__":
    from sinew import _core
    pathlib.Path(sys.argv[1]).write_text(stub(_core.laws()))
