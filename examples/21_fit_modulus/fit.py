"""Finds Young's moduli of two materials from an observed shape.

    PYTHONPATH=build/python /usr/bin/python3 examples/21_fit_modulus/fit.py [FOLDER]

The shape is that of scene.json, of which only the upper surface is seen, with an error of 10 micrometres. From a body of one
modulus, 200 kPa, L-BFGS takes the sum of squared distances to its least value; the gradient is one adjoint solve. With
FOLDER it writes fit.svg there.
"""
import pathlib
import sys

import numpy as np
from scipy.optimize import minimize

import sinew

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ["tongue.0.young", "tongue.1.young"]


def solve(model, start):
    state = start.copy()
    info = sinew.method(model).equilibrium(state)
    if not info.converged:
        sys.exit(f"no equilibrium: {info}")
    return state


def fit(log=print):
    """Fitted and true moduli [Pa], the misfit after each evaluation [m], and the shapes: start, fitted, observed."""
    model = sinew.Scene.load(HERE / "scene.json").build()
    truth = np.array([float(model.params()[name]) for name in NAMES])
    seen = np.flatnonzero(model.X[:, 2] > model.X[:, 2].max() - 1e-9)
    state = solve(model, model.state())
    observed = state.x[seen] + np.random.default_rng(7).normal(scale=1e-5, size=(len(seen), 3))
    misfits, shapes = [], []

    # In logarithms: a modulus is positive, and what matters is its ratio to the true one.
    def misfit(logs):
        nonlocal state
        young = np.exp(logs)
        body = model.with_params(dict(zip(NAMES, young)))
        state = solve(body, state)
        off = state.x[seen] - observed
        dL_dx = np.zeros(state.x.shape)
        dL_dx[seen] = 2 * off / 1e-6
        gradient = sinew.derivative(body, state).adjoint(dL_dx)
        misfits.append(np.sqrt((off ** 2).sum(axis=1).mean()))
        shapes.append(state.x.copy())
        log(f"{len(misfits):3}  {young[0]:9.0f} Pa {young[1]:9.0f} Pa   {1e3 * misfits[-1]:9.4f} mm")
        return (off ** 2).sum() / 1e-6, np.array([float(gradient[name]) for name in NAMES]) * young

    log("     root         tip             misfit")
    best = minimize(misfit, np.log([2e5, 2e5]), jac=True, method="L-BFGS-B", bounds=[(np.log(1e4), np.log(1e6))] * 2,
                    options={"ftol": 1e-15, "gtol": 1e-9})
    return np.exp(best.x), truth, misfits, (model.X, shapes[0], shapes[-1], observed)


def draw(path, young, truth, misfits, shapes):
    """The side view at rest, where the search begins and where it ends, with the points that were observed."""
    rest, start, fitted, observed = shapes
    ends = [rest[:, [0, 2]], start[:, [0, 2]], fitted[:, [0, 2]]]
    low, high = np.vstack(ends).min(axis=0), np.vstack(ends).max(axis=0)
    scale = 640 / (high[0] - low[0])

    def at(p):
        return f"{40 + scale * (p[0] - low[0]):.1f},{40 + scale * (high[1] - p[1]):.1f}"

    def outline(x):
        front = rest[:, 1] < rest[:, 1].min() + 1e-9
        rows = [np.flatnonzero(front & (abs(rest[:, 2] - z) < 1e-9)) for z in (rest[:, 2].max(), rest[:, 2].min())]
        rows = [row[np.argsort(rest[row, 0])] for row in rows]
        return " ".join(at(p) for p in x[[*rows[0], *rows[1][::-1]]][:, [0, 2]])

    height = 120 + scale * (high[1] - low[1])
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height:.0f}" font-family="sans-serif" '
            f'font-size="14"><rect width="720" height="{height:.0f}" fill="white"/>']
    for x, style in [(rest, 'fill="none" stroke="#bbb"'), (start, 'fill="none" stroke="#0072b2" stroke-dasharray="6 4"'),
                     (fitted, 'fill="#e69f0055" stroke="#b36b00"')]:
        text.append(f'<polygon points="{outline(x)}" {style} stroke-width="1.5"/>')
    text += [f'<circle cx="{at(p[[0, 2]]).split(",")[0]}" cy="{at(p[[0, 2]]).split(",")[1]}" r="2"/>' for p in observed]
    words = [f"grey: at rest; dashed: where the search begins, 200 kPa, misfit {1e3 * misfits[0]:.1f} mm",
             f"filled: fitted, {young[0] / 1e3:.2f} and {young[1] / 1e3:.2f} kPa; dots: observed"]
    text += [f'<text x="40" y="{height - 44 + 22 * k:.0f}">{line}</text>' for k, line in enumerate(words)]
    text.append("</svg>")
    path.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    young, truth, misfits, shapes = fit()
    error = np.abs(young / truth - 1).max()
    print(f"fitted {young[0]:.1f} and {young[1]:.1f} Pa, true {truth[0]:.0f} and {truth[1]:.0f} Pa, error {error:.1e}")
    if len(sys.argv) > 1:
        folder = pathlib.Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        draw(folder / "fit.svg", young, truth, misfits, shapes)
    sys.exit(1 if error > 1e-3 else 0)
