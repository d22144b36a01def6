#!/usr/bin/env python3
"""Writes the surface of a face whose lips are pressed together until they cross: face.py > face.obj.

The front (x = 1) has a pocket, the mouth, of the depth POCKET. Around its opening the upper lip is moved down and the lower one up, by
PRESS in the middle and less and less towards the corners of the mouth, deeper inside and away from the lips. The map is smooth in
the material and keeps its orientation, so the face is an immersed block; its lips lie in one another.
"""
import math

HEIGHT, WIDTH = 0.1, 0.6  # half of the opening
INNER = 0.6  # of the opening: where the walls of the pocket end and its floor begins
WALLS = [sign * q for sign in (-1, 1) for q in (0.3, 0.6, 0.7, 0.8, 0.9, 1)]
X = [-1 + i / 5 for i in range(11)]
Y = sorted({i / 10 for i in range(-10, 11)} | {round(HEIGHT * q, 6) for q in WALLS})
Z = sorted({-1, -0.8, -0.1, 0, 0.1, 0.8, 1} | {round(WIDTH * q, 6) for q in WALLS})
POCKET = 1.1  # [m]
PRESS = {True: -0.24, False: 0.2}  # upper lip, lower lip [m]


def rounded(x, y, z):
    """From the surface of the cube [-1, 1]^3 to a head: between a cube and a ball, with a nose."""
    f = 1.2 / (abs(x) ** 3 + abs(y) ** 3 + abs(z) ** 3) ** (1 / 3)
    nose = 0.3 * math.exp(-(((y - 0.45) / 0.15) ** 2) - (z / 0.15) ** 2) if x == 1 else 0
    return [f * x + nose, f * y, f * z]


def pressed(x, y, z, upper):
    front = 1 / (1 + math.exp(12 * (0.62 - x)))
    middle = math.cos(0.5 * math.pi * z / 0.67) ** 2 if abs(z) < 0.67 else 0
    near = math.exp(-((y / 0.6) ** 2))
    return [x, y + PRESS[upper] * front * middle * near, z]


def front_point(y, z):
    """Of the front, where it is not moved yet: outside, on the walls of the pocket, or on its floor."""
    q = max(abs(y) / HEIGHT, abs(z) / WIDTH)
    if q >= 1:
        return rounded(1, y, z), y > 0
    if q == 0:
        return [1 - POCKET, 0, 0], True
    rim = rounded(1, y / q, z / q)
    depth = min(1, (1 - q) / (1 - INNER))
    shrink = min(1, q / INNER)
    return [rim[0] + depth * (1 - POCKET - rim[0]), shrink * rim[1], shrink * rim[2]], y > 0


ids, points, groups = {}, [], {}


def vertex(i, j, k):
    x, y, z = X[i], Y[j], Z[k]
    if (i, j, k) not in ids:
        at, upper = front_point(y, z) if i == len(X) - 1 else (rounded(x, y, z), y > 0)
        ids[i, j, k] = len(points) + 1
        points.append(pressed(*at, upper))
    return ids[i, j, k]


def add(group, quad):
    groups.setdefault(group, []).extend([(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])])


counts = (len(X), len(Y), len(Z))
for axis, (low, high) in enumerate((("back", "front"), ("chin", "top"), ("cheeks", "cheeks"))):
    u, v = (axis + 1) % 3, (axis + 2) % 3
    for side, group in ((0, low), (counts[axis] - 1, high)):
        for j in range(counts[v] - 1):
            for i in range(counts[u] - 1):
                quad = []
                for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    at = [0, 0, 0]
                    at[axis], at[u], at[v] = side, i + di, j + dj
                    quad.append(vertex(*at))
                add(group, quad if side else quad[::-1])
for x in points:
    print("v %.4f %.4f %.4f" % tuple(x))
for group, triangles in groups.items():
    print("g", group)
    for t in triangles:
        print("f %d %d %d" % t)
