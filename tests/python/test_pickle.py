"""Meshes, scenes and models go through pickle and copy, and give the same bits afterwards."""
import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import sinew
from small_scenes import block, grid

WAYS = [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]


def solved(model):
    state = model.state()
    assert sinew.method(model).step(state).converged
    return state.hash


def assert_same(a, b):
    assert (a.vertices == b.vertices).all() and (a.elements == b.elements).all() and a.notes == b.notes
    for name in ("vertex_data", "element_data", "vertex_groups", "element_groups"):
        ours, theirs = getattr(a, name), getattr(b, name)
        assert ours.keys() == theirs.keys() and all((ours[key] == theirs[key]).all() for key in ours)
    assert (a.edge_nodes is None) == (b.edge_nodes is None) and (a.skin is None) == (b.skin is None)


@pytest.mark.parametrize("way", WAYS)
def test_meshes(way):
    V, T = grid((1, 1, 1))
    T[0, :2] = T[0, 1::-1]
    solid = sinew.Mesh(V, T, vertex_data={"a": V[:, 0], "b": V}, element_data={"c": np.arange(len(T))},
                       vertex_groups={"low": [0, 1, 2]}, element_groups={"one": [3]})
    assert solid.notes
    for mesh in (solid, solid.boundary(), sinew.shapes.ball(radius=1, cells=3)):
        other = way(mesh)
        assert_same(mesh, other)
        assert not other.vertices.flags.writeable
    volume = sinew.mesh_surface(sinew.shapes.box(cells=(2, 2, 2), size=(1, 1, 1)).boundary().vertices,
                                sinew.shapes.box(cells=(2, 2, 2), size=(1, 1, 1)).boundary().elements, cell=0.4).mesh
    assert_same(volume, way(volume))
    assert all((a == b).all() for a, b in zip(volume.skin, way(volume).skin))


def test_broken_state_of_a_mesh_is_refused():
    mesh = sinew.shapes.box(cells=(1, 1, 1), size=(1, 1, 1))
    state = mesh.__getstate__()
    state["elements"] = state["elements"] + 1000
    with pytest.raises(sinew.InputError, match="index"):
        sinew.Mesh.__new__(sinew.Mesh).__setstate__(state)


@pytest.mark.parametrize("way", WAYS)
def test_scenes(way):
    scene = block()
    other = way(scene)
    assert other.to_json() == scene.to_json()
    assert solved(other.build()) == solved(scene.build())
    other.gravity = (0, 0, 0)
    other.add_probe("p", "block", (0, 0, 0))
    other.meshes.clear()
    assert scene.gravity[1] == -9.81 and "probes" not in scene.data and "block" in scene.meshes


@pytest.mark.parametrize("way", WAYS)
def test_models(way):
    model = block().build()
    other = way(model)
    assert (other.X == model.X).all() and solved(other) == solved(model)


@pytest.mark.parametrize("way", WAYS)
def test_models_with_other_parameters(way):
    young = np.linspace(1e5, 2e5, len(block().build().tets))
    model = block().build().with_params({"block.young": young, "block.density": 500.0})
    assert solved(way(model)) == solved(model) != solved(block().build())


def test_models_in_other_processes():
    model = block().build()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert set(pool.map(solved, [model] * 4)) == {solved(model)}


def test_a_model_of_files_says_when_they_have_changed(tmp_path, monkeypatch):
    scene = block()
    scene.save(tmp_path / "scene.json")
    monkeypatch.chdir(tmp_path)
    model = sinew.Scene.load("scene.json").build()
    data = pickle.dumps(model)
    monkeypatch.chdir("/")
    assert solved(pickle.loads(data)) == solved(model)
    mesh = sinew.read_mesh(tmp_path / "scene.block.vtu")
    sinew.write_mesh(tmp_path / "scene.block.vtu",
                     sinew.Mesh(mesh.vertices * 1.5, mesh.elements, vertex_groups=mesh.vertex_groups))
    with pytest.raises(sinew.InputError, match="has changed since the model was pickled"):
        pickle.loads(data)
