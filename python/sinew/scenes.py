"""Scene: bodies, what holds and loads them, and how they are solved, from a file or from arrays.

    scene = sinew.Scene()
    scene.add_solid("flesh", V, T, material=sinew.materials.StableNeoHookean(young=5e4, poisson=0.45))
    scene.attach("flesh", nodes=np.flatnonzero(V[:, 0] < 1e-6), name="wall")
    scene.gravity = (0, -9.81, 0)
    model = scene.build()

A scene is the dict of a scene file (docs/scene.md), in `data`, and the meshes that came as arrays, in `meshes`.
"""
from __future__ import annotations

import copy
import json
import os
import warnings
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Mesh, Model
from .errors import InputError
from .materials import Material
from .meshes import PathLike
from .tables import plain, to_text
from .meshing import Volume

MaterialLike = Union[Material, Mapping[str, Any]]


class Finding(NamedTuple):
    """Something that Scene.check() tells."""
    severity: str  # note, warning or error
    text: str
    where: str
    path: str


class Scene:
    data: dict[str, Any]
    meshes: dict[str, Mesh]
    folder: str
    name: str

    def __init__(self) -> None:
        self.data = {"sinew": 1, "bodies": {}}
        self.meshes = {}
        self.folder = ""   # that paths in the scene are relative to
        self.name = "scene"

    @classmethod
    def load(cls, path: PathLike, set: Optional[Mapping[str, Any]] = None) -> Scene:
        """A scene file, with every default filled in. `set` changes values: {"bodies.block.density": 10}."""
        overrides = [f"{key}={to_text(value, key)}" for key, value in (set or {}).items()]
        text, folder = _core.load_scene(path, overrides)
        return cls._of(json.loads(text), folder, os.path.basename(os.fsdecode(path)))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], folder: PathLike = "",
                  meshes: Optional[Mapping[str, Mesh]] = None) -> Scene:
        """A scene as a dict. Meshes that it names under "memory" come with it."""
        scene = cls._of(plain(data, ""), os.fsdecode(folder), "scene")
        if not isinstance(scene.data, dict):
            raise InputError("data: expected a dict")
        for name, mesh in (meshes or {}).items():
            scene._keep(name, mesh)
        return scene

    @classmethod
    def _of(cls, data: dict[str, Any], folder: str, name: str) -> Scene:
        scene = cls()
        scene.data, scene.folder, scene.name = data, folder, name
        return scene

    def to_dict(self) -> dict[str, Any]:
        """A copy. Meshes that came as arrays are {"memory": name}."""
        copied: dict[str, Any] = plain(copy.deepcopy(self.data), "")
        return copied

    def to_json(self) -> str:
        return _core.pretty(self._text())

    def _text(self) -> str:
        return to_text(self.data)

    def save(self, path: PathLike) -> None:
        """Writes the scene; meshes that came as arrays are written beside it as STEM.NAME.vtu."""
        target = os.path.abspath(os.fsdecode(path))
        folder, file = os.path.split(target)
        stem = os.path.splitext(file)[0]
        data = self.to_dict()
        for holder in _mesh_holders(data):
            if "memory" in holder:
                name = holder.pop("memory")
                if name not in self.meshes:
                    raise InputError(f"the scene names the mesh {name!r}, which is not in Scene.meshes")
                # First, as in files.
                rest = dict(holder)
                holder.clear()
                holder["file"] = f"{stem}.{name}.vtu"
                holder.update(rest)
                _core.write_mesh(os.path.join(folder, holder["file"]), self.meshes[name])
                if self.meshes[name].skin is not None:
                    holder["skin"] = f"{stem}.{name}.npz"
                    _core.write_skin(os.path.join(folder, holder["skin"]), self.meshes[name])
                continue
            for key in ("file", "surface", "skin"):
                if key in holder:
                    holder[key] = self._seen_from(folder, holder[key])
        for entry in [*data.get("attach", []), *data.get("colliders", {}).values()]:
            motion = entry.get("motion")
            if isinstance(motion, dict) and "file" in motion:
                motion["file"] = self._seen_from(folder, motion["file"])
        _core.write_file(target, _core.pretty(to_text(data)).encode())

    def _seen_from(self, folder: str, file: str) -> str:
        own = os.path.abspath(self.folder or ".")
        if os.path.isabs(file) or own == folder:
            return file
        return os.path.relpath(os.path.join(own, file), folder)

    def check(self) -> list[Finding]:
        """Everything that is wrong with the scene or may surprise; an error is a reason that build() would give."""
        found = _core.check(self._text(), self.name, self.folder, self.meshes)
        return [Finding(severity, text, where, path) for severity, where, path, text in found]

    def build(self) -> Model:
        """Raises sinew.InputError with all problems where there are any."""
        return _core.build(self._text(), self.name, self.folder, self.meshes)

    def set(self, path: str, value: Any) -> None:
        """Changes a value: scene.set("solve.method", "pbng"). The path must be one of the scene file's."""
        self.data = json.loads(_core.resolve(self._text(), self.name, [f"{path}={to_text(value, path)}"]))

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Acceleration of every body [m/s^2]."""
        x, y, z = self.data.get("gravity", (0.0, 0.0, 0.0))
        return (x, y, z)

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        self.data["gravity"] = _vector("gravity", value)

    def add_solid(self, name: str, V: Union[ArrayLike, Mesh, Volume, Mapping[str, Any]],
                  T: Optional[ArrayLike] = None, *,
                  material: Union[MaterialLike, Sequence[MaterialLike]], density: ArrayLike = 1000.0,
                  node_groups: Optional[Mapping[str, ArrayLike]] = None,
                  **keys: Any) -> Optional[NDArray[np.int64]]:
        """Adds a body. Gives the node of each vertex of a mesh of arrays, counted in the body, which has

            model.X[model.bodies[name].nodes][add_solid(...)] == V

        for vertices of tets. A vertex of no tet has neither mass nor stiffness: it is left out with a warning, has -1, and
        those after it move up; so it is with the vertices that parts="largest" leaves out. None for a shape or a file.

        V, T         vertices (N,3) [m] and tets (M,4); or a Mesh alone; or what mesh_surface() gave; or {"box": {...}},
                     {"file": ...}, {"surface": ...} as in files
        material     one of sinew.materials, or a dict; or a list of which each tet takes the last that matches it
        density      [kg/m^3], one number or one for each tet
        node_groups  names for sets of nodes, for attach() and loads
        keys         further keys of a body: elements, damping, parts, select, place, initial, groups
        """
        self._require_new(name)
        if isinstance(V, Volume):
            V = V.mesh
        nodes: Optional[NDArray[np.int64]] = None
        body: dict[str, Any] = {}
        per_tet: dict[str, np.ndarray] = {}
        if isinstance(V, Mapping) and (T is not None or node_groups):
            raise InputError("V: a shape or a file has its own tets and groups")
        entries = list(material) if isinstance(material, (list, tuple)) else [material]
        described = [_material(entry, per_tet, k) for k, entry in enumerate(entries)]
        body["material"] = described if isinstance(material, (list, tuple)) else described[0]
        body["density"] = _value("density", density, per_tet)
        body.update(plain(keys, f"/bodies/{name}"))
        if not isinstance(V, Mapping):
            self.meshes[name] = _with_data(_solid(V, T), per_tet, node_groups or {})
            nodes = _body_nodes(name, self.meshes[name], keys.get("elements", "linear"), keys.get("parts", "all"))
            mesh = {"memory": name}
        elif per_tet:
            raise InputError(f"{next(iter(per_tet))}: an array, one value for each tet, needs a mesh of arrays")
        else:
            mesh = plain(V, f"/bodies/{name}/mesh")
        self.data["bodies"][name] = {"mesh": mesh, **body}
        return nodes

    def add_shell(self, name: str, V: Union[ArrayLike, Mesh, Mapping[str, Any]], T: Optional[ArrayLike] = None, *,
                  thickness: float, material: Union[MaterialLike, Sequence[MaterialLike]], density: ArrayLike = 1000.0,
                  texture: Optional[ArrayLike] = None,
                  node_groups: Optional[Mapping[str, ArrayLike]] = None, **keys: Any) -> None:
        """Adds a sheet of triangles: cloth, skin, a thin wall. Triangles must use every vertex.

        V, T         vertices (N,3) [m] and triangles (M,3); or a Mesh alone; or {"grid": {...}}, {"file": ...} as in files
        thickness    [m]
        material     one of sinew.materials, or a dict; or a list of which each triangle takes the last that matches it
        density      [kg/m^3], one number or one for each triangle
        texture      (M,3,2) texture coordinates of the corners [m], at rest in which it is with rest="texture"
        node_groups  names for sets of nodes, for attach(), loads and seams
        keys         further keys of a shell: bending, rest, warp, seams, fixed_thickness, damping, select, place, initial
        """
        self._require_new(name)
        per_triangle: dict[str, np.ndarray] = {}
        if isinstance(V, Mapping) and (T is not None or node_groups or texture is not None):
            raise InputError("V: a shape or a file has its own triangles, texture and groups")
        entries = list(material) if isinstance(material, (list, tuple)) else [material]
        described = [_material(entry, per_triangle, k) for k, entry in enumerate(entries)]
        body: dict[str, Any] = {"type": "shell", "thickness": plain(thickness, f"/bodies/{name}/thickness"),
                                "material": described if isinstance(material, (list, tuple)) else described[0],
                                "density": _value("density", density, per_triangle)}
        body.update(plain(keys, f"/bodies/{name}"))
        if isinstance(V, Mapping):
            if per_triangle:
                raise InputError(f"{next(iter(per_triangle))}: an array, one value for each triangle, needs a mesh of arrays")
            mesh = plain(V, f"/bodies/{name}/mesh")
        else:
            surface = V if isinstance(V, Mesh) else Mesh(V, T)
            if surface.is_solid:
                raise InputError("T: found tets, expected triangles of shape (any, 3)")
            if texture is not None:
                per_triangle["texture"] = np.asarray(texture, dtype=float).reshape(len(surface.elements), 6)
            self.meshes[name] = _with_data(surface, per_triangle, node_groups or {})
            mesh = {"memory": name}
        self.data["bodies"][name] = {"mesh": mesh, **body}

    def add_collider(self, name: str, shape: Union[ArrayLike, Mesh, Mapping[str, Any]],
                     T: Optional[ArrayLike] = None, **keys: Any) -> None:
        """Adds a rigid shape that bodies cannot enter: {"plane": {...}} and others as in files, a closed surface as a
        Mesh, or vertices and triangles. `keys`: motion, hollow, response, groups."""
        self._require_new(name)
        entry = plain(keys, f"/colliders/{name}")
        if isinstance(shape, Mapping):
            described = plain(shape, f"/colliders/{name}/shape")
        else:
            surface = shape if isinstance(shape, Mesh) else Mesh(shape, T)
            if surface.is_solid:
                surface = surface.boundary()
            self.meshes[name] = surface
            described = {"mesh": {"memory": name}}
        self.data.setdefault("colliders", {})[name] = {"shape": described, **entry}

    def attach(self, what: str, nodes: Optional[ArrayLike] = None, *, name: Optional[str] = None, **keys: Any) -> None:
        """Holds nodes: attach("flesh.left"), or attach("flesh", nodes) for ids of a mesh that came as arrays.

        `keys`: hold ("rigid", "plane", "line", "soft"), motion, normal, direction, stiffness.
        """
        if nodes is not None:
            mesh = self.meshes.get(what)
            if mesh is None:
                raise InputError(f"what: found {what!r}, expected a body whose mesh came as arrays")
            group = name or f"nodes_{len(self.data.get('attach', []))}"
            if group in mesh.vertex_groups:
                raise InputError(f"name: the mesh has a group {group!r} already")
            self.meshes[what] = _with_data(mesh, {}, {group: nodes}, "nodes")
            what = f"{what}.{group}"
        entry: dict[str, Any] = {"what": what}
        if name is not None:
            entry["name"] = name
        entry.update(plain(keys, "/attach"))
        self.data.setdefault("attach", []).append(entry)

    def add_load(self, what: str, type: str, value: ArrayLike, **keys: Any) -> None:
        """A load on a selection: "force" [N], "traction" [Pa] or "pressure" [Pa]. `keys`: name, ramp."""
        entry = {"type": type, "what": what, "value": np.asarray(value).tolist(), **keys}
        self.data.setdefault("loads", []).append(plain(entry, "/loads"))

    def add_probe(self, name: str, body: str, point: ArrayLike) -> None:
        """A point of a body that is followed."""
        self.data.setdefault("probes", {})[name] = {"body": body, "point": _vector("point", point)}

    def _keep(self, name: str, mesh: Mesh) -> None:
        if not isinstance(mesh, Mesh):
            raise InputError(f"meshes[{name!r}]: found {type(mesh).__name__}, expected a sinew.Mesh")
        self.meshes[name] = mesh

    def _require_new(self, name: str) -> None:
        if not isinstance(name, str):
            raise InputError(f"name: found {name!r}, expected a text")
        for kind in ("bodies", "colliders"):
            if name in self.data.get(kind, {}):
                raise InputError(f"name: {name!r} is there already, in {kind}")

    def __copy__(self) -> Scene:
        """A scene of its own; meshes never change, and are shared."""
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        return f"<sinew.Scene {self.name}: {', '.join(self.data.get('bodies', {})) or 'no bodies'}>"


def _mesh_holders(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects of a scene that have "file", "surface" or "memory" for a mesh."""
    found = [body.get("mesh", {}) for body in data.get("bodies", {}).values()]
    found += [entry.get("shape", {}).get("mesh", {}) for entry in data.get("colliders", {}).values()]
    return [holder for holder in found if not {"memory", "file", "surface"}.isdisjoint(holder)]


