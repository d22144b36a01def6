"""Surfaces written by meshio are read, and surfaces written by the tool are read by meshio, with equal numbers.

Every pair of formats: meshio writes the first, the tool converts it to the second, meshio reads that.
"""

import subprocess
import sys

sys.path.pop(0)  # this folder has a meshio.py of its own
try:
    import meshio
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

tool = sys.argv[1]


def closed_surface(rings=5, around=7):
    """A ball with coordinates that no short decimal can hold."""
    points = [(0, 0, 1 / 3)]
    for r in range(1, rings):
        for k in range(around):
            a, b = np.pi * r / rings, 2 * np.pi * k / around
            points.append((np.sin(a) * np.cos(b) / 3, np.sin(a) * np.sin(b) / 3, np.cos(a) / 3))
    points.append((0, 0, -1 / 3))
    last, triangles = len(points) - 1, []
    for k in range(around):
        n = (k + 1) % around
        triangles.append((0, 1 + k, 1 + n))
        for r in range(rings - 2):
            p, q = 1 + r * around, 1 + (r + 1) * around
            triangles += [(p + k, q + k, q + n), (p + k, q + n, p + n)]
        base = 1 + (rings - 2) * around
        triangles.append((base + k, last, base + n))
    return np.array(points), np.array(triangles, dtype=np.int32)


def convert(source, target):
    done = subprocess.run([tool, "convert", source, target], capture_output=True, text=True)
    assert done.returncode == 0, f"{source} to {target}: {done.stderr}"


def check(name, mesh, points, triangles, single):
    got = mesh.cells_dict["triangle"]
    assert got.shape == triangles.shape, f"{name}: {got.shape} triangles"
    if single:  # vertices are numbered anew: compare corner by corner
        assert mesh.points.shape == points.shape, f"{name}: {mesh.points.shape} vertices"
        assert np.array_equal(mesh.points[got].astype(np.float32), points[triangles].astype(np.float32)), name
    else:
        assert np.array_equal(mesh.points, points), f"{name}: points differ"
        assert np.array_equal(got, triangles), f"{name}: triangles differ"


points, triangles = closed_surface()
writers = {
    "ply": [{"binary": True}, {"binary": False}],
    "stl": [{"binary": True}, {"binary": False}],
    "off": [{}],
    "obj": [{}],
}
pairs = 0
for source, variants in writers.items():
    for options in variants:
        given = meshio.Mesh(points, [("triangle", triangles)])
        meshio.write(f"a.{source}", given, **options)
        # What meshio itself makes of its file is the reference.
        seen = meshio.read(f"a.{source}")
        for target in writers:
            convert(f"a.{source}", f"b.{target}")
            single = "stl" in (source, target)
            check(f"{source} to {target}", meshio.read(f"b.{target}"), seen.points,
                  seen.cells_dict["triangle"], single)
            pairs += 1
        check(f"{source} of meshio", seen, points, triangles, source == "stl")

# Attributes of vertices go through PLY; meshio writes none of triangles.
heat = np.sin(np.arange(len(points)))
for binary in (True, False):
    meshio.write("c.ply", meshio.Mesh(points, [("triangle", triangles)], point_data={"heat": heat}), binary=binary)
    convert("c.ply", "d.ply")
    back = meshio.read("d.ply")
    check("attributes", back, points, triangles, False)
    assert np.array_equal(back.point_data["heat"], heat)
print(f"{pairs} pairs of formats agree")
