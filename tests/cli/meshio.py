"""Meshes through meshio, through `sinew convert`, and back through meshio: the numbers must be the same.

A format is one line in FORMATS; both programs must know it. Skipped where meshio is missing.
"""
import dataclasses
import pathlib
import sys

sys.path[0] = str(pathlib.Path(__file__).parent / "shared")  # this script has the name of the module that it needs
try:
    import meshio
    import numpy
except ImportError:
    print("meshio is missing")
    sys.exit(77)
from sinew_tool import *


@dataclasses.dataclass
class Format:
    ending: str
    written_as: list  # by meshio: (file_format, options, what its digits lose)
    tets: bool = True
    second_order: bool = False
    data: bool = False  # attributes are kept


FORMATS = [
    Format("msh", [("gmsh", {}, 0), ("gmsh", {"binary": False}, 0),
                   ("gmsh22", {}, 0), ("gmsh22", {"binary": False}, 0)],
           second_order=True, data=True),
    Format("vtu", [("vtu", {}, 0), ("vtu", {"binary": False}, 1e-10), ("vtu", {"compression": None}, 0)],
           second_order=True, data=True),
]

EDGES = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]


def grid(n):
    """A cube of n^3 cells, six tets each."""
    points = numpy.array([(x, y, z) for z in range(n + 1) for y in range(n + 1) for x in range(n + 1)], float) / 3
    corner = [0, 1, n + 2, n + 1]
    corner += [c + (n + 1) ** 2 for c in corner]
    split = [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)]
    cells = [[x + (n + 1) * (y + (n + 1) * z) + corner[k] for k in tet]
             for z in range(n) for y in range(n) for x in range(n) for tet in split]
    return points, numpy.array(cells)


def with_edges(points, cells):
    """Adds a node to every edge, off its middle."""
    points, ids, rows = list(points), {}, []
    for cell in cells:
        row = list(cell)
        for a, b in EDGES:
            key = tuple(sorted((cell[a], cell[b])))
            if key not in ids:
                ids[key] = len(points)
                points.append(0.52 * points[key[0]] + 0.48 * points[key[1]])
            row.append(ids[key])
        rows.append(row)
    return numpy.array(points), numpy.array(rows)


def sample(kind, data):
    points, cells = grid(2)
    if kind == "triangle":
        points, cells = points[:9], numpy.array([[0, 1, 4], [0, 4, 3], [4, 5, 8], [4, 8, 7]])
    elif kind == "tetra10":
        points, cells = with_edges(points, cells)
    random = numpy.random.default_rng(1)
    fields = {"heat": random.random(len(points)), "push": random.random((len(points), 3))}
    values = {"young": [random.random(len(cells))], "strain": [random.random((len(cells), 9))]}
    return meshio.Mesh(points, [(kind, cells)], point_data=fields if data else {}, cell_data=values if data else {})


def of_kind(mesh, kind, name=None):
    """Cells of a kind, or their data, from all blocks."""
    rows = [mesh.cell_data[name][i] if name else block.data for i, block in enumerate(mesh.cells) if block.type == kind]
    return numpy.concatenate(rows) if rows else numpy.zeros((0, 0))


def close(a, b, tolerance):
    """Some formats give a column where there was a list."""
    return a.size == b.size and (tolerance or a.tobytes() == b.astype(a.dtype).tobytes()) and \
        numpy.abs(a.ravel() - b.ravel()).max(initial=0) <= tolerance


def compare(found, expected, kind, data, tolerance, what):
    check(close(found.points, expected.points, tolerance), what + ": points")
    check(close(of_kind(found, kind), expected.cells[0].data, 0), what + ": cells")
    if not data:
        return
    for name, values in expected.point_data.items():
        check(name in found.point_data and close(found.point_data[name], values, tolerance), f"{what}: {name}")
    for name, values in expected.cell_data.items():
        check(name in found.cell_data and close(of_kind(found, kind, name), values[0], tolerance), f"{what}: {name}")


def round_trip(form, kind):
    mesh = sample(kind, form.data)
    for number, (file_format, options, tolerance) in enumerate(form.written_as):
        what = f"{kind} as {file_format} {options}"
        there, back = f"{kind}_{number}.{form.ending}", f"{kind}_{number}_back.{form.ending}"
        meshio.write(there, mesh, file_format=file_format, **options)
        expect(0, ["convert", there, back])
        compare(meshio.read(back), mesh, kind, form.data, tolerance, what)
    again = f"{kind}_again.{form.ending}"
    expect(0, ["convert", back, again])
    check(pathlib.Path(again).read_bytes() == pathlib.Path(back).read_bytes(), what + ": converted twice")


for form in FORMATS:
    for kind in ["triangle"] + ["tetra"] * form.tets + ["tetra10"] * form.second_order:
        round_trip(form, kind)

# Groups from .vtu to .msh and back. Some blocks of cells are in no group.
mesh = sample("tetra", True)
tets = len(mesh.cells[0].data)
left = (mesh.points[:, 0] == 0).astype(numpy.uint8)
first = (numpy.arange(tets) < 10).astype(numpy.uint8)
second = (numpy.arange(tets) % 7 == 2).astype(numpy.uint8)
mesh.point_data["group:left side"] = left
mesh.cell_data["group:first"] = [first]
mesh.cell_data["group:every seventh"] = [second]
meshio.write("groups.vtu", mesh)
expect(0, ["convert", "groups.vtu", "groups.msh"])
found = meshio.read("groups.msh")
compare(found, sample("tetra", True), "tetra", True, 0, "groups")
sets = {name: sum(map(len, blocks)) for name, blocks in found.cell_sets.items() if not name.startswith("gmsh:")}
check(sets == {"first": first.sum(), "every seventh": second.sum(), "left side": left.sum(),
               "(no group)": tets - (first | second).sum()}, f"groups: {sets}")
expect(0, ["convert", "groups.msh", "groups_back.vtu"])
found = meshio.read("groups_back.vtu")
check(sorted(found.point_data) == sorted(mesh.point_data), "groups: " + str(sorted(found.point_data)))
check(sorted(found.cell_data) == sorted(mesh.cell_data), "groups: " + str(sorted(found.cell_data)))
check(close(found.point_data["group:left side"], left, 0), "groups: left side")
check(close(found.cell_data["group:first"][0], first, 0), "groups: first")
check(close(found.cell_data["group:every seventh"][0], second, 0), "groups: second")

# What meshio says of physical groups.
mesh = sample("tetra", False)
mesh.cell_data = {"gmsh:physical": [numpy.full(tets, 5)], "gmsh:geometrical": [numpy.full(tets, 1)]}
mesh.field_data = {"soft tissue": numpy.array([5, 3])}
meshio.write("physical.msh", mesh, file_format="gmsh22")
check(json.loads(expect(0, ["info", "physical.msh", "--json"]).stdout)["element_groups"] == ["soft tissue"], "physical")

# Order.
check(json.loads(expect(0, ["info", "tetra10_0.msh", "--json"]).stdout)["kind"] == "tet mesh, second order", "info")
finish()
