"""What this build has, from the tables that the scene file is checked by; and values as JSON."""
from __future__ import annotations

import json
import math
from typing import Any, Mapping

import numpy as np

from . import _core
from .errors import InputError


def quantities() -> list[dict[str, Any]]:
    """The quantities that model.quantity() and model.field() know: name, unit, doc, on, width."""
    return _core.quantities()


def plain(value: Any, path: str) -> Any:
    """The value in terms of JSON. Numbers of numpy become numbers; what is not finite is refused with its path."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise InputError(f"found {value}, expected a finite number", path=path)
        return float(value)
    if isinstance(value, np.ndarray):
        return plain(value.tolist(), path)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise InputError(f"found the key {key!r}, expected a text", path=path)
        return {key: plain(item, f"{path}/{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, f"{path}/{i}") for i, item in enumerate(value)]
    raise InputError(f"found {type(value).__name__}, expected numbers, texts, lists and dicts", path=path)


def to_text(value: Any, path: str = "") -> str:
    """Compact JSON."""
    return json.dumps(plain(value, path), allow_nan=False, separators=(",", ":"))
