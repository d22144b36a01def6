"""Wrong shapes, types, numbers and indices raise ValueError with the name of the argument, and never crash."""
import numpy as np
import pytest

import sinew
from small_scenes import block, grid

V, T = grid()
LAW = {"model": "linear", "young": 1, "poisson": 0}
nan = float("nan")


def solid(V=V, T=T, **keys):
    scene = sinew.Scene()
    scene.add_solid("b", V, T, **{"material": LAW, **keys})
    return scene.build()


def changed(array, value, place=0):
    array = array.astype(type(value)) if isinstance(value, float) else array.copy()
    array.flat[place] = value
    return array


MESHES = {
    "vertices of two numbers": ("vertices", lambda: solid(V=V[:, :2])),
    "flat vertices": ("vertices", lambda: solid(V=V.ravel())),
    "complex vertices": ("vertices", lambda: solid(V=V.astype(complex))),
    "vertices that are texts": ("vertices", lambda: solid(V=V.astype(str))),
    "ragged vertices": ("vertices", lambda: solid(V=[[0, 0, 0], [1, 2]])),
    "objects": ("vertices", lambda: solid(V=np.array([[object()] * 3] * 4))),
    "no vertices": ("vertices", lambda: solid(V=None)),
    "no number": ("vertices", lambda: solid(V=changed(V, nan))),
    "infinity": ("vertices", lambda: solid(V=changed(V, float("inf"), 5))),
    "no tets": ("T", lambda: solid(T=None)),
    "an empty list": ("elements", lambda: solid(T=np.zeros((0, 4), dtype=int))),
    "triangles": ("T", lambda: solid(T=T[:, :3])),
    "five corners": ("elements", lambda: solid(T=np.c_[T, T[:, 0]])),
    "fractions": ("elements", lambda: solid(T=T + 0.5)),
    "floats": ("elements", lambda: solid(T=T.astype(float))),
    "below 0": ("elements", lambda: solid(T=changed(T, -1))),
    "beyond the end": ("elements", lambda: solid(T=changed(T, len(V)))),
    "beyond 32 bits": ("elements", lambda: solid(T=changed(T.astype(np.int64), 2 ** 40))),
    "beyond 63 bits": ("elements", lambda: solid(T=changed(T.astype(np.uint64), np.uint64(2 ** 63 + 1)))),
    "a node twice": ("elements", lambda: solid(T=np.array([[0, 0, 1, 2]]))),
    "a flat tet": ("elements", lambda: solid(V=np.eye(4, 3) * [1, 1, 0], T=np.array([[0, 1, 2, 3]]))),
    "groups beyond the end": ('vertex_groups["g"]', lambda: solid(node_groups={"g": [0, len(V)]})),
    "groups of floats": ('vertex_groups["g"]', lambda: solid(node_groups={"g": [0.0, 1.0]})),
    "a table as group": ('vertex_groups["g"]', lambda: solid(node_groups={"g": T})),
    "edge nodes of another length": ("edge_nodes", lambda: sinew.Mesh(V, T, edge_nodes=np.zeros((1, 6), dtype=int))),
    "data of another length": ('element_data["e"]', lambda: sinew.Mesh(V, T, element_data={"e": [1.0]})),
    "data without a number": ('vertex_data["e"]', lambda: sinew.Mesh(V, T, vertex_data={"e": np.full(len(V), nan)})),
    "density of another length": ("density", lambda: solid(density=np.ones(3))),
    "density of no number": ("density", lambda: solid(density=nan)),
    "density below 0": ("density", lambda: solid(density=-np.ones(len(T)))),
    "young below 0": ("young", lambda: solid(material={**LAW, "young": -np.ones(len(T))})),
    "a material of another kind": ("material", lambda: solid(material="rubber")),
    "an unknown law": ("model", lambda: solid(material={"model": "linea", "young": 1, "poisson": 0})),
    "an unknown key": ("elments", lambda: solid(elments="linear")),
    "a path of nothing": ("path", lambda: sinew.read_mesh("")),
    "a path with a zero byte": ("path", lambda: sinew.read_mesh("a\0b.vtu")),
    "a number as path": ("path", lambda: sinew.read_mesh(3)),
    "an unknown ending": ("no_such", lambda: sinew.read_mesh("mesh.no_such")),
    "a mesh of another kind": ("mesh", lambda: sinew.write_mesh("a.vtu", V)),
    "a shape without cells": ("cells", lambda: sinew.shapes.box(cells=(0, 1, 1))),
    "a shape too large": ("box", lambda: sinew.shapes.box(cells=(10 ** 6,) * 3)),
    "a shape of no number": ("radius", lambda: sinew.shapes.ball(radius=nan, cells=4)),
}


@pytest.mark.parametrize("name", MESHES)
def test_meshes(name):
    argument, make = MESHES[name]
    with pytest.raises(ValueError) as caught:
        make()
    assert isinstance(caught.value, sinew.Error)
    assert argument in str(caught.value), str(caught.value)


@pytest.fixture(scope="module")
def model():
    return block().build()


