"""The example finds the moduli that its observed shape was made with."""
import importlib.util
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/21_fit_modulus"


def test_moduli_are_found_to_a_thousandth(tmp_path):
    spec = importlib.util.spec_from_file_location("fit", FOLDER / "fit.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    young, truth, misfits, shapes = example.fit(log=lambda text: None)
    assert np.abs(young / truth - 1).max() < 1e-3
    assert misfits[-1] < 3e-5 < 1e-3 < misfits[0]
    example.draw(tmp_path / "fit.svg", young, truth, misfits, shapes)
    assert (tmp_path / "fit.svg").read_text().endswith("</svg>\n")
