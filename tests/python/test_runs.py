"""Folders of runs, comparisons, the viewer and notebooks."""
import json
import os
import signal
import threading
import urllib.error
import urllib.request

import numpy as np
import pytest

import sinew
from small_scenes import block


@pytest.fixture
def scene():
    scene = block(motion=[{"time": 0}, {"time": 4 / 30, "translate": [0, 0.1, 0]}])
    scene.data["time"] = {"frames": 4}
    return scene


def test_run_and_load(scene, tmp_path):
    told = []
    run = sinew.run(scene, tmp_path / "out", export=(), on_frame=lambda *numbers: told.append(numbers))
    assert run.status == "done" and len(run) == 5 and run.frames.tolist() == [0, 1, 2, 3, 4]
    assert [frame for frame, time, residual in told] == [0, 1, 2, 3, 4]
    assert np.allclose(run.times, np.arange(5) / 30)
    stored = np.load(tmp_path / "out" / "frames" / "frame_00004.npz")
    assert (run[4].x == stored["x"]).all() and (run[-1].x == stored["x"]).all()
    assert (tmp_path / "out" / "report.html").exists()
    states = [state.time for state in sinew.load_run(tmp_path / "out")]
    assert states == run.times.tolist()
    assert run.stats[-1]["frame"] == 4 and not run.warnings
    assert run.model.residual(run[4])[1] < 1e-6
    with pytest.raises(IndexError):
        run[5]
    with pytest.raises(TypeError):
        run["last"]
    with pytest.raises(sinew.Error):
        sinew.run(block(), tmp_path / "out", export=())  # another scene's folder
    with pytest.raises(sinew.Error):
        sinew.load_run(tmp_path / "nothing")


def test_the_model_of_a_run_outlives_it(scene, tmp_path):
    run = sinew.run(scene, tmp_path / "out", export=())
    model, state = run.model, run[1]
    del run
    assert model.energy(state) != 0 and model.X.shape == state.x.shape


def test_an_exception_in_on_frame_leaves_a_checkpoint(scene, tmp_path):
    whole = sinew.run(scene, tmp_path / "whole", export=())

    def stop(frame, time, residual):
        if frame == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sinew.run(scene, tmp_path / "out", export=(), on_frame=stop)
    assert sinew.load_run(tmp_path / "out").status == "interrupted"
    again = sinew.run(scene, tmp_path / "out", export=(), resume=True)
    assert again.status == "done" and again.summary["state_hash"] == whole.summary["state_hash"]


def test_compare(scene, tmp_path):
    result = sinew.compare(scene, ["newton", ("pbng", {"iterations": 20})], iterations=20, repeats=1)
    assert [curve.label for curve in result.curves] == ["newton", "pbng:iterations=20"]
    newton, pbng = result["newton"], result[1]
    assert newton.status == "converged" and newton.relative_residual[-1] <= 1e-8
    assert pbng.iteration.tolist() == list(range(len(pbng.iteration))) and (np.diff(pbng.seconds) >= 0).all()
    assert pbng.relative_residual[-1] < pbng.relative_residual[0]
    assert abs(newton.error_max[-1]) < 1e-6 and newton.method == "newton"
    assert result.verdict and "newton" in result.table
    result.save(tmp_path / "report")
    stored = json.loads((tmp_path / "report" / "compare.json").read_text())
    assert {"report.html", "curves.csv"} <= set(os.listdir(tmp_path / "report")) and stored
    (tmp_path / "report" / "mine.txt").write_text("")
    with pytest.raises(ValueError, match="mine.txt"):
        result.save(tmp_path / "report")
    with pytest.raises(KeyError):
        result["pbng"]


def test_view_serves_who_has_the_token(scene, tmp_path):
    try:
        view = sinew.view(sinew.run(scene, tmp_path / "out", export=()))
    except sinew.NotBuiltInError as error:
        pytest.skip(str(error))
    page = urllib.request.urlopen(view.url).read()
    assert len(page) > 1000
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(view.url.split("?")[0])
    view.stop()
    view.stop()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(view.url, timeout=5)
    model = scene.build()
    for shown in (model, scene, sinew.shapes.box(cells=(1, 1, 1))):
        with sinew.view(shown) as other:
            assert urllib.request.urlopen(other.url).status == 200
    scene.add_shell("sheet", {"grid": {"cells": [2, 1]}}, thickness=0.01, material=sinew.materials.Stvk(young=1e6, poisson=0.3))
    with sinew.view(scene.build()) as other:  # tets and triangles
        assert urllib.request.urlopen(other.url).status == 200
    with pytest.raises(ValueError, match="model"):
        sinew.view(model.state())


def test_notebooks(scene, tmp_path):
    model = scene.build()
    png = sinew.picture(model)
    assert png.startswith(b"\x89PNG") and int.from_bytes(png[16:20], "big") == 640
    run = sinew.run(scene, tmp_path / "out", export=())
    for thing in (scene, model, model.state(), run):
        text = thing._repr_html_()
        assert "<table>" in text and "http" not in text
    assert "data:image/png;base64," in scene._repr_html_() and "data:image/png;base64," in run._repr_html_()
    scene.data["bodies"]["block"]["density"] = -1
    assert "density" in scene._repr_html_()


def test_ctrl_c_ends_a_run_with_a_checkpoint(tmp_path):
    scene = block(cells=(10, 6, 6), mode="dynamic")
    scene.data["time"] = {"frames": 100000}
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sinew.run(scene, tmp_path / "out", export=())
    timer.join()
    assert sinew.load_run(tmp_path / "out").status == "interrupted"
