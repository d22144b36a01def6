"""The compiled part of sinew. Use the package itself."""
from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Optional, Sequence, Union, overload

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int32]
_Path = Union[str, bytes, "os.PathLike[str]"]
_Inputs = Union[ArrayLike, Mapping[str, ArrayLike], None]

version: str

def set_threads(count: int) -> None:
    """How many threads loops use; 0: all cores. The bits of a result do not depend on it."""

def threads() -> int: ...

class Mesh:
    """Vertices with tets or triangles, attributes and groups. Arrays are read-only views.

    Inverted tets are turned over, and `notes` says so.
    """

    def __init__(self, vertices: ArrayLike, elements: Optional[ArrayLike], *, edge_nodes: Optional[ArrayLike] = None,
                 vertex_data: Mapping[str, ArrayLike] = ..., element_data: Mapping[str, ArrayLike] = ...,
                 vertex_groups: Mapping[str, ArrayLike] = ..., element_groups: Mapping[str, ArrayLike] = ...,
                 skin: Optional[tuple[ArrayLike, ArrayLike, ArrayLike]] = None) -> None: ...
    @property
    def vertices(self) -> _Floats:
        """(N,3) [m]"""
    @property
    def elements(self) -> _Ints:
        """(M,4) tets, or (M,3) triangles that face outwards"""
    @property
    def edge_nodes(self) -> Optional[_Ints]:
        """(M,6) of tets of second order, in VTK's order"""
    @property
    def vertex_data(self) -> dict[str, _Floats]: ...
    @property
    def element_data(self) -> dict[str, _Floats]: ...
    @property
    def vertex_groups(self) -> dict[str, _Ints]: ...
    @property
    def element_groups(self) -> dict[str, _Ints]: ...
    @property
    def skin(self) -> Optional[tuple[_Ints, _Ints, _Floats]]:
        """A surface that the tets carry: triangles (K,3), and of each vertex its tet (P,) and weights (P,4)"""
    @property
    def notes(self) -> list[str]: ...
    @property
    def is_solid(self) -> bool:
        """Tets, not triangles."""
    @property
    def volume(self) -> float:
        """Of the tets, or inside a closed surface [m^3]."""
    def boundary(self) -> Mesh:
        """The surface of the tets."""

def read_mesh(path: _Path) -> Mesh:
    """A mesh file; the ending of the name gives the format. Tets where there are some, else triangles."""

def write_mesh(path: _Path, mesh: Mesh) -> list[str]: ...
def shape(text: str) -> Mesh: ...
def mesh_surface(surface: Mesh, cell: float, cells: int, tets: int, coarsen: int, hexes: bool, winding: bool,
                 repair: bool, join_all: bool, join_pairs: list[list[str]]) -> dict[str, Any]: ...
def write_skin(path: _Path, mesh: Mesh) -> None: ...

class Body:
    @property
    def name(self) -> str: ...
    @property
    def nodes(self) -> slice:
        """Of Model.X and State.x."""
    @property
    def tets(self) -> slice: ...
    @property
    def surface(self) -> _Ints:
        """(K,3), outward, node ids of the model"""
    @property
    def skin_triangles(self) -> _Ints:
        """(K,3) of the surface that the body carries, ids among its own vertices; none where it has no skin"""
    def skin(self, x: ArrayLike) -> _Floats:
        """(P,3): where the vertices of that surface are when the nodes of the model are at x"""

class Attachment:
    @property
    def name(self) -> str: ...
    @property
    def hold(self) -> str:
        """rigid, plane or line"""
    @property
    def nodes(self) -> _Ints: ...

