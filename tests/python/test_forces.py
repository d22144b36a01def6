"""Energies and their derivatives against differences of each other, and against formulas."""
import numpy as np
import pytest

import sinew
from small_scenes import block, grid


@pytest.fixture
def bent():
    scene = block(cells=(2, 2, 2))
    scene.add_load("block.surface", "pressure", 200.0)
    model = scene.build()
    state = model.state()
    random = np.random.default_rng(1)
    state.x += 0.02 * random.standard_normal(state.x.shape)
    return model, state


def test_forces_are_minus_the_slope_of_the_energy(bent):
    model, state = bent
    direction = np.random.default_rng(2).standard_normal(state.x.shape)
    x, h = state.x.copy(), 1e-5
    energies = []
    for sign in (1, -1):
        state.x = x + sign * h * direction
        energies.append(model.energy(state))
    state.x = x
    slope = (energies[0] - energies[1]) / (2 * h)
    assert (model.forces(state) * direction).sum() == pytest.approx(-slope, rel=1e-6)


def test_the_hessian_is_the_slope_of_the_forces(bent):
    model, state = bent
    H = model.hessian(state)
    assert H.shape == (state.x.size, state.x.size) and H.blocksize == (3, 3) and H.dtype == np.float64
    direction = np.random.default_rng(3).standard_normal(state.x.shape)
    x, h = state.x.copy(), 1e-6
    forces = []
    for sign in (1, -1):
        state.x = x + sign * h * direction
        forces.append(model.forces(state))
    slope = -(forces[0] - forces[1]) / (2 * h)
    product = (H @ direction.ravel()).reshape(-1, 3)
    assert np.abs(product - slope).max() < 1e-6 * np.abs(slope).max()


def test_the_projected_hessian_is_semidefinite_and_the_free_one_smaller(bent):
    model, state = bent
    state.x *= 0.6  # compressed: the exact one is not
    exact = np.linalg.eigvalsh(model.hessian(state).toarray())
    projected = np.linalg.eigvalsh(model.hessian(state, kind="projected").toarray())
    assert projected.min() > -1e-3 * projected.max() and projected.min() > exact.min()
    free = model.hessian(state, free=True)
    held = len(model.attachments["wall"].nodes)
    assert free.shape == (3 * (len(model.X) - held),) * 2
    keep = np.setdiff1d(np.arange(len(model.X)), model.attachments["wall"].nodes)
    rows = (3 * keep[:, None] + np.arange(3)).ravel()
    assert np.abs(free.toarray() - model.hessian(state).toarray()[np.ix_(rows, rows)]).max() == 0


def test_planes_leave_two_directions():
    V, T = grid((1, 1, 1))
    scene = sinew.Scene()
    scene.add_solid("b", V, T, material=sinew.materials.Linear(young=1, poisson=0))
    scene.attach("b", np.flatnonzero(V[:, 0] == 0), name="p", hold="plane", normal=(1, 0, 0))
    basis = scene.build().free_basis(0.0).toarray()
    assert basis.shape == (24, 4 * 3 + 4 * 2)
    assert np.allclose(basis.T @ basis, np.eye(20))
    assert np.abs(basis.reshape(8, 3, 20)[V[:, 0] == 0, 0]).max() == 0


def test_one_newton_step_by_hand_solves_the_linear_law():
    scene = block(sinew.materials.Linear(young=1e5, poisson=0.3))
    model = scene.build()
    state = model.state()
    from scipy.sparse.linalg import spsolve
    B = model.free_basis(0.0)
    state.x += (B @ spsolve(model.hessian(state, free=True).tocsc(), B.T @ model.forces(state).ravel())).reshape(-1, 3)
    assert model.residual(state)[1] < 1e-9
    other = model.state()
    sinew.method(model, "newton").step(other)
    assert np.abs(other.x - state.x).max() < 1e-6 * np.abs(state.x - model.X).max()


def test_deformation_and_stress_of_a_uniform_stretch():
    V, T = grid((2, 2, 2))
    scene = sinew.Scene()
    scene.add_solid("b", V, T, material=sinew.materials.Stvk(young=1e4, poisson=0.25))
    model = scene.build()
    state = model.state()
    F = np.array([[1.2, 0.1, 0], [0, 0.9, 0], [0.05, 0, 1.1]])
    state.x = model.X @ F.T
    assert np.allclose(model.F(state), F, atol=1e-13)
    E = (F.T @ F - np.eye(3)) / 2
    mu, lam = 1e4 / 2.5, 1e4 * 0.25 / (1.25 * 0.5)
    P = F @ (2 * mu * E + lam * np.trace(E) * np.eye(3))
    assert np.allclose(model.stress(state, "piola"), P, rtol=1e-10)
    assert np.allclose(model.stress(state), P @ F.T / np.linalg.det(F), rtol=1e-10)
    assert model.energy(state) == pytest.approx(mu * (E * E).sum() + lam / 2 * np.trace(E) ** 2, rel=1e-12)
    assert model.quantity("b.det_F.min", state) == pytest.approx(np.linalg.det(F))
    assert np.allclose(model.field("det_F", state), np.linalg.det(F))
    assert model.field("displacement", state) == pytest.approx(state.x - model.X)


def test_every_registered_quantity_can_be_read(bent):
    model, state = bent
    read = 0
    for quantity in sinew.quantities():
        if quantity["on"] in ("node", "tet"):
            values = model.field(quantity["name"], state)
            rows = len(model.X) if quantity["on"] == "node" else len(model.tets)
            assert values.shape == ((rows,) if quantity["width"] == 1 else (rows, quantity["width"]))
            read += 1
    assert read > 5


def test_reactions_bear_the_weight_and_the_residual_falls(bent):
    model = block().build()
    state = model.state()
    absolute, relative = model.residual(state)
    assert relative > 0.1
    info = sinew.method(model, tolerance=1e-9).step(state)
    assert model.residual(state)[1] <= 1e-9 and model.residual(state)[0] == pytest.approx(info.residual, abs=1e-9)
    assert model.reactions(state)["wall"].sum(axis=0)[1] == pytest.approx(1000 * 0.25 * 9.81, rel=1e-7)
    assert model.energy(state) == pytest.approx(info.energy, rel=1e-9)


def test_the_residual_counts_remembered_contacts():
    scene = block()
    scene.add_collider("floor", {"plane": {"point": [0, -0.02, 0], "normal": [0, 1, 0]}})
    model = scene.build()
    state = model.state()
    assert sinew.method(model).step(state).converged
    assert model.residual(state)[1] < 1e-4


def test_inputs_by_name():
    scene = block(motion=[{"time": 0}, {"time": 1, "translate": [2, 0, 0], "rotate": {"axis": [0, 0, 1], "degrees": 90},
                                        "about": [0, 0, 0]}])
    scene.data["time"] = {"fps": 1, "frames": 1}
    model = scene.build()
    pose = model.inputs(1.0)["attach.wall"]
    assert np.allclose(pose, [[0, -1, 0, 2], [1, 0, 0, 0], [0, 0, 1, 0]], atol=1e-12)
    assert model.inputs()["gravity"].tolist() == [0, -9.81, 0]
    flat = model.input_vector(1.0)
    assert np.allclose(flat[model.input_slices["attach.wall"]], pose.T.ravel())
    assert (model.flatten_inputs({"gravity": (1, 2, 3)}, 1.0)[model.input_slices["gravity"]] == (1, 2, 3)).all()
