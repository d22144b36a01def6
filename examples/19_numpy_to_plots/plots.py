"""A bar made of arrays, bent by a load that grows; stiffness against load, and the stress along it, as plots.

    PYTHONPATH=build/python /usr/bin/python3 examples/19_numpy_to_plots/plots.py [FOLDER]

With matplotlib the plots are written as PNG; without it the same numbers are written as CSV.
"""
import pathlib
import sys

import numpy as np

import sinew


def grid(n, size):
    """Vertices and tets of a box: each cell is cut into six tets along its long diagonal."""
    nx, ny, nz = n
    k, j, i = np.meshgrid(np.arange(nz + 1), np.arange(ny + 1), np.arange(nx + 1), indexing="ij")
    V = np.stack([i / nx, j / ny, k / nz], axis=-1).reshape(-1, 3) * size
    steps = np.array([1, nx + 1, (nx + 1) * (ny + 1)])
    first = np.array([a + steps[1] * b + steps[2] * c for c in range(nz) for b in range(ny) for a in range(nx)])
    T = []
    for axes in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0)):
        path = np.cumsum([0, *(steps[axis] for axis in axes)])
        if axes in ((0, 2, 1), (1, 0, 2), (2, 1, 0)):
            path[2:] = path[:1:-1]  # so that all volumes are positive
        T.append(first[:, None] + path)
    return V, np.concatenate(T)


def bend(young, loads):
    """The bar's state under each load [N], and its model."""
    V, T = grid((24, 4, 4), (1.0, 0.1, 0.1))
    scene = sinew.Scene()
    scene.add_solid("bar", V, T, material=sinew.materials.StableNeoHookean(young=young, poisson=0.45),
                    node_groups={"tip": np.flatnonzero(V[:, 0] == 1.0)})
    scene.attach("bar", np.flatnonzero(V[:, 0] == 0.0), name="wall")
    scene.add_load("bar.tip", "force", (0, -1, 0), name="load", ramp=[{"time": 0, "factor": 0}])
    model = scene.build()
    newton = sinew.method(model, "newton")
    state = model.state()
    states = []
    for load in loads:
        info = newton.equilibrium(state, inputs={"load.load": load})
        if not info.converged:
            raise SystemExit(f"no equilibrium at {load} N: {info}")
        states.append(state.copy())
    return model, states


def write_csv(path, head, columns):
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=head, comments="", fmt="%.9g")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "plots")
    folder.mkdir(parents=True, exist_ok=True)
    loads = np.linspace(0, 4.0, 9)
    model, states = bend(young=2e5, loads=loads)
    tip = np.flatnonzero(model.X[:, 0] == 1.0)
    sag = np.array([-(state.x - model.X)[tip, 1].mean() for state in states])
    beam = loads * 1.0 ** 3 / (3 * 2e5 * 0.1 ** 4 / 12)  # Euler and Bernoulli, small deflections
    stress = model.field("von_mises", states[-1])
    centre = model.X[model.tets].mean(axis=1)[:, 0]
    cuts = np.linspace(0, 1, 25)
    highest = np.array([stress[(centre >= a) & (centre < b)].max() for a, b in zip(cuts[:-1], cuts[1:])])
    middle = (cuts[:-1] + cuts[1:]) / 2

    write_csv(folder / "sag.csv", "load_N,sag_m,beam_m", [loads, sag, beam])
    write_csv(folder / "stress.csv", "x_m,von_mises_Pa", [middle, highest])
    (folder / "bar.png").write_bytes(sinew.picture(model, states[-1]))
    try:
        import matplotlib
    except ImportError:
        print(f"no matplotlib: {folder}/sag.csv and {folder}/stress.csv hold the numbers of the plots")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.plot(loads, sag, "o-", label="sinew")
    left.plot(loads, beam, "--", label="beam theory")
    left.set(xlabel="load [N]", ylabel="sag of the tip [m]")
    left.legend()
    right.plot(middle, highest)
    right.set(xlabel="x [m]", ylabel="largest von Mises stress [Pa]")
    figure.savefig(folder / "plots.png", dpi=120)
    print(f"{folder}/plots.png")


if __name__ == "__main__":
    main()
