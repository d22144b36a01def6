"""The package is there and says what it is."""
import re

import sinew


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", sinew.__version__)


def test_every_public_name_is_there():
    for name in sinew.__all__:
        assert hasattr(sinew, name), name


def test_a_block_hangs_from_its_top():
    scene = sinew.Scene()
    mesh = sinew.shapes.box(cells=(2, 4, 2), size=(0.1, 0.2, 0.1))
    scene.add_solid("block", mesh, material=sinew.materials.NeoHookean(young=1e5, poisson=0.3), density=1000)
    scene.attach("block.ymax", name="top")
    scene.gravity = (0, -9.81, 0)
    model = scene.build()
    state = model.state()
    info = sinew.method(model, "newton").step(state)
    assert info.converged
    weight = 1000 * 0.1 * 0.2 * 0.1 * 9.81
    assert abs(model.reactions(state)["top"].sum(axis=0)[1] - weight) < 1e-5 * weight
