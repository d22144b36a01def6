"""Small scenes that the tests share."""
import numpy as np

import sinew


def grid(n=(2, 2, 2), size=(1.0, 1.0, 1.0)):
    """Vertices and tets of a box, made here and not by the library: six tets a cell along its long diagonal."""
    nx, ny, nz = n
    V = np.array([(i / nx, j / ny, k / nz) for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)])
    node = lambda i, j, k: i + (nx + 1) * (j + (ny + 1) * k)
    T = []
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                for axes in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0)):
                    at = [i, j, k]
                    corners = [node(*at)]
                    for axis in axes:
                        at[axis] += 1
                        corners.append(node(*at))
                    if axes in ((0, 2, 1), (1, 0, 2), (2, 1, 0)):
                        corners[2:] = corners[:1:-1]
                    T.append(corners)
    return V * np.array(size), np.array(T)


def block(material=None, cells=(3, 2, 2), gravity=(0, -9.81, 0), motion=None, **solve):
    """A block of 1 x 0.5 x 0.5 m from arrays, held at x = 0."""
    V, T = grid(cells, (1.0, 0.5, 0.5))
    scene = sinew.Scene()
    scene.add_solid("block", V, T, material=material or sinew.materials.NeoHookean(young=1e5, poisson=0.3))
    keys = {} if motion is None else {"motion": motion}
    scene.attach("block", np.flatnonzero(V[:, 0] == 0), name="wall", **keys)
    scene.gravity = gravity
    scene.data["solve"] = solve
    return scene
