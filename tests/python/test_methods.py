"""Methods: the bits of the tool, callbacks, Ctrl-C, and states that stay when a step does not."""
import json
import os
import signal
import subprocess
import threading

import numpy as np
import pytest

import sinew
from small_scenes import block


def large(cells=12):
    """A block whose steps take long enough to be interrupted."""
    scene = sinew.Scene()
    scene.add_solid("block", {"box": {"cells": [cells] * 3}}, material=sinew.materials.NeoHookean(young=1e5, poisson=0.4))
    scene.attach("block.ymax")
    scene.gravity = (0, -9.81, 0)
    return scene.build()


@pytest.mark.parametrize("method", ["newton", "pbng"])
def test_the_bits_are_those_of_the_tool(tmp_path, method):
    scene = block(mode="dynamic", method=method)
    scene.data["time"] = {"fps": 24, "frames": 3, "substeps": 2}
    scene.save(tmp_path / "scene.json")
    done = subprocess.run([os.environ["SINEW_TOOL"], "run", tmp_path / "scene.json", "-o", tmp_path / "out", "--export",
                           "none", "--quiet"])
    assert done.returncode in (0, 3)  # 3: a budget ended before the tolerance
    theirs = json.loads((tmp_path / "out" / "run.json").read_text())
    model = sinew.Scene.load(tmp_path / "scene.json").build()
    state = model.state()
    infos = list(sinew.method(model).run(state))
    assert [info.frame for info in infos] == [1, 2, 3] and all(infos)
    assert state.hash == theirs["state_hash"]
    run = sinew.load_run(tmp_path / "out")
    assert (run[-1].x == state.x).all()
    one = sinew.run(scene, tmp_path / "ours", export=())
    assert one.summary["state_hash"] == theirs["state_hash"]


def test_threads_do_not_change_the_bits():
    before, results = sinew.threads(), []
    for count in (1, 2):
        sinew.set_threads(count)
        model = block(cells=(6, 4, 4)).build()
        state = model.state()
        sinew.method(model, "pbng", iterations=10).step(state)
        results.append(state.hash)
    sinew.set_threads(before)
    assert results[0] == results[1]


def test_step_by_to_and_default():
    model = block(mode="dynamic").build()
    newton = sinew.method(model)
    times = []
    for keys in ({}, {"dt": 0.01}, {"to": 0.1}):
        state = model.state()
        info = newton.step(state, **keys)
        assert info.time == state.time and state.step == 1
        times.append(state.time)
    assert times == [1 / 30, 0.01, 0.1]


def test_options_are_checked_by_the_table():
    model = block().build()
    assert sinew.method(model, "pbng", iterations=3, tolerance=0.5).tolerance == 0.5
    state = model.state()
    assert sinew.method(model, "pbng", iterations=3).step(state).iterations == 3
    for name, options, text in (("pbng", {"iteratons": 3}, 'did you mean "iterations"'),
                                ("pbgn", {}, 'did you mean "pbng"'), ("pbng", {"iterations": 0}, "found 0"),
                                ("newton", {"linear": "no such"}, "linear"), ("newton", {"tolerance": 2}, "tolerance"),
                                ("newton", {"iterations": float("inf")}, "iterations")):
        with pytest.raises(ValueError, match=text):
            sinew.method(model, name, **options)
    assert {method["name"] for method in sinew.methods()} >= {"newton", "pbng", "xpbd"}


def test_what_a_method_lacks_is_said():
    scene = block()
    scene.data["bodies"]["block"]["elements"] = "quadratic"
    with pytest.raises(ValueError, match="pbng"):
        sinew.method(scene.build(), "pbng")


def test_on_residual_sees_it_fall():
    model = block().build()
    seen = []
    info = sinew.method(model, "newton").step(model.state(), on_residual=seen.append)
    assert len(seen) >= 2 and seen[-1] == info.relative_residual <= 1e-6 < seen[0]


def test_what_a_callback_raises_comes_through():
    model = block().build()
    state = model.state()
    newton = sinew.method(model, "newton")

    class Enough(Exception):
        pass

    def stop(residual):
        raise Enough(residual)

    before = state.hash
    with pytest.raises(Enough):
        newton.step(state, on_residual=stop)
    assert state.hash == before
    assert newton.step(state).converged


def test_a_callback_may_use_the_library():
    model = block().build()
    inner = []
    outer = sinew.method(model, "newton").step(
        model.state(), on_residual=lambda r: inner.append(sinew.method(model, "newton").step(model.state()).converged))
    assert outer.converged and inner and all(inner)