def _vector(name: str, value: ArrayLike) -> list[float]:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != (3,) or not np.isfinite(array).all():
        raise InputError(f"{name}: found {value!r}, expected three finite numbers")
    return array.tolist()


def _value(name: str, value: Any, per_tet: dict[str, np.ndarray]) -> Any:
    """A number as it is; an array becomes a field of the mesh."""
    array = np.asarray(value)
    if array.ndim == 0:
        return plain(value, name)
    if array.dtype.kind not in "fiu":
        raise InputError(f"{name}: found an array of {array.dtype}, expected numbers, one for each tet")
    per_tet[name] = array
    return {"field": name}


def _material(entry: MaterialLike, per_tet: dict[str, np.ndarray], index: int) -> dict[str, Any]:
    if isinstance(entry, Material):
        described = entry.to_dict()
    elif isinstance(entry, Mapping):
        described = dict(entry)
    else:
        raise InputError(f"material: found {type(entry).__name__}, expected one of sinew.materials or a dict")
    for key, value in described.items():
        if isinstance(value, np.ndarray) and not (value.ndim == 1 and value.shape == (3,) and key in _VECTORS):
            described[key] = _value(key if index == 0 else f"{key}_{index}", value, per_tet)
    return plain(described, "/material")


_VECTORS = {field["name"] for law in _core.laws() for field in law["fields"] if field["kind"] == "vector3"}


