"""sinew mesh: volumes for surfaces, what is found and what is refused."""
import json
import pathlib
import sys

sys.path[0] = str(pathlib.Path(__file__).parent / "shared")  # the folder has modules of other names
from sinew_tool import *

import numpy

try:
    import meshio
except ImportError:
    meshio = None


def box(low, high, n):
    """Vertices and triangles of a box, each face n x n squares, closed and facing outwards."""
    ids, points, triangles = {}, [], []

    def vertex(p):
        if p not in ids:
            ids[p] = len(points)
            points.append([low[k] + (high[k] - low[k]) * p[k] / n for k in range(3)])
        return ids[p]

    for axis in range(3):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, n):
            for i in range(n):
                for j in range(n):
                    corner = []
                    for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)):
                        p = [0, 0, 0]
                        p[axis], p[b], p[c] = side, i + di, j + dj
                        corner.append(vertex(tuple(p)))
                    if side == 0:
                        corner.reverse()
                    triangles += [corner[:3], [corner[0], corner[2], corner[3]]]
    return numpy.array(points), numpy.array(triangles)


def write_obj(name, *parts):
    """Each part a group."""
    lines, first = [], 1
    for label, (points, triangles) in parts:
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist()]
        lines.append(f"g {label}")
        lines += ["f " + " ".join(str(first + i) for i in t) for t in triangles]
        first += len(points)
    pathlib.Path(name).write_text("\n".join(lines) + "\n")


def report(*arguments):
    return json.loads(expect(0, ["mesh", *arguments, "--report", "-"]).stdout)


A, B = box((0, 0, 0), (1, 1, 1), 4), box((0.55, 0.35, 0.45), (1.55, 1.35, 1.45), 4)
write_obj("one.obj", ("one", A))
write_obj("two.obj", ("left", A), ("right", B))

# Two boxes that overlap stay two: the same counts as one by one.
expect(0, ["mesh", "two.obj", "-o", "two.vtu", "--cell", "0.1", "--embedding", "two.npz", "--crossings", "two_x.obj",
           "--report", "two.json"],
       "2,662 of 0.1 m", "34,848", "210 cells", "2 components", "self-intersections", "two_x.obj", "two.npz")
found = json.loads(pathlib.Path("two.json").read_text())
check(found["mesh"]["components"] == 2 and found["mesh"]["overlapping_cells"] == 210, f"two boxes: {found['mesh']}")
check(found["surface"]["components"] == 2 and abs(found["surface"]["volume"] - 2) < 1e-12, f"{found['surface']}")
check(abs(found["mesh"]["covered_volume"] - 2) < 1e-4, f"coverage {found['mesh']['covered_volume']}")
check(found["self_intersections"]["pairs"] > 0 and found["regions"]["copies"][0] == 2, f"{found['regions']}")
info = json.loads(expect(0, ["info", "two.vtu", "--json"]).stdout)
check(info["tets"] == 34848 and info["components"] == 2 and abs(info["volume"] - 2.662) < 1e-9, f"{info}")
check(info["element_groups"] == ["left", "right"] and "layers" in info["element_data"], f"{info}")
check(abs(info["covered_volume"] - 2) < 1e-4, f"{info}")
single = report("one.obj", "-o", "one.vtu", "--cell", "0.1")
check(single["mesh"]["cells"] == 1331 and single["self_intersections"]["pairs"] == 0, f"one box: {single}")
crossing = json.loads(expect(0, ["info", "two_x.obj", "--json"]).stdout)
low, high = numpy.array(crossing["low"]), numpy.array(crossing["high"])
check((low >= 0).all() and (high <= 1.55).all() and crossing["triangles"] > 0, f"what crosses: {crossing}")

# The surface is where the mesh carries it.
skin = numpy.load("two.npz")
points = numpy.concatenate([A[0], B[0]])
check(skin["weights"].shape == (len(points), 4) and (skin["weights"] >= 0).all(), "weights")
check(numpy.array_equal(skin["triangles"], numpy.concatenate([A[1], B[1] + len(A[0])])), "triangles of the skin")
if meshio:
    mesh = meshio.read("two.vtu")
    carried = numpy.einsum("pk,pkc->pc", skin["weights"], mesh.points[mesh.cells[0].data[skin["element"]]])
    check(numpy.abs(carried - points).max() < 1e-12, "the carried surface")

# Parts that are stuck into each other, loose or joined; files in millimetres.
expect(0, ["mesh", "two.obj", "-o", "loose.vtu", "--cell", "0.1"], "2 parts, which come loose from each other: left, right",
       "--joined all")
