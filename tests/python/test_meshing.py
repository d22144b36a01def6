"""Volumes for surfaces: the counts that are known, the surface carried, scenes with it, and bad input."""
import json

import numpy as np
import pytest

import sinew

nan = float("nan")


def box(low, high, n=4):
    """Closed, facing outwards, each face n x n squares."""
    ids, points, triangles = {}, [], []

    def vertex(p):
        if p not in ids:
            ids[p] = len(points)
            points.append([low[k] + (high[k] - low[k]) * p[k] / n for k in range(3)])
        return ids[p]

    for axis in range(3):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, n):
            for i in range(n):
                for j in range(n):
                    corner = []
                    for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        p = [0, 0, 0]
                        p[axis], p[b], p[c] = side, i + di, j + dj
                        corner.append(vertex(tuple(p)))
                    if side == 0:
                        corner.reverse()
                    triangles += [corner[:3], [corner[0], corner[2], corner[3]]]
    return np.array(points), np.array(triangles)


A, B = box((0, 0, 0), (1, 1, 1)), box((0.55, 0.35, 0.45), (1.55, 1.35, 1.45))
V = np.concatenate([A[0], B[0]])
F = np.concatenate([A[1], B[1] + len(A[0])])


def test_two_boxes_stay_two():
    body = sinew.mesh_surface(V, F, cell=0.1)
    assert body.tets.shape == (34848, 4) and body.hexes is None
    assert body.report["mesh"]["components"] == 2 and body.report["mesh"]["overlapping_cells"] == 210
    assert body.report["surface"]["volume"] == pytest.approx(2) and body.report["self_intersections"]["pairs"] > 0
    assert body.mesh.element_data["layers"].max() == 2
    corners = body.vertices[body.tets]
    volumes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
    assert volumes @ body.mesh.element_data["coverage"] == pytest.approx(2, rel=1e-6)
    assert (body.weights >= 0).all() and np.allclose(body.weights.sum(axis=1), 1)
    assert np.abs(body.carry(body.vertices) - V).max() < 1e-12
    turned = body.vertices @ np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 2.0]])
    assert np.abs(body.carry(turned) - V @ np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 2.0]])).max() < 1e-12
    assert "tets" in repr(body) and json.dumps(body.report)


def test_hexes_and_numbers_of_cells():
    body = sinew.mesh_surface(V, F, cells=3000, hexes=True)
    assert abs(len(body.hexes) - 3000) <= 300 and body.tets is None and body.nodes.shape[1] == 8
    assert np.abs(body.carry(body.vertices) - V).max() < 1e-12
    edges = body.vertices[body.hexes[:, [1, 3, 4]]] - body.vertices[body.hexes[:, :1]]
    assert (np.linalg.det(edges) > 0).all()
    with pytest.raises(sinew.InputError, match="mesh"):
        body.mesh
    body = sinew.mesh_surface(V, F, tets=20000, coarsen=1)
    assert abs(len(body.tets) - 20000) <= 2000
    assert abs(len(sinew.mesh_surface(V, F).tets) - 20000) <= 4000


def test_groups_come_along():
    surface = sinew.Mesh(V, F, element_groups={"low": np.arange(len(A[1])), "high": np.arange(len(A[1]), len(F))})
    mesh = sinew.mesh_surface(surface, cell=0.2).mesh
    assert len(mesh.element_groups["low"]) + len(mesh.element_groups["high"]) == len(mesh.elements)
    assert set(mesh.vertex_groups) == {"low", "high"}


def test_parts_are_joined():
    surface = sinew.Mesh(V, F, element_groups={"low": np.arange(len(A[1])), "high": np.arange(len(A[1]), len(F))})
    assert sinew.mesh_surface(surface, cell=0.2).report["mesh"]["parts"] == ["low", "high"]
    for joined in ("all", [("low", "high")]):
        assert sinew.mesh_surface(surface, cell=0.2, joined=joined).report["mesh"]["components"] == 1
    with pytest.raises(sinew.InputError, match="'eye'.*high, low"):
        sinew.mesh_surface(surface, cell=0.2, joined=[("low", "eye")])


def test_in_a_scene(tmp_path):
    body = sinew.mesh_surface(V, F, cell=0.25)
    scene = sinew.Scene()
    law = sinew.materials.StableNeoHookean(young=1e5, poisson=0.3)
    scene.add_solid("pair", body, material=law, density=np.full(len(body.tets), 900.0))
    scene.attach("pair", np.flatnonzero(body.vertices[:, 1] < 0.4), name="ground")
    scene.gravity = (0, -9.81, 0)
    scene.data["time"] = {"frames": 1}
    model = scene.build()
    assert np.array_equal(model.bodies["pair"].skin_triangles, F)
    state = model.state()
    assert np.abs(model.bodies["pair"].skin(state.x) - V).max() < 1e-12
    sinew.method(model, "newton").equilibrium(state)
    moved = model.bodies["pair"].skin(state.x)
    assert np.allclose(moved, body.carry(state.x), rtol=0, atol=1e-14)
    assert moved[:, 1].min() < V[:, 1].min() + 1e-9 and not np.allclose(moved, V)

    # Saved, the scene has files for the mesh and its skin, and gives the same model.
    scene.save(tmp_path / "pair.json")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pair.json", "pair.pair.npz", "pair.pair.vtu"]
    again = sinew.Scene.load(tmp_path / "pair.json").build()
    assert np.array_equal(again.bodies["pair"].skin(again.X), model.bodies["pair"].skin(model.X))
    run = sinew.run(scene, tmp_path / "run", export=["obj"])
    lines = (tmp_path / "run" / "obj" / "pair_00001.obj").read_text().splitlines()
    assert sum(line.startswith("v ") for line in lines) == len(V)
    assert np.array_equal(run.model.bodies["pair"].skin_triangles, F)


