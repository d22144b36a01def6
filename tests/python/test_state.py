"""Arrays share the memory of a State, and keep it alive."""
import copy
import gc

import numpy as np
import pytest

import sinew
from small_scenes import block


def address(array):
    return array.__array_interface__["data"][0]


@pytest.fixture
def model():
    return block().build()


def test_two_views_have_one_address(model):
    state = model.state()
    x = state.x
    assert x.shape == model.X.shape and x.dtype == np.float64 and x.flags.c_contiguous
    assert address(x) == address(state.x) == address(state["x"])
    x[3] = (7, 8, 9)
    assert (state["x"][3] == (7, 8, 9)).all()
    assert address(state.v) != address(x)


def test_a_step_writes_into_the_same_memory(model):
    state = model.state()
    x, before = state.x, address(state.x)
    assert sinew.method(model).step(state).converged
    assert address(state.x) == before
    assert (x == state.x).all() and not (x == model.X).all()


def test_columns_that_another_method_adds_leave_the_views_alone():
    scene = block(gravity=(0, 0, 0), mode="dynamic", integrator="bdf2")
    model = scene.build()
    state = model.state()
    x, v = state.x, state.v
    few = len(state.columns)
    sinew.method(model).step(state, dt=0.01)
    assert len(state.columns) > few
    assert address(x) == address(state.x) and address(v) == address(state.v)


def test_views_outlive_everything():
    scene = block()
    model = scene.build()
    state = model.state()
    x, X, tets = state.x, model.X, model.tets
    nodes = model.attachments["wall"].nodes
    surface = model.bodies["block"].surface
    expected = X.copy()
    del scene, model, state
    gc.collect()
    filler = [np.ones(X.size) for _ in range(50)]
    assert (X == expected).all() and (x == expected).all()
    assert tets.max() == len(expected) - 1 and (expected[nodes, 0] == 0).all() and surface.max() < len(expected)
    x[:] = 5
    assert (x == 5).all() and len(filler) == 50


def test_a_mesh_lives_as_long_as_its_arrays():
    mesh = sinew.shapes.box(cells=(2, 2, 2))
    V, ids = mesh.vertices, mesh.vertex_groups["xmin"]
    del mesh
    gc.collect()
    assert (V[ids, 0] == 0).all()


def test_a_model_cannot_be_written_to(model):
    for array in (model.X, model.tets, model.attachments["wall"].nodes, model.bodies["block"].surface):
        with pytest.raises(ValueError):
            array[0] = 1
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_copies_are_their_own(model):
    state = model.state()
    for other in (state.copy(), copy.copy(state), copy.deepcopy(state)):
        assert other == state and other.hash == state.hash and address(other.x) != address(state.x)
        other.x[0, 0] += 1e-16 if other.x[0, 0] == 0 else 1
        assert other != state and other.hash != state.hash
    with pytest.raises(TypeError):
        hash(state)
    assert state != 3


def test_assigning_copies_the_numbers(model):
    state = model.state()
    before = address(state.x)
    values = np.asfortranarray(model.X + 1)
    state.x = values
    assert address(state.x) == before and (state.x == model.X + 1).all()
    values[0] = 9
    assert (state.x == model.X + 1).all()
    state.v = np.zeros(model.X.shape, dtype=np.float32)
    state.time = 0.5
    assert state["time"][0] == 0.5


def test_saved_and_loaded(model, tmp_path):
    state = model.state()
    sinew.method(model).step(state)
    state.save(tmp_path / "state.bin")
    again = model.load_state(tmp_path / "state.bin")
    assert again == state and again.hash == state.hash
    other = block(cells=(4, 2, 2)).build()
    with pytest.raises(sinew.Error):
        other.load_state(tmp_path / "state.bin")
    (tmp_path / "state.bin").write_bytes(b"sinew checkpoint 1\nnonsense")
    with pytest.raises(sinew.InputError):
        model.load_state(tmp_path / "state.bin")


def test_columns_on_contacts_are_copies():
    scene = block(gravity=(0, -9.81, 0), method="newton")
    scene.add_collider("floor", {"plane": {"point": [0, -0.02, 0], "normal": [0, 1, 0]}})
    model = scene.build()
    state = model.state()
    assert sinew.method(model).step(state).taken
    force = state["contact_force"]
    assert len(force) > 0 and force.shape[1] == 3
    force[:] = 0
    assert np.abs(state["contact_force"]).max() > 0
    total = state["contact_force"].sum(axis=0) + model.reactions(state)["wall"].sum(axis=0)
    weight = 1000 * 0.25 * 9.81
    assert abs(total[1] - weight) < 1e-4 * weight
    with pytest.raises(KeyError, match='did you mean "contact_force"'):
        state["contact_forc"]