for parts in ("all", "left+right"):
    got = report("two.obj", "-o", "joined.vtu", "--cell", "0.1", "--joined", parts)["mesh"]
    check(got["components"] == 1 and got["cells"] == 2662 - 210 and got["overlapping_cells"] == 0, f"joined: {got}")
write_obj("large.obj", ("one", (1000 * A[0], A[1])))
expect(0, ["mesh", "large.obj", "-o", "large.vtu", "--cell", "100"], "1e+03 m long: is the file in millimetres?", "--unit mm")
expect(2, ["mesh", "large.obj", "-o", "large.vtu", "--cell", "0.1"], "32-bit ids", "is the file in millimetres?")
got = report("large.obj", "-o", "large.vtu", "--cell", "0.1", "--unit", "mm")["mesh"]
check(got["cells"] == 1331 and got["shared_places"] == 0 and "shared_place" not in got, f"a file in millimetres: {got}")
got = report("two.obj", "-o", "two.vtu", "--cell", "0.2")["mesh"]
check(got["shared_places"] > 0 and 0.3 < got["shared_place"][0] < 1.2, f"layers that overlap: {got}")
expect(0, ["info", "large.obj"], "is the file in millimetres?")
check(json.loads(expect(0, ["info", "large.obj", "--unit", "mm", "--json"]).stdout)["high"] == [1, 1, 1], "info --unit")
expect(0, ["convert", "large.obj", "metres.obj", "--unit", "mm"])
check(json.loads(expect(0, ["info", "metres.obj", "--json"]).stdout)["high"] == [1, 1, 1], "convert --unit")

# Layers side by side, with a gap narrower than a cell, do not touch: self-contact finds nothing at rest.
write_obj("slit.obj", ("a", A), ("b", box((1.02, 0, 0), (2, 1, 1), 4)))
pathlib.Path("slit.json").write_text(json.dumps({
    "sinew": 1, "gravity": [0, -9.81, 0], "solve": {"mode": "quasistatic"}, "time": {"frames": 1},
    "bodies": {"b": {"mesh": {"surface": "slit.obj", "cell": 0.1}, "density": 1000,
                     "material": {"model": "stable_neo_hookean", "young": 2e6, "poisson": 0.4},
                     "select": {"low": {"box": [[-1, -1, -1], [3, 0.2, 3]]}}}},
    "attach": [{"what": "b.low"}], "contact": {"pairs": [{"between": ["b", "b"]}]}}))
expect(0, ["run", "slit.json", "-o", "slit_run", "--force"], "144 vertices of layers that are not joined were moved apart")

# Numbers of cells and of tets; coarsening.
for arguments, key, wanted in ((["--cells", "5000"], "cells", 5000), (["--tets", "40000"], "tets", 40000),
                               (["--tets", "9000", "--coarsen", "2"], "tets", 9000)):
    got = report("two.obj", "-o", "n.vtu", *arguments)["mesh"]
    check(abs(got[key] - wanted) <= 0.1 * wanted and got["components"] == 2, f"{arguments}: {got}")

# Every format for tets and for hexahedra.
for ending in ("vtu", "vtk", "msh", "mesh", "inp", "node"):
    expect(0, ["mesh", "one.obj", "-o", f"tets.{ending}", "--cell", "0.25", "--quiet"])
for ending in ("vtu", "vtk", "msh", "mesh", "inp"):
    expect(0, ["mesh", "one.obj", "-o", f"hexes.{ending}", "--cell", "0.25", "--hex", "--embedding", "hexes.npz"],
           "125 of 0.25 m")
    if meshio:
        mesh = meshio.read(f"hexes.{ending}")
        cells = [block.data for block in mesh.cells if block.type == "hexahedron"]
        check(len(cells) == 1 and cells[0].shape == (125, 8), f"hexes.{ending}: {mesh}")
        corners = mesh.points[cells[0]]
        edges = [corners[:, k] - corners[:, 0] for k in (1, 3, 4)]
        volumes = numpy.einsum("ij,ij->i", numpy.cross(edges[0], edges[1]), edges[2])
        check(numpy.abs(volumes - 0.25 ** 3).max() < 1e-12, f"hexes.{ending}: volumes {volumes.min()}")
        skin = numpy.load("hexes.npz")
        carried = numpy.einsum("pk,pkc->pc", skin["weights"], corners[skin["element"]])
        check(numpy.abs(carried - A[0]).max() < 1e-12, f"hexes.{ending}: the carried surface")

# The same bits for any number of threads.
for threads in ("1", "2"):
    expect(0, ["mesh", "two.obj", "-o", f"t{threads}.vtu", "--cell", "0.07", "--threads", threads, "--quiet"])
check(pathlib.Path("t1.vtu").read_bytes() == pathlib.Path("t2.vtu").read_bytes(), "threads change the mesh")