def _solid(V: Union[ArrayLike, Mesh], T: Optional[ArrayLike]) -> Mesh:
    if not isinstance(V, Mesh):
        if T is None:
            raise InputError("T: found None, expected tets (M,4) beside the vertices")
        V = Mesh(V, T)
    elif T is not None:
        raise InputError("T: expected no tets beside a Mesh")
    if not V.is_solid:
        raise InputError("T: found triangles, expected tets of shape (any, 4)")
    return V


def _body_nodes(name: str, mesh: Mesh, elements: str, parts: str) -> NDArray[np.int64]:
    """The node of each vertex, counted in the body; -1: none."""
    count = len(mesh.vertices)
    ids = mesh.elements
    if elements == "quadratic" and mesh.edge_nodes is not None:
        ids = np.hstack([mesh.elements, mesh.edge_nodes])
    used = np.zeros(count, dtype=bool)
    used[ids] = True
    if not used.all():
        warnings.warn(f"{name}: {np.count_nonzero(~used)} of {count} vertices belong to no tet and are left out; the nodes "
                      "are numbered without them, as the array says that add_solid() returns", stacklevel=3)
    if parts == "largest":
        used[:] = False
        used[ids[_largest_part(mesh)]] = True
    return np.where(used, np.cumsum(used) - 1, -1)


