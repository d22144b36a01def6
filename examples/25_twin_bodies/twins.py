#!/usr/bin/env python3
"""Writes the surface of two bodies, all but in the same place: twins.py > twins.obj."""
import math

N = 14  # quads along the edge of the cube that is blown up to a body
TWINS = {
    "still": lambda x, y, z: (x, y, z),
    "loose": lambda x, y, z: (0.96 * x - 0.28 * y + 0.16, 0.28 * x + 0.96 * y + 0.09, z + 0.12),
}


def blown(u):
    """From the surface of the cube [-1, 1]^3 to a ball with two ears and dents."""
    n = [math.tan(0.25 * math.pi * a) for a in u]
    size = math.sqrt(sum(a * a for a in n))
    n = [a / size for a in n]
    r = 0.6 + 0.05 * math.sin(5 * n[0]) * math.sin(4 * n[1] + 1) + 0.03 * math.sin(7 * n[2])
    for ear in ((0.45, 0.1, 0.887), (-0.45, 0.1, 0.887)):
        r += 0.3 * math.exp(-12 * (1 - sum(a * b for a, b in zip(n, ear))))
    return [r * a for a in n]


ids, points, triangles = {}, [], []
for axis in range(3):
    for side in (0, N):
        for j in range(N):
            for i in range(N):
                quad = []
                for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    at = [0, 0, 0]
                    at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3] = side, i + di, j + dj
                    key = tuple(at)
                    if key not in ids:
                        ids[key] = len(points)
                        points.append(blown([2 * a / N - 1 for a in at]))
                    quad.append(ids[key])
                if side == 0:
                    quad.reverse()
                triangles += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
base = 1
for name, place in TWINS.items():
    for x in points:
        print("v %.4f %.4f %.4f" % place(*x))
    print("g", name)
    for t in triangles:
        print("f %d %d %d" % tuple(base + i for i in t))
    base += len(points)
