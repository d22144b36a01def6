"""Sinew: elastic solids, quasistatically or in time, with numpy arrays in and out.

    import sinew
    scene = sinew.Scene.load("arm.json")          # or: sinew.Scene(), add_solid(name, V, T, material=...)
    model = scene.build()
    state = model.state()                         # state.x is an (N,3) view of the memory of the state
    info = sinew.method(model, "pbng", iterations=60).step(state, dt=1/24)

SI units throughout. Mistakes raise sinew.Error, which says where, what was found and what was expected.
"""
from . import materials, shapes
from ._core import Attachment, Body, Curve, Mesh, Model, Reason, State, StepInfo, read_mesh
from ._core import set_threads, threads
from ._core import version as __version__
from .batches import Batch, batch
from .compare import Comparison, compare
from .dataset import Dataset
from .sensitivity import Derivative, DerivativeWarning, Gradient, derivative
from .errors import Error, FileError, InputError, NotBuiltInError
from .methods import Method, method, methods
from .notebook import picture
from .runs import Run, load_run, run
from .scenes import Finding, Scene
from .tables import quantities
from .viewing import View, view
from .meshing import Volume, mesh_surface
from .meshes import convert, write_mesh

__all__ = [
    "Attachment", "Batch", "Body", "Comparison", "Curve", "Dataset", "Derivative", "DerivativeWarning", "Error",
    "FileError", "Finding", "Gradient", "InputError", "Mesh", "Method", "Model", "NotBuiltInError", "Reason", "Run", "Scene",
    "State", "StepInfo", "View", "Volume", "batch", "compare", "convert", "derivative", "load_run", "materials", "mesh_surface",
    "method", "methods",
    "picture", "quantities", "read_mesh", "run", "set_threads", "shapes", "threads", "view", "write_mesh",
]
