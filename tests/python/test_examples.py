"""The examples in Python run, and what they write agrees with theory."""
import os
import pathlib
import subprocess
import sys

import numpy as np

TREE = pathlib.Path(__file__).parents[2]


def test_numpy_to_plots(tmp_path):
    # A package of that name which cannot be imported: the numbers come as CSV.
    (tmp_path / "matplotlib.py").write_text("raise ImportError('left out')")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ['PYTHONPATH']}"}
    done = subprocess.run([sys.executable, TREE / "examples" / "19_numpy_to_plots" / "plots.py", tmp_path / "plots"],
                          text=True, capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert "no matplotlib" in done.stdout
    load, sag, beam = np.loadtxt(tmp_path / "plots" / "sag.csv", delimiter=",", skiprows=1).T
    assert (np.diff(sag) > 0).all()
    # Linear tets of this size are too stiff in bending, by less than half; a large sag is stiffer than theory.
    assert 0.5 < sag[1] / beam[1] < 1.02 and sag[-1] < beam[-1]
    x, stress = np.loadtxt(tmp_path / "plots" / "stress.csv", delimiter=",", skiprows=1).T
    assert stress[:8].mean() > 3 * stress[-8:].mean()
    assert (tmp_path / "plots" / "bar.png").read_bytes().startswith(b"\x89PNG")
