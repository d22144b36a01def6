"""Derivatives of equilibria through the package, against equilibria that are found again."""
import numpy as np
import pytest

import sinew

TIGHT = {"tolerance": 1e-12}


def bar(young=1e5, regions=False):
    scene = sinew.Scene()
    material = sinew.materials.NeoHookean(young=young, poisson=0.3)
    if regions:
        stiff = {**material.to_dict(), "young": 3e5, "where": "far"}
        material = [material, stiff]
    scene.add_solid("bar", sinew.shapes.box(cells=(4, 2, 2), size=(0.2, 0.1, 0.1)), material=material, density=800,
                    select={"far": {"box": [[0.1, -1, -1], [1, 1, 1]]}})
    scene.attach("bar.xmin", name="root")
    scene.add_load("bar.xmax", "force", [0, 0, -20], name="tip")
    scene.gravity = (0, 0, -9.81)
    return scene.build()


def solve(model, inputs=None, start=None):
    state = model.state() if start is None else start.copy()
    info = sinew.method(model, "newton", **TIGHT).equilibrium(state, inputs=inputs)
    assert info.converged
    return state


def difference(plus, minus, h):
    return (plus.x - minus.x) / (2 * h)


def close(a, b, tolerance=1e-6):
    return np.abs(a - b).max() <= tolerance * np.abs(b).max()


def test_young_and_load_agree_with_new_equilibria():
    model = bar()
    state = solve(model)
    d = sinew.derivative(model, state)
    assert d.warnings == []
    h = 100.0
    again = [solve(model.with_params({"bar.young": 1e5 + s * h}), start=state) for s in (1, -1)]
    assert close(d.forward(params={"bar.young": 1.0}), difference(*again, h))
    h = 1e-3
    again = [solve(model, {"load.tip": [1 + s * h]}, state) for s in (1, -1)]
    assert close(d.forward(inputs={"load.tip": [1.0]}), difference(*again, h))
    h = 1e-4
    pose = model.inputs()["attach.root"]
    turn = np.array([[0, 0, 1, 0.1], [0, 0, 0, 0.2], [-1, 0, 0, 0.3]])
    again = [solve(model, {"attach.root": pose + s * h * turn}, state) for s in (1, -1)]
    assert close(d.forward(inputs={"attach.root": turn}), difference(*again, h))


def test_adjoint_is_the_transpose_of_forward():
    model = bar(regions=True)
    state = solve(model)
    d = sinew.derivative(model, state)
    w = np.random.default_rng(1).normal(size=state.x.shape)
    g = d.adjoint(w)
    assert set(g.params) == set(model.params()) and "bar.0.young" in g.params and "bar.1.young" in g.params
    for name, value in model.params().items():
        forward = np.sum(w * d.forward(params={name: np.ones_like(value)}))
        assert abs(np.sum(g[name]) - forward) <= 1e-9 * abs(forward) + 1e-300, name
    for name, value in model.inputs().items():
        change = np.cos(np.arange(value.size)).reshape(value.shape)
        forward = np.sum(w * d.forward(inputs={name: change}))
        assert abs(np.sum(g[name] * change) - forward) <= 1e-9 * abs(forward), name
    tets = model.tets.shape[0]
    assert g.elements["bar.density"].shape == (tets,)
    assert g.elements["bar.0.young"].size + g.elements["bar.1.young"].size == tets
    assert np.isclose(g.elements["bar.0.young"].sum(), g.params["bar.0.young"], rtol=1e-12)


def test_bending_stiffness_of_a_shell():
    def strip(**bending):
        scene = sinew.Scene()
        V = np.array([[0.1 * i, 0.1 * j, 0.0] for j in range(2) for i in range(6)])
        T = np.array([t for i in range(5) for t in ([i, i + 1, i + 7], [i, i + 7, i + 6])])
        scene.add_shell("strip", V, T, thickness=0.01, material=sinew.materials.Stvk(young=1e6, poisson=0.3), density=100,
                        bending=bending, node_groups={"root": [0, 6]})
        scene.attach("strip.root", clamped=bending.get("model") != "none")
        scene.gravity = (0, 0, -9.81)
        return scene.build()

    plate = 1e6 * 0.01**3 / (12 * (1 - 0.3**2))
    model = strip(stiffness=2 * plate)
    name, seen = "strip.bending.stiffness", model.bodies["strip"].nodes
    assert model.params()[name] == pytest.approx(2 * plate) and strip().params()[name] == 0
    assert name not in strip(model="none").params()
    assert "12 nodes, 10 triangles" in repr(model) and len(model.X) == 12 + 21
    state = solve(model)
    assert np.allclose(solve(strip().with_params({name: 2 * plate})).x[seen], state.x[seen], rtol=0, atol=1e-9)
    w = np.zeros_like(state.x)
    w[seen] = np.random.default_rng(3).normal(size=w[seen].shape)
    d = sinew.derivative(model, state)
    h = 1e-4 * plate
    again = [solve(model.with_params({name: 2 * plate + s * h}), start=state) for s in (1, -1)]
    expected = difference(*again, h)
    assert close(d.forward(params={name: 1.0})[seen], expected[seen], 1e-5)
    assert d.adjoint(w)[name] == pytest.approx(np.sum(w * expected), rel=1e-5)
    with pytest.raises(ValueError, match="bending.stiffness"):
        model.with_params({name: -1.0})


