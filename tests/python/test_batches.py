"""Many equilibria of one model in memory."""
import numpy as np
import pytest

import sinew
from small_scenes import block


@pytest.fixture(scope="module")
def model():
    return block().build()


def turned(model, count):
    """Gravity in many directions."""
    A = np.tile(model.input_vector(), (count, 1))
    angle = np.linspace(0, np.pi, count)
    A[:, model.input_slices["gravity"]] = 9.81 * np.c_[np.sin(angle), -np.cos(angle), np.zeros(count)]
    return A


def test_each_sample_is_an_equilibrium(model):
    A = turned(model, 11)
    X, ok = found = sinew.batch(model, inputs=A, jobs=2)
    assert X.shape == (11, *model.X.shape) and ok.all() and not any(found.reason)
    newton = sinew.method(model, "newton")
    for row, x in zip(A, X):
        state = model.state()
        assert newton.equilibrium(state, inputs=row).converged
        assert np.abs(state.x - x).max() < 1e-4 * np.abs(x - model.X).max()
    assert (found.relative_residual <= 1e-6).all() and set(found.rung) <= {"lanes", "warm", "path"}


def test_samples_depend_on_themselves_alone(model):
    A = turned(model, 9)
    X = sinew.batch(model, inputs=A, jobs=2).X
    order = [4, 0, 8]
    assert (sinew.batch(model, inputs=A[order], jobs=1).X == X[order]).all()
    again, ok = sinew.batch(model, inputs=A, start=X, jobs=1)
    assert ok.all() and np.abs(again - X).max() < 1e-4


def test_a_sample_that_cannot_be_solved_is_told(model):
    A = turned(model, 3)
    A[1, model.input_slices["gravity"]] = (0, -1e9, 0)
    X, ok = found = sinew.batch(model, inputs=A)
    assert ok.tolist() == [True, False, True] and found.reason[1] and not found.reason[0]
    assert np.isfinite(X).all()


def test_no_samples(model):
    X, ok = sinew.batch(model, inputs=np.zeros((0, len(model.input_vector()))))
    assert X.shape == (0, *model.X.shape) and ok.shape == (0,)


def test_wrong_arguments(model):
    A = turned(model, 2)
    for argument, call in (("inputs", lambda: sinew.batch(model, inputs=A[0])),
                           ("inputs", lambda: sinew.batch(model, inputs=A[:, :-1])),
                           ("inputs", lambda: sinew.batch(model, inputs=A * np.nan)),
                           ("inputs", lambda: sinew.batch(model)),
                           ("start", lambda: sinew.batch(model, inputs=A, start=model.X)),
                           ("jobs", lambda: sinew.batch(model, inputs=A, jobs=0)),
                           ("tolerance", lambda: sinew.batch(model, inputs=A, tolerance=0)),
                           ("time", lambda: sinew.batch(model, inputs=A, time=float("nan"))),
                           ("folder", lambda: sinew.batch(model, "data", inputs=A)),
                           ("what", lambda: sinew.batch("study.json"))):
        with pytest.raises(ValueError, match=argument):
            call()