# Put right, with a message; or refused.
points, triangles = A
write_obj("hole.obj", ("h", (points, triangles[1:])))
got = report("hole.obj", "-o", "h.vtu", "--cell", "0.25")
check(got["surface"]["holes_closed"] == 1 and got["mesh"]["cells"] == 125, f"a hole: {got['surface']}")
expect(2, ["mesh", "hole.obj", "-o", "h2.vtu", "--cell", "0.25", "--no-repair"], "hole.obj", "edge")
check(not pathlib.Path("h2.vtu").exists(), "a refused mesh is not written")
flipped = triangles.copy()
flipped[7] = flipped[7][::-1]
write_obj("flipped.obj", ("f", (points, flipped)))
check(report("flipped.obj", "-o", "f.vtu", "--cell", "0.25")["surface"]["triangles_turned"] == 1, "turned back")
write_obj("inside_out.obj", ("f", (points, triangles[:, ::-1])))
check(report("inside_out.obj", "-o", "i.vtu", "--cell", "0.25")["mesh"]["cells"] == 125, "inside out")
write_obj("open.obj", ("o", (points, [t for t in triangles if (points[t][:, 2] < 0.99).any()])))
expect(0, ["mesh", "open.obj", "-o", "o.vtu", "--cell", "0.1", "--winding"], "tets")

# Wrong command lines.
expect(0, ["mesh", "one.obj", "-o", "default.vtu"], "no size was given", "for about 20000 tets")
expect(2, ["mesh", "one.obj", "--cell", "0.1", "--unit", "km"], "--unit", "km", "0.3048 for feet")
expect(2, ["mesh", "two.obj", "--cell", "0.1", "--joined", "left"], "--joined", "eye_l+head")
expect(2, ["mesh", "two.obj", "--cell", "0.1", "--joined", "left+eye"], "'eye'", "left, right")
expect(2, ["mesh", "one.obj", "--cell", "0.1", "--cells", "10"], "several")
expect(2, ["mesh", "one.obj", "--cell", "0.1", "--hex", "--tet"], "--hex and --tet")
expect(2, ["mesh", "one.obj", "--tets", "1000", "--hex"], "--cells")
expect(2, ["mesh", "one.obj", "--cell", "-1"], "--cell")
expect(2, ["mesh", "one.obj", "--cell", "nan"], "--cell")
expect(2, ["mesh", "one.obj", "--cell", "0.1", "--coarsen", "9"], "--coarsen")
expect(2, ["mesh", "one.obj", "-o", "body.obj", "--cell", "0.1"], "body.obj", "VTK XML", "Gmsh")
expect(2, ["mesh", "one.obj", "-o", "body.veg", "--cell", "0.1", "--hex"], "body.veg", "hexahedra")
expect(2, ["mesh", "one.obj", "-o", "b.vtu", "--cell", "0.1", "--crossings", "x.node"], "x.node")
expect(4, ["mesh", "no_such.obj", "--cell", "0.1"], "no_such.obj")
expect(4, ["mesh", "one.obj", "-o", "no_such/body.vtu", "--cell", "0.25"], "no_such")

