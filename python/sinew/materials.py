"""Materials: one class for each law of this build, made from the table that the scene file is checked by.

    flesh = sinew.materials.StableNeoHookean(young=5e4, poisson=0.45)
    graded = sinew.materials.Corotated(young=E, poisson=0.3)        # E: an array, one value for each tet

`where` names the selection that an entry of a list of materials is for; with `add` it adds to the earlier ones.
"""
from __future__ import annotations

import inspect
import json
from typing import Any, Optional

import numpy as np

from . import _core
from .tables import to_text


class Material:
    """A law with its constants. Use the classes made from it."""
    law = ""

    def __init__(self, *, where: Optional[str] = None, add: bool = False, **values: Any) -> None:
        described: dict[str, Any] = {"model": self.law}
        arrays = {}
        for name, value in values.items():
            if isinstance(value, np.ndarray) and value.ndim > 0 and not _is_direction(self.law, name, value):
                arrays[name] = value
                described[name] = {"field": name}
            else:
                described[name] = value
        if where is not None:
            described["where"] = where
        if add:
            described["add"] = True
        self._values = json.loads(_core.resolve_material(to_text(described)))
        self._values.update(arrays)

    def to_dict(self) -> dict[str, Any]:
        """As in a scene file; arrays stay arrays."""
        return dict(self._values)

    def __repr__(self) -> str:
        values = {key: value for key, value in self._values.items() if key not in ("model", "add")}
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in values.items())})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Material):
            return NotImplemented
        return repr(self) == repr(other)

    __hash__ = None  # type: ignore[assignment]


def _is_direction(law: str, name: str, value: np.ndarray) -> bool:
    return value.shape == (3,) and (law, name) in _DIRECTIONS


_DIRECTIONS = {(law["name"], field["name"]) for law in _core.laws() for field in law["fields"]
               if field["kind"] == "vector3"}


def _class_of(law: dict[str, Any]) -> type:
    lines = [f"{law['title']}: psi = {law['formula']}.", "", f"{law['source']}.", ""]
    parameters = []
    for field in law["fields"]:
        default = inspect.Parameter.empty if field["initial"] is None else json.loads(field["initial"])
        parameters.append(inspect.Parameter(field["name"], inspect.Parameter.KEYWORD_ONLY, default=default))
        lines.append(f"{field['name']}  {field['doc']} Expected: {field['expected']}.")
    parameters += [inspect.Parameter("where", inspect.Parameter.KEYWORD_ONLY, default=None),
                   inspect.Parameter("add", inspect.Parameter.KEYWORD_ONLY, default=False)]
    name = "".join(part.capitalize() for part in law["name"].split("_"))
    return type(name, (Material,), {"law": law["name"], "__doc__": "\n".join(lines), "__module__": __name__,
                                    "__signature__": inspect.Signature(parameters)})


for _law in _core.laws():
    _made = _class_of(_law)
    globals()[_made.__name__] = _made
__all__ = ["Material"] + [type_.__name__ for type_ in Material.__subclasses__()]