def test_many_at_once_are_each():
    model = bar()
    state = solve(model)
    d = sinew.derivative(model, state)
    w = np.random.default_rng(2).normal(size=(3, *state.x.shape))
    for one, g in zip(w, d.adjoint_many(w)):
        assert np.allclose(g.vector, d.adjoint(one).vector, rtol=1e-12, atol=1e-12)
    changes = [{"params": {"bar.young": 1.0}}, {"inputs": {"load.tip": [1.0]}}]
    for change, dx in zip(changes, d.forward_many(changes)):
        assert close(dx, d.forward(**change))
    assert d.forward_many([]) == [] and d.adjoint_many([]) == []
    with pytest.raises(sinew.InputError):
        d.forward_many([{"param": {}}])


def test_params_by_name():
    model = bar()
    assert model.params()["bar.young"] == 1e5
    tets = model.tets.shape[0]
    other = model.with_params({"bar.young": np.full(tets, 2e5), "bar.density": 900})
    assert other.params()["bar.young"].shape == (tets,)
    assert other.params()["bar.density"] == 900
    assert model.params()["bar.young"] == 1e5
    for params, said in [({"bar.yuong": 1.0}, "bar.young"), ({"bar.young": -1.0}, "bar.young"),
                         ({"bar.young": [1.0, 2.0]}, "shape"), ({"bar.young": float("nan")}, "not a number"),
                         ({"bar.poisson": 0.5}, "0.5")]:
        with pytest.raises(ValueError, match=said):
            model.with_params(params)
    for wrong in (None, "bar.young", 3):
        with pytest.raises(ValueError, match="params"):
            model.with_params(wrong)


def test_what_is_less_than_the_derivative_is_a_warning():
    model = bar()
    state = solve(model)
    state.x[np.argmax(state.x[:, 0])] += [0, 0, 0.002]
    with pytest.warns(sinew.DerivativeWarning, match="not an equilibrium"):
        d = sinew.derivative(model, state)
    assert d.relative_residual > 1e-5
    assert len(d.warnings) == 1


def test_mistakes_are_named():
    model = bar()
    state = solve(model)
    d = sinew.derivative(model, state)
    with pytest.raises(ValueError, match="dL_dx"):
        d.adjoint(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="load.tip"):
        d.forward(inputs={"load.top": [1.0]})
    with pytest.raises(ValueError, match="hold them"):
        sinew.derivative(model, state, inputs={"attach.root": np.eye(3, 4) * 1.1})
    with pytest.raises(ValueError, match="state"):
        sinew.derivative(model, None)
    with pytest.raises(KeyError, match="bar.young"):
        d.adjoint(np.zeros(state.x.shape))["bar.stiffness"]
    free = sinew.Scene()
    free.add_solid("b", sinew.shapes.box(cells=(2, 2, 2), size=(1, 1, 1)),
                   material=sinew.materials.NeoHookean(young=1e5, poisson=0.3))
    loose = free.build()
    with pytest.raises(ValueError, match="singular"):
        sinew.derivative(loose, loose.state())


def test_torch_gradients():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    import sinew.torch
    model = bar()
    young, force = (torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (1.0, [1.0]))
    pose = torch.tensor(model.inputs()["attach.root"], requires_grad=True)

    def tip(young, force, pose):
        values = {"bar.young": 1e5 * young, "load.tip": force, "attach.root": pose}
        return sinew.torch.equilibrium(model, values, **TIGHT)[int(np.argmax(model.X[:, 0]))]

    assert torch.autograd.gradcheck(tip, (young, force, pose), eps=1e-4, atol=1e-7, rtol=1e-5)
    with pytest.raises(ValueError, match="bar.yuong"):
        sinew.torch.equilibrium(model, {"bar.yuong": young})