class Model:
    """A built scene: it never changes. Arrays are read-only views of it."""

    @property
    def X(self) -> _Floats:
        """(N,3) rest positions [m]; shells that bend have rows of angles beside those of Body.nodes"""
    @property
    def tets(self) -> _Ints:
        """(M,4) corners; -1 in the last column for triangles of shells"""
    @property
    def edge_nodes(self) -> Optional[_Ints]: ...
    @property
    def bodies(self) -> dict[str, Body]: ...
    @property
    def attachments(self) -> dict[str, Attachment]: ...
    @property
    def colliders(self) -> list[str]: ...
    @property
    def probes(self) -> list[str]: ...
    @property
    def surface(self) -> _Ints:
        """(K,3) of all bodies"""
    @property
    def mass(self) -> _Floats:
        """(N,) lumped [kg]"""
    @property
    def method(self) -> str:
        """The scene's own."""
    @property
    def dynamic(self) -> bool: ...
    @property
    def frames(self) -> int: ...
    @property
    def fps(self) -> float: ...
    @property
    def substeps(self) -> int: ...
    @overload
    def time_of(self, frame: int) -> float: ...
    @overload
    def time_of(self, frame: int, substep: int) -> float: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def scene_text(self) -> str:
        """The scene with every default, as JSON."""
    def inputs(self, time: Optional[float] = None) -> dict[str, _Floats]:
        """The inputs by name at a time, that of the last frame by default. A pose is the 3x4 matrix [A b]."""
    def input_vector(self, time: Optional[float] = None) -> _Floats:
        """The same as one flat vector; a pose is twelve numbers by columns."""
    @property
    def input_slices(self) -> dict[str, slice]:
        """Where each input is in the flat vector."""
    def flatten_inputs(self, inputs: _Inputs, time: Optional[float] = None) -> _Floats:
        """The flat vector at a time, with the inputs of a dict in it."""
    def state(self) -> State:
        """Where the scene starts."""
    def load_state(self, path: _Path) -> State: ...
    def energy(self, state: State) -> float:
        """Potential energy: elastic, springs, loads, gravity [J]."""
    def forces(self, state: State) -> _Floats:
        """(N,3) [N]: minus the gradient of the energy, and the forces of the contacts that the state remembers."""
    def residual(self, state: State) -> tuple[float, float]:
        """The 2-norm of the forces over the free unknowns [N], and relative to that of internal forces and loads."""
    def hessian(self, state: State, *, kind: str = "exact", free: bool = False) -> scipy.sparse.spmatrix:
        """Second derivatives of the energy, without contacts: (3N,3N) in blocks of 3x3, or over the free unknowns,
        B.T H B with B = free_basis(time). `kind`: exact, or projected, which is positive semi-definite."""
    def free_basis(self, time: float) -> scipy.sparse.spmatrix:
        """(3N,n): orthonormal columns that span the free displacements."""
    def F(self, state: State) -> _Floats:
        """(M,3,3) deformation gradient of each tet, at its centre"""
    def stress(self, state: State, kind: str = "cauchy") -> _Floats:
        """(M,3,3) [Pa]: Cauchy's stress of each tet, or with "piola" the first Piola stress."""
    def reactions(self, state: State) -> dict[str, _Floats]:
        """By attachment: the force on each of its nodes (n,3) [N]."""
    def quantity(self, text: str, state: State) -> float:
        """One number: "block.det_F.min", "tip.position.x", as under "expect" in scene files."""
    def field(self, name: str, state: State) -> _Floats:
        """A quantity of nodes or elements over all bodies: "von_mises", "displacement"."""
    def params(self) -> dict[str, _Floats]:
        """Material fields, densities, bending stiffness of shells and stiffness of links by name: one value for all
        elements, or one for each."""
    def with_params(self, params: Mapping[str, ArrayLike]) -> Model:
        """The same model with other values."""

class State:
    """Positions, velocities and whatever else a method remembers.

    Arrays share the memory of the state and keep it alive; columns on contacts, whose number changes, are copies.
    """

    @property
    def x(self) -> _Floats:
        """(N,3) positions [m]; may be written to"""
    @x.setter
    def x(self, value: ArrayLike) -> None: ...
    @property
    def v(self) -> _Floats:
        """(N,3) velocities [m/s]; may be written to"""
    @v.setter
    def v(self, value: ArrayLike) -> None: ...
    @property
    def time(self) -> float:
        """[s]"""
    @time.setter
    def time(self, value: float) -> None: ...
    @property
    def step(self) -> int:
        """How many were taken."""
    @property
    def columns(self) -> list[str]: ...
    def __getitem__(self, name: str) -> NDArray[Any]: ...
    def copy(self) -> State: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> State: ...
    @property
    def hash(self) -> str:
        """Sixteen digits that differ where a number of the state does."""
    def __eq__(self, other: object) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def save(self, path: _Path) -> None:
        """Writes the state, to be read by Model.load_state()."""

class Reason:
    """Why a step did not converge; as text, one sentence."""

    @property
    def body(self) -> str: ...
    @property
    def other(self) -> str:
        """The body or collider that it touches, where that matters; else empty."""
    @property
    def place(self) -> tuple[float, float, float]:
        """At rest [m]."""
    @property
    def node(self) -> Optional[int]:
        """There, in the numbering of the body."""
    @property
    def element(self) -> Optional[int]: ...
    @property
    def cause(self) -> str: ...
    @property
    def advice(self) -> str:
        """What to try."""

