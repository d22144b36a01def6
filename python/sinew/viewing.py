"""The viewer in the browser.

    view = sinew.view("out")      # a run, a scene or a mesh; view.url is its address on this machine
    view.stop()
"""
from __future__ import annotations

import os
import tempfile
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._core import Mesh, Model, State
from .errors import InputError
from .meshes import PathLike
from .runs import Run
from .scenes import Scene


class View:
    """A server on 127.0.0.1, for whoever has the token in its address. It ends with stop() or with the object."""

    def __init__(self, path: PathLike, port: int = 0, kept: Optional[tempfile.TemporaryDirectory[str]] = None) -> None:
        self._kept = kept  # files that are shown
        self._core = _core.ViewCore(path, port)

    @property
    def url(self) -> str:
        return self._core.url

    def stop(self) -> None:
        self._core.stop()
        if self._kept is not None:
            self._kept.cleanup()
            self._kept = None

    def __enter__(self) -> View:
        return self

    def __exit__(self, *unused: Any) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<sinew.View {self.url}>"

    def _repr_html_(self) -> str:
        return f'<a href="{self.url}" target="_blank">{self.url}</a>'


def view(what: Union[Scene, Run, Mesh, Model, State, PathLike], *, model: Optional[Model] = None,
         port: int = 0) -> View:
    """Shows a scene (live), a run, a mesh, a state (with its model) or a path of one of them in the browser."""
    if isinstance(what, Run):
        return View(what.folder, port)
    if isinstance(what, Model):
        model = what
        what = model.state()
    if not isinstance(what, (Scene, Mesh, State)):
        return View(what, port)
    kept = tempfile.TemporaryDirectory(prefix="sinew-")
    if isinstance(what, Scene):
        file = os.path.join(kept.name, "scene.json")
        what.save(file)
    else:
        file = os.path.join(kept.name, "mesh.vtu")
        _core.write_mesh(file, what if isinstance(what, Mesh) else _mesh_of(what, model))
    return View(file, port, kept)


def _mesh_of(state: State, model: Optional[Model]) -> Mesh:
    """Deformed, with what can be seen on it."""
    if model is None:
        raise InputError("model: expected the model of the state beside it")
    displacement = model.field("displacement", state)
    if (model.tets < 0).any():  # no mesh holds tets and triangles: surfaces alone
        seen, corners = np.unique(model.surface, return_inverse=True)
        return Mesh(state.x[seen], corners.reshape(-1, 3), vertex_data={"displacement": displacement[seen]})
    fields = {name: model.field(name, state) for name in ("von_mises", "det_F")}
    return Mesh(state.x, model.tets, edge_nodes=None, element_data=fields,
                vertex_data={"displacement": displacement})