# Broken surfaces and sizes that cannot be.
pathlib.Path("empty.obj").write_text("")
pathlib.Path("single.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
pathlib.Path("nan.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 nan 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
expect(2, ["mesh", "empty.obj", "--cell", "0.1"], "empty.obj")
expect(2, ["mesh", "single.obj", "--cell", "0.1"], "single.obj", "edge")
expect(2, ["mesh", "nan.obj", "--cell", "0.1"], "nan.obj")
expect(2, ["mesh", "one.obj", "--cell", "2"], "one.obj", "larger than the body", "1 m")
expect(2, ["mesh", "one.obj", "--cell", "1e-9"], "one.obj", "smallest cell that fits")
write_obj("slab.obj", ("s", box((0, 0, 0.05), (1, 1, 0.08), 4)))
expect(2, ["mesh", "slab.obj", "--cell", "0.16"], "slab.obj")
check(report("slab.obj", "-o", "s.vtu", "--cell", "0.16", "--coarsen", "3")["mesh"]["components"] == 1, "a thin slab")

# In a scene the surface is shown and exported; groups are selections and materials.
law = {"model": "stable_neo_hookean", "young": 1e4, "poisson": 0.3}


def scene(name, mesh, **keys):
    body = {"mesh": mesh, "material": [law, {**law, "where": "right", "young": 2e4}]}
    return write_scene(name, bodies={"pair": body}, attach=[{"what": "pair.left", "name": "hold"}, {"what": "pair.right"}],
                       gravity=[0, -9.81, 0], solve={"mode": "quasistatic"}, time={"frames": 1}, probes={}, expect={}, **keys)


meshed = scene("meshed.json", {"surface": "two.obj", "cell": 0.2})
expect(0, ["check", meshed], "pass", "several layers", "places have several vertices, the first at (", "Smaller cells part")
expect(0, ["run", meshed, "-o", "meshed", "--force"])
pathlib.Path("two.obj").rename("gone.obj")  # the folder of a run holds what it needs
expect(0, ["export", "meshed", "--format", "obj"])
exported = json.loads(expect(0, ["info", "meshed/obj/pair_00000.obj", "--json"]).stdout)
check(exported["vertices"] == len(A[0]) + len(B[0]) and exported["triangles"] == 2 * len(A[1]), f"exported: {exported}")
blocks = json.loads(expect(0, ["export", "meshed", "--format", "obj", "-o", "blocks", "--what", "boundary", "--json"]).stdout)
check(blocks["meshes"][0]["vertices"] > 500, f"the surface of the tets: {blocks['meshes']}")

# A mesh made before, with its skin, is the same as one made from the surface.
pathlib.Path("gone.obj").rename("two.obj")
expect(0, ["mesh", "two.obj", "-o", "made.vtu", "--cell", "0.2", "--embedding", "made.npz", "--quiet"])
expect(0, ["run", scene("made.json", {"file": "made.vtu", "skin": "made.npz"}), "-o", "made", "--force"])
hashes = [json.loads(pathlib.Path(run, "run.json").read_text())["state_hash"] for run in ("meshed", "made")]
check(hashes[0] == hashes[1], f"state hashes {hashes}")
expect(2, ["check", scene("both.json", {"surface": "two.obj", "cell": 0.2, "cells": 5})], "cell, cells and tets")
expect(2, ["check", scene("parts.json", {"surface": "two.obj", "cell": 0.2, "joined": [["left", "eye"]]})],
       "/bodies/pair/mesh/surface", "'eye'")
expect(2, ["check", scene("large.json", {"surface": "two.obj", "cell": 5})], "larger than the body")
expect(4, ["check", scene("lost.json", {"surface": "lost.obj", "cell": 0.2})], "lost.obj")
expect(2, ["check", scene("torn.json", {"surface": "single.obj", "cell": 0.2})], "single.obj", "edge")

# What is held carries the weight of the material, whatever the cells; the mesh is larger.
def hanging(cell, method):
    body = {"mesh": {"surface": "one.obj", "cell": cell}, "material": {**law, "young": 1e6}, "density": 700,
            "select": {"top": {"box": [[-1, 0.8, -1], [2, 2, 2]]}}}
    return write_scene(f"hanging_{method}_{cell}.json", bodies={"cube": body}, attach=[{"what": "cube.top", "name": "top"}],
                       gravity=[0, -9.81, 0], time={"frames": 1}, probes={},
                       solve={"mode": "quasistatic", "method": method, "tolerance": 1e-6, "pbng": {"iterations": 5000}},
                       expect={"top.force.y": {"value": 700 * 9.81, "tolerance": 0.7},
                               "cube.mass": {"value": 700, "tolerance": 0.07}})


for cell, method in ((0.3, "newton"), (0.17, "newton"), (0.09, "newton"), (0.3, "pbng"), (0.17, "pbng")):
    expect(0, ["run", hanging(cell, method), "-o", "hanging", "--force"])
    cube = json.loads(pathlib.Path("hanging", "run.json").read_text())["bodies"]["cube"]
    check(abs(cube["volume"] - 1) < 1e-4 and abs(cube["mass"] - 700) < 0.07, f"{cell}: {cube}")
    check(1.05 < cube["mesh_volume"] < 4, f"{cell}: {cube}")
expect(0, ["info", hanging(0.3, "newton")], "1 m^3 in a mesh of")
check("(mesh " in pathlib.Path("hanging", "report.html").read_text(), "both volumes in the report")

# Scans, where they are at hand.
data = TREE.parent / "shared" / "data" / "surfaces"
for surface in sorted(data.glob("bunny_*.obj")):
    for tets in ("5000", "20000", "80000"):
        got = report(str(surface), "-o", "n.vtu", "--tets", tets, "--quiet")
        volume, covered = got["surface"]["volume"], got["mesh"]["covered_volume"]
        check(abs(covered / volume - 1) < 1e-3, f"{surface.name}, {tets} tets: {covered} of {volume} m^3")

numpy.savez("bad.npz", triangles=numpy.zeros((1, 3), "i4"), element=numpy.array([10 ** 6], "i4"), weights=numpy.ones((1, 4)) / 4)
expect(2, ["check", scene("bad.json", {"file": "made.vtu", "skin": "bad.npz"})], "bad.npz", "tet 1000000")
finish()