def test_ctrl_c_leaves_the_state_as_it_was():
    model = large(24)
    state = model.state()
    method = sinew.method(model, "pbd", iterations=1000000)  # gives up by itself, but only after seconds
    before = state.hash
    inside = threading.Event()
    other = threading.Thread(target=lambda: inside.wait(60) and os.kill(os.getpid(), signal.SIGINT))
    other.start()
    with pytest.raises(KeyboardInterrupt):
        method.step(state, on_residual=lambda residual: inside.set())
    other.join()
    assert state.hash == before
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):  # Python's own handler is back
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(10 ** 7):
            pass


def test_the_gil_is_free_while_a_method_works():
    model = large()
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    at = []
    sinew.method(model, "newton").step(model.state(), on_residual=lambda r: at.append(counted[0]))
    stop.set()
    thread.join()
    assert len(at) >= 2 and at[-1] > at[0]


def test_two_threads_need_two_methods():
    model = large()
    method = sinew.method(model, "newton")
    started, errors = threading.Event(), []

    def work():
        method.step(model.state(), on_residual=lambda r: started.set())

    thread = threading.Thread(target=work)
    thread.start()
    started.wait(30)
    try:
        method.step(model.state())
    except RuntimeError as error:
        errors.append(error)
    thread.join()
    assert not errors or "another thread" in str(errors[0])


def test_one_state_is_solved_by_one_thread():
    model = large()
    state, results = model.state(), []
    inside, go_on = threading.Event(), threading.Event()

    def hold(residual):
        inside.set()
        assert go_on.wait(60)

    thread = threading.Thread(target=lambda: results.append(sinew.method(model).step(state, on_residual=hold)))
    thread.start()
    assert inside.wait(60)
    for solve in (lambda: sinew.method(model).step(state), lambda: sinew.method(model, "pbng").equilibrium(state)):
        with pytest.raises(RuntimeError, match="state is being solved already.*copy"):
            solve()
    other = state.copy()
    assert sinew.method(model).step(other).converged
    go_on.set()
    thread.join()
    assert results[0].converged and (state.x == other.x).all()
    assert sinew.method(model).step(state).converged  # it is free again

    nested = model.state()
    with pytest.raises(RuntimeError, match="state is being solved already"):
        sinew.method(model).step(nested, on_residual=lambda residual: sinew.method(model).step(nested))


def test_a_step_that_stalls_is_kept_and_says_why():
    model = block(gravity=(0, -1000, 0)).build()
    state = model.state()
    info = sinew.method(model, "newton", iterations=1, tolerance=1e-10).step(state)
    assert info and info.status == "stalled" and info.taken and not info.converged
    reason = info.reason
    assert reason.body == "block" and reason.other == "" and reason.cause and reason.advice
    assert (reason.node is None) != (reason.element is None)
    low, high = model.X.min(axis=0), model.X.max(axis=0)
    assert (low <= reason.place).all() and (reason.place <= high).all()
    assert reason.cause in str(reason) and str(reason) in repr(reason)
    assert sinew.method(model, "newton").step(model.state()).reason is None


def test_a_step_that_fails_says_so_and_changes_nothing():
    model = block(gravity=(0, -1e300, 0), mode="dynamic").build()
    state = model.state()
    before = state.hash
    info = sinew.method(model, "newton").step(state)
    assert not info and info.status == "failed" and not info.taken and "numbers" in info.reason.cause
    assert state.hash == before


def test_equilibrium_with_inputs_of_ones_own():
    model = block(mode="dynamic", gravity=(0, -1, 0)).build()
    state = model.state()
    newton = sinew.method(model, "newton")
    info = newton.equilibrium(state, inputs={"gravity": (0, -9.81, 0)})
    assert info.converged
    static = block().build()
    expected = static.state()
    sinew.method(static).step(expected)
    assert np.abs(state.x - expected.x).max() < 1e-5 * np.abs(expected.x - static.X).max()
    # Back again, and with the flat vector, from where it is.
    flat = model.input_vector()
    assert newton.equilibrium(state, inputs=flat).converged and newton.equilibrium(state, inputs=flat).converged
    light = block(gravity=(0, -1, 0)).build()
    sinew.method(light).step(expected)
    pose = model.inputs()["attach.wall"] + [[0, 0, 0, 0.5], [0, 0, 0, 0], [0, 0, 0, 0]]
    lowest = state.x.copy()
    newton.equilibrium(state, inputs={"attach.wall": pose})
    assert np.allclose(state.x, lowest + (0.5, 0, 0), atol=1e-6)