def _largest_part(mesh: Mesh) -> NDArray[np.bool_]:
    """Which tets belong to the connected part with the largest volume."""
    label = np.arange(len(mesh.vertices))
    while True:
        least = label[mesh.elements].min(axis=1)
        lower = label.copy()
        np.minimum.at(lower, mesh.elements, least[:, None])
        lower = lower[lower]
        if np.array_equal(lower, label):
            break
        label = lower
    edges = mesh.vertices[mesh.elements[:, 1:]] - mesh.vertices[mesh.elements[:, :1]]
    part = label[mesh.elements[:, 0]]
    volume = np.bincount(part, np.abs(np.linalg.det(edges)))
    return part == volume.argmax()


def _with_data(mesh: Mesh, element_data: Mapping[str, ArrayLike], vertex_groups: Mapping[str, ArrayLike],
               name: str = "") -> Mesh:
    """The mesh with more data and groups. `name`: of the argument that the groups came as."""
    if not element_data and not vertex_groups:
        return mesh
    tets = len(mesh.elements)
    for label, values in element_data.items():
        if np.shape(values)[0] != tets:
            raise InputError(f"{label}: found an array of shape {np.shape(values)}, "
                             f"expected one value for each of the {tets} tets")
    try:
        return Mesh(mesh.vertices, mesh.elements, edge_nodes=mesh.edge_nodes, vertex_data=mesh.vertex_data,
                    element_data={**mesh.element_data, **element_data},
                    vertex_groups={**mesh.vertex_groups, **vertex_groups}, element_groups=mesh.element_groups,
                    skin=mesh.skin)
    except InputError as error:
        if name:
            raise InputError(f"{name}: {error.what}") from None
        raise