def test_scene_methods():
    scene = block()
    for argument, call in (
            ("nodes", lambda: scene.attach("block", [0, 10 ** 9])),
            ("nodes", lambda: scene.attach("block", [0.5])),
            ("what", lambda: scene.attach("blok", [0])),
            ("gravity", lambda: setattr(scene, "gravity", (0, nan, 0))),
            ("gravity", lambda: setattr(scene, "gravity", 9.81)),
            ("name", lambda: scene.add_solid("block", V, T, material=LAW)),
            ("name", lambda: scene.add_collider("block", {"sphere": {"radius": 1}})),
            ("name", lambda: scene.add_solid(3, V, T, material=LAW)),
            ("point", lambda: scene.add_probe("tip", "block", (0, 0))),
            ("elements", lambda: scene.add_collider("c", V)),
            ("value", lambda: scene.add_load("block.all", "force", [0, 0, nan])),
            ("meshes", lambda: sinew.Scene.from_dict({}, meshes={"b": V})),
            ("b/density", lambda: sinew.Scene.from_dict({"bodies": {"b": {"density": nan}}})),
            ("object", lambda: sinew.Scene.from_dict({"sinew": object()}))):
        with pytest.raises(ValueError, match=argument):
            call()


def test_states(model):
    state = model.state()
    n = len(model.X)
    for argument, call in (
            ("x", lambda: setattr(state, "x", np.zeros((n + 1, 3)))),
            ("x", lambda: setattr(state, "x", changed(model.X, nan))),
            ("v", lambda: setattr(state, "v", "fast")),
            ("time", lambda: setattr(state, "time", nan)),
            ("path", lambda: state.save("a\0b"))):
        with pytest.raises(ValueError, match=argument):
            call()
    with pytest.raises(TypeError):
        state.time = "now"
    with pytest.raises(KeyError):
        state["nothing"]
    assert (state.x == model.X).all()


def test_a_state_of_another_model_is_refused(model):
    other = block(cells=(4, 2, 2)).build().state()
    for call in (model.energy, model.forces, model.hessian, model.F, model.stress, model.reactions, model.residual,
                 lambda s: model.quantity("block.det_F.min", s), lambda s: model.field("stress", s),
                 sinew.method(model).step, sinew.method(model).equilibrium, lambda s: sinew.picture(model, s)):
        with pytest.raises(ValueError, match="state"):
            call(other)


def test_numbers_written_through_a_view_are_looked_at(model):
    state = model.state()
    state.x[2, 1] = nan
    method = sinew.method(model)
    for call in (model.energy, model.hessian, model.reactions, method.step, method.equilibrium):
        with pytest.raises(ValueError, match='state.*column "x" at row 2'):
            call(state)


def test_method_arguments(model):
    state = model.state()
    method = sinew.method(model)
    before = state.hash
    for argument, call in (
            ("dt", lambda: method.step(state, dt=0.1, to=0.2)), ("to", lambda: method.step(state, dt=0)),
            ("to", lambda: method.step(state, dt=-1)), ("to", lambda: method.step(state, to=nan)),
            ("dt", lambda: method.step(state, dt="soon")), ("state", lambda: method.step(model)),
            ("state", lambda: method.step(None)), ("time", lambda: method.equilibrium(state, time=nan)),
            ("frames", lambda: method.run(state, -1)), ("frames", lambda: method.run(state, 1.5)),
            ("model", lambda: sinew.method(state)),
            ("inputs", lambda: method.step(state, inputs=[1, 2])),
            ("inputs", lambda: method.step(state, inputs={"gravty": (0, 0, 0)})),
            ('inputs\\["gravity"\\]', lambda: method.step(state, inputs={"gravity": (0, 0)})),
            ('inputs\\["gravity"\\]', lambda: method.step(state, inputs={"gravity": (0, nan, 0)})),
            ('inputs\\["attach.wall"\\]', lambda: method.step(state, inputs={"attach.wall": np.eye(4)})),
            ("kind", lambda: model.hessian(state, kind="exct")), ("kind", lambda: model.stress(state, "green")),
            ("name", lambda: model.field("stres", state)), ("blck", lambda: model.quantity("blck.det_F.min", state)),
            ("time", lambda: model.inputs(nan)),
            ("budget", lambda: sinew.compare(model, ["newton"], budget=-1)),
            ("methods", lambda: sinew.compare(model, [3])), ("newtn", lambda: sinew.compare(model, ["newtn"])),
            ("step", lambda: sinew.compare(model, ["newton"], step=0)),
            ("count", lambda: sinew.set_threads(-1)), ("size", lambda: sinew.picture(model, size=(1, 1)))):
        with pytest.raises(ValueError, match=argument):
            call()
    assert state.hash == before


def test_what_is_harmless_is_taken():
    wide = np.zeros((len(V), 6))
    wide[:, ::2] = V
    for vertices in (wide[:, ::2], np.asfortranarray(V), V.astype(np.float32), V.tolist(), V.astype(">f8")):
        for tets in (T.astype(np.int32), np.asfortranarray(T), T.tolist(), T.astype(np.uint8)):
            assert (solid(V=vertices, T=tets).X == V).all()
