"""What notebooks show of scenes, models, states and runs: a small picture and a table, in one piece of HTML."""
from __future__ import annotations

import base64
import html
from typing import Optional

from . import _core
from ._core import Model, State
from .errors import Error
from .runs import Run
from .scenes import Scene


def picture(model: Model, state: Optional[State] = None, size: tuple[int, int] = (640, 420)) -> bytes:
    """A state, or the initial one, as PNG: bodies in the colours of plots, colliders seen through."""
    return _core.picture(model, model.state() if state is None else state, *size)


def _image(model: Model, state: Optional[State] = None) -> str:
    data = base64.b64encode(picture(model, state, (480, 320))).decode()
    return f'<img width="480" height="320" alt="the bodies, drawn" src="data:image/png;base64,{data}">'


def _table(rows: dict[str, object]) -> str:
    cells = "".join(f"<tr><th>{html.escape(key)}</th><td>{html.escape(str(value))}</td></tr>"
                    for key, value in rows.items())
    return f"<table>{cells}</table>"


def _model_rows(model: Model) -> dict[str, object]:
    return {"bodies": ", ".join(model.bodies), "size": _core.size_text(model),
            "held": ", ".join(model.attachments) or "nothing", "method": model.method, "frames": model.frames}


def _model_html(model: Model) -> str:
    return _image(model) + _table(_model_rows(model))


def _scene_html(scene: Scene) -> str:
    try:
        return _model_html(scene.build())
    except Error as error:
        return f"<pre>{html.escape(str(error))}</pre>"


def _state_html(state: State) -> str:
    low, high = _core.bounds(state)
    return _table({"time [s]": f"{state.time:g}", "steps": state.step,
                   "lowest x, y, z [m]": " ".join(f"{v:.4g}" for v in low),
                   "highest x, y, z [m]": " ".join(f"{v:.4g}" for v in high), "hash": state.hash})


def _run_html(run: Run) -> str:
    rows: dict[str, object] = {"folder": run.folder, "status": run.status, "frames": len(run)}
    image = _image(run.model, run[-1]) if len(run) else ""
    return image + _table({**rows, **_model_rows(run.model)})


# The classes of the compiled module know nothing of HTML.
Model._repr_html_ = _model_html  # type: ignore[attr-defined]
State._repr_html_ = _state_html  # type: ignore[attr-defined]
Scene._repr_html_ = _scene_html  # type: ignore[attr-defined]
Run._repr_html_ = _run_html  # type: ignore[attr-defined]