def test_a_surface_file_in_a_scene(tmp_path):
    sinew.write_mesh(tmp_path / "skin.obj", sinew.Mesh(V, F))
    scene = sinew.Scene.from_dict({"sinew": 1, "bodies": {}}, folder=tmp_path)
    scene.add_solid("pair", {"surface": "skin.obj", "cell": 0.25}, material={"model": "linear", "young": 1, "poisson": 0})
    model = scene.build()
    assert np.abs(model.bodies["pair"].skin(model.X) - V).max() < 1e-12
    (tmp_path / "other").mkdir()
    scene.save(tmp_path / "other" / "scene.json")
    assert len(sinew.Scene.load(tmp_path / "other" / "scene.json").build().tets) == len(model.tets)


def changed(array, value):
    array = array.astype(type(value)) if isinstance(value, float) else array.copy()
    array.flat[7] = value
    return array


BAD = {
    "parts of no pairs": ("joined", lambda: sinew.mesh_surface(V, F, joined=["low"])),
    "another word": ("joined", lambda: sinew.mesh_surface(V, F, joined="some")),
    "two sizes": ("cell", lambda: sinew.mesh_surface(V, F, cell=0.1, tets=5)),
    "no triangles": ("F", lambda: sinew.mesh_surface(V, cell=0.1)),
    "triangles beside a mesh": ("F", lambda: sinew.mesh_surface(sinew.Mesh(V, F), F, cell=0.1)),
    "tets": ("F", lambda: sinew.mesh_surface(V, np.array([[0, 1, 5, 30]]), cell=0.1)),
    "an empty list": ("elements", lambda: sinew.mesh_surface(V, np.zeros((0, 3), dtype=int), cell=0.1)),
    "ids beyond the end": ("elements", lambda: sinew.mesh_surface(V, changed(F, 10 ** 6), cell=0.1)),
    "no number": ("vertices", lambda: sinew.mesh_surface(changed(V, nan), F, cell=0.1)),
    "a cell of no size": ("cell", lambda: sinew.mesh_surface(V, F, cell=0)),
    "a cell below 0": ("cell", lambda: sinew.mesh_surface(V, F, cell=-1.0)),
    "a cell of no number": ("cell", lambda: sinew.mesh_surface(V, F, cell=nan)),
    "a cell of text": ("cell", lambda: sinew.mesh_surface(V, F, cell="small")),
    "a list of cells": ("cell", lambda: sinew.mesh_surface(V, F, cell=[0.1])),
    "part of a cell": ("cells", lambda: sinew.mesh_surface(V, F, cells=10.5)),
    "no cells": ("cells", lambda: sinew.mesh_surface(V, F, cells=0)),
    "levels below 0": ("coarsen", lambda: sinew.mesh_surface(V, F, cell=0.1, coarsen=-1)),
    "too many levels": ("coarsening", lambda: sinew.mesh_surface(V, F, cell=0.1, coarsen=30)),
    "a number of tets for hexes": ("cells", lambda: sinew.mesh_surface(V, F, tets=100, hexes=True)),
    "a cell larger than the body": ("larger than the body", lambda: sinew.mesh_surface(V, F, cell=7)),
    "a cell for which memory is lacking": ("smallest cell that fits", lambda: sinew.mesh_surface(V, F, cell=1e-6)),
    "a single triangle": ("edge", lambda: sinew.mesh_surface(V, F[:1], cell=0.1)),
    "a hole that is not to be closed": ("edge", lambda: sinew.mesh_surface(V, F[1:], cell=0.1, repair=False)),
    "another shape of x": ("x", lambda: sinew.mesh_surface(V, F, cell=0.5).carry(V)),
    "a skin of two arrays": ("skin", lambda: sinew.Mesh(np.eye(4, 3), [[3, 0, 1, 2]], skin=(F, F))),
    "weights that do not add up": ("skin[2]", lambda: sinew.Mesh(np.eye(4, 3), [[3, 0, 1, 2]],
                                                                 skin=([[0, 0, 0]], [0], [[1, 1, 0, 0]]))),
    "a skin of an inverted tet": ("positive", lambda: sinew.Mesh(np.eye(4, 3), [[0, 3, 1, 2]],
                                                                 skin=([[0, 0, 0]], [0], [[1, 0, 0, 0]]))),
    "a skin of triangles": ("skin", lambda: sinew.Mesh(V, F, skin=(F, F, F))),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case):
    name, call = BAD[case]
    with pytest.raises(ValueError) as raised:
        call()
    assert name in str(raised.value), str(raised.value)
