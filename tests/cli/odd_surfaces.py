"""Surfaces that no body can be made of: a single triangle, coordinates in light-years, no numbers. Each is refused with its place."""
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

LIGHT_YEAR = 9.46e15  # [m]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = [face for a, b, c, d in QUADS for face in ((a, b, c), (a, c, d))]


def cube(size, origin=0.0, fourth=None):
    """The corners of a cube as words; `fourth` is what the y of the fourth one is instead."""
    points = [[repr(origin + size * c) for c in (x, y, z)] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    if fourth is not None:
        points[3][1] = fourth
    return points


def write(name, points, faces=FACES):
    """A surface as OBJ, OFF, PLY or text STL, by the ending."""
    rows = [" ".join(point) for point in points]
    if name.endswith(".obj"):
        lines = [f"v {row}" for row in rows] + ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    elif name.endswith(".off"):
        lines = ["OFF", f"{len(rows)} {len(faces)} 0", *rows, *("3 " + " ".join(map(str, face)) for face in faces)]
    elif name.endswith(".ply"):
        lines = ["ply", "format ascii 1.0", f"element vertex {len(rows)}", *(f"property double {axis}" for axis in "xyz"),
                 f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header", *rows,
                 *("3 " + " ".join(map(str, face)) for face in faces)]
    else:
        lines = ["solid a"]
        for face in faces:
            lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {rows[i]}" for i in face), "endloop", "endfacet"]
        lines.append("endsolid a")
    pathlib.Path(name).write_text("\n".join(lines) + "\n")
    return name


def scene(**mesh):
    return write_scene("odd.json", attach=[], bodies={
        "b": {"mesh": mesh, "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}})


for ending in ("obj", "off", "ply", "stl"):
    one = write(f"one.{ending}", [["0", "0", "0"], ["1", "0", "0"], ["0", "1", "0"]], [(0, 1, 2)])
    expect(2, ["mesh", one, "-o", "out.vtu", "--cell", "0.1"], one, "3 open edges", "expected a closed surface")
    expect(2, ["check", scene(surface=one, tets=1000)], one, "expected a closed surface")
    for word in ("nan", "inf", "-inf", "1e400"):
        bad = write(f"bad.{ending}", cube(1.0, fourth=word))
        for arguments in (["mesh", bad, "-o", "out.vtu", "--cell", "0.1"], ["check", scene(surface=bad, cell=0.1)], ["info", bad]):
            expect(2, arguments, f"{bad}: line ", word)
    expect(2, ["check", scene(surface=write(f"far.{ending}", cube(LIGHT_YEAR)), cells=1000)], "/bodies/b/mesh/surface",
           "found a vertex at", "expected coordinates of at most 1e9 m", "unit")
    expect(2, ["check", write_scene("collider.json", colliders={"c": {"shape": {"mesh": {"file": f"far.{ending}"}}}})],
           "/colliders/c/shape/mesh/file", "expected coordinates of at most 1e9 m")
    expect(2, ["mesh", f"far.{ending}", "-o", "out.vtu", "--cell", "0.1"], f"far.{ending}", "smallest cell that fits")
pathlib.Path("nan.stl").write_bytes(bytes(80) + struct.pack("<I12fH", 1, 0, 0, 1, 0, 0, 0, 1, 0, float("nan"), 0, 1, 0, 0))
expect(2, ["mesh", "nan.stl", "-o", "out.vtu", "--cell", "0.1"], "nan.stl", "expected a finite number")
expect(2, ["mesh", write("huge.obj", cube(1e300)), "-o", "out.vtu", "--cell", "0.1"], "huge.obj", "1e+70")
expect(2, ["mesh", write("away.obj", cube(1.0, LIGHT_YEAR)), "-o", "out.vtu", "--cell", "0.1"], "away.obj", "no area")
tets = ("MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 1\n1e16 0 0 1\n0 1e16 0 1\n0 0 1e16 1\n"
        "Tetrahedra 1\n1 2 3 4 1\nEnd\n")
pathlib.Path("far.mesh").write_text(tets)
expect(2, ["run", scene(file="far.mesh"), "-o", fresh("far")], "/bodies/b/mesh/file", "1e16", "at most 1e9 m")
expect(0, ["check", write_scene("small.json", attach=[], bodies={
    "b": {"mesh": {"file": "far.mesh", "unit": "mm"}, "place": {"scale": 1e-6},
          "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}})])
finish()