class StepInfo:
    """What a step tells of itself. True where it was taken."""

    def __bool__(self) -> bool: ...
    @property
    def status(self) -> str:
        """converged, stalled (taken, above the tolerance), failed or cancelled (not taken)"""
    @property
    def taken(self) -> bool: ...
    @property
    def converged(self) -> bool: ...
    @property
    def time(self) -> float:
        """Where the state is now [s]."""
    frame: int
    @property
    def increments(self) -> int: ...
    @property
    def iterations(self) -> int: ...
    @property
    def linear_iterations(self) -> int: ...
    @property
    def residual(self) -> float:
        """[N]"""
    @property
    def relative_residual(self) -> float: ...
    @property
    def energy(self) -> float:
        """[J]"""
    @property
    def inverted(self) -> int:
        """Elements with det F <= 0."""
    @property
    def min_det_F(self) -> float: ...
    @property
    def contacts(self) -> int: ...
    @property
    def penetration(self) -> float:
        """[m]"""
    @property
    def penetration_edge(self) -> float: ...
    @property
    def dissipation(self) -> float:
        """Work of friction [J]."""
    @property
    def linear_solver(self) -> str: ...
    @property
    def notes(self) -> list[str]:
        """Fallbacks that were taken."""
    @property
    def reason(self) -> Optional[Reason]:
        """Of a step that stalled or failed."""
    @property
    def seconds(self) -> dict[str, float]:
        """By phase."""

class MethodCore:
    def __init__(self, model: Model, name: str, options: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def tolerance(self) -> float: ...
    def step_to(self, state: State, to: float, inputs: _Inputs, on_residual: Optional[Callable[[float], object]],
                /) -> StepInfo: ...
    def equilibrium(self, state: State, time: float, inputs: _Inputs,
                    on_residual: Optional[Callable[[float], object]], /) -> StepInfo: ...

class DerivativeCore:
    def __init__(self, model: Model, state: State, inputs: _Inputs) -> None: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def relative_residual(self) -> float: ...
    @property
    def linear_solver(self) -> str: ...
    def forward(self, changes: list[tuple[_Inputs, dict[str, ArrayLike]]]) -> list[_Floats]: ...
    def adjoint(self, dL_dx: list[ArrayLike]) -> list[tuple[_Floats, dict[str, _Floats]]]: ...

class RunCore:
    def __init__(self, folder: _Path, /) -> None: ...
    @property
    def folder(self) -> str: ...
    @property
    def model(self) -> Model: ...
    @property
    def summary(self) -> str: ...
    @property
    def stats(self) -> list[str]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def frames(self) -> list[tuple[int, float]]: ...
    def state(self, index: int, /) -> State: ...
    def refresh(self) -> None: ...

def run_file(scene: _Path, folder: _Path, resume: bool, force: bool, export: Optional[Sequence[str]],
             on_frame: Optional[Callable[[int, float, float], object]], /) -> str: ...

class Curve:
    """How one method went: arrays over its iterations, the start first."""

    @property
    def label(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def setup_seconds(self) -> float:
        """Before the first iteration, not in `seconds`."""
    @property
    def iteration(self) -> NDArray[np.int64]: ...
    @property
    def seconds(self) -> _Floats: ...
    @property
    def residual(self) -> _Floats:
        """[N]"""
    @property
    def relative_residual(self) -> _Floats: ...
    @property
    def energy_gap(self) -> _Floats:
        """Above the reference [J]."""
    @property
    def error_rms(self) -> _Floats:
        """Of positions, over the size of the scene."""
    @property
    def error_max(self) -> _Floats: ...

class ComparisonCore:
    def __init__(self, model: Model, methods: str, budget: Optional[float], iterations: Optional[int], step: int,
                 repeats: int, tolerance: float, /) -> None: ...
    @property
    def curves(self) -> list[Curve]: ...
    @property
    def time(self) -> float: ...
    @property
    def verdict(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def table(self) -> str: ...
    def report_files(self) -> dict[str, bytes]: ...
    def is_report_file(self, name: str, /) -> bool: ...

class ViewCore:
    def __init__(self, path: _Path, port: int, /) -> None: ...
    @property
    def url(self) -> str: ...
    def stop(self) -> None: ...

def picture(model: Model, state: State, width: int, height: int, /) -> bytes: ...
def size_text(model: Model, /) -> str: ...
def bounds(state: State, /) -> _Floats: ...
def write_file(path: _Path, content: bytes, /) -> None: ...
def build(text: str, name: str, folder: str, meshes: Mapping[str, Mesh], /) -> Model: ...
def check(text: str, name: str, folder: str, meshes: Mapping[str, Mesh], /) -> list[list[str]]: ...
def load_scene(path: _Path, overrides: Sequence[str], /) -> tuple[str, str]: ...
def resolve(text: str, name: str, overrides: Sequence[str], /) -> str: ...
def resolve_material(text: str, /) -> str: ...
def pretty(text: str, /) -> str: ...
def laws() -> list[dict[str, Any]]: ...
def methods() -> list[dict[str, Any]]: ...
def quantities() -> list[dict[str, Any]]: ...
def solve_batch(model: Model, inputs: Optional[ArrayLike], start: Optional[ArrayLike], time: float, tolerance: float,
                jobs: int, /) -> tuple[_Floats, NDArray[np.bool_], _Floats, NDArray[np.int64], list[str], list[str]]: ...
