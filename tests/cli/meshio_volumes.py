"""VTK legacy and Abaqus files against meshio: what it writes we read, what we write it reads, number for number."""
import pathlib
import sys

sys.path[0] = str(pathlib.Path(__file__).parent / "shared")  # this folder has a meshio.py too
from sinew_tool import *

try:
    import meshio
    import numpy
except ImportError:
    sys.exit(77)

POINTS = numpy.array([[0, 0, 0], [1 / 3, 0, 0], [0, 0.7, 0], [0, 0, 1.1], [1 / 7, 1, 1]])
TETS = numpy.array([[0, 1, 2, 3], [1, 2, 3, 4]])
HEAT = numpy.array([0.1, 0.2, 1 / 3, 4, -5e-7])
PUSH = numpy.arange(15.0).reshape(5, 3) / 7
PART = numpy.array([3.0, 4.0])
LEFT = [0, 2, 3]


def edge_nodes(tets, points):
    """Second order: a node in the middle of each edge, in VTK's order."""
    points, node, cells = list(points), {}, []
    for tet in tets:
        cell = list(tet)
        for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)):
            key = tuple(sorted((tet[a], tet[b])))
            if key not in node:
                node[key] = len(points)
                points.append((points[tet[a]] + points[tet[b]]) / 2)
            cell.append(node[key])
        cells.append(cell)
    return numpy.array(points), numpy.array(cells)


def same(name, mesh, points, cells, kind):
    check(numpy.array_equal(mesh.points, points), f"{name}: points\n{mesh.points}")
    check([block.type for block in mesh.cells] == [kind], f"{name}: kinds {mesh.cells}")
    check(numpy.array_equal(mesh.cells[0].data, cells), f"{name}: cells\n{mesh.cells[0].data}")


def round_trip(ending, kind, points, cells, **formats):
    """meshio writes, we convert to a file of the same format, meshio reads."""
    data = {"heat": numpy.resize(HEAT, len(points)), "push": numpy.resize(PUSH, (len(points), 3))}
    if ending == "vtk":
        group = numpy.zeros(len(points), dtype=numpy.uint8)
        group[LEFT] = 1
        data["group:left"] = group
    mesh = meshio.Mesh(points, [(kind, cells)], point_data=data if ending == "vtk" else {},
                       cell_data={"part": [PART]} if ending == "vtk" else {},
                       point_sets={"LEFT": numpy.array(LEFT)} if ending == "inp" else {},
                       cell_sets={"UPPER": [numpy.array([1])]} if ending == "inp" else {})
    for name, options in formats.items():
        source, target = f"{kind}_{name}.{ending}", f"{kind}_{name}_back.{ending}"
        meshio.write(source, mesh, **options)
        expect(0, ["convert", source, target], f"{len(points)} vertices, {len(cells)} tets")
        back = meshio.read(target)
        same(target, back, points, cells, kind)
        if ending == "vtk":
            for key, values in data.items():
                check(numpy.array_equal(back.point_data[key].reshape(values.shape), values), f"{target}: {key}")
            check(numpy.array_equal(back.cell_data["part"][0].reshape(-1), PART), f"{target}: part")
        else:
            check(sorted(back.point_sets["LEFT"]) == LEFT, f"{target}: {back.point_sets}")
            check(list(back.cell_sets["UPPER"][0]) == [1], f"{target}: {back.cell_sets}")


round_trip("vtk", "tetra", POINTS, TETS, ascii42=dict(file_format="vtk42", binary=False),
           binary42=dict(file_format="vtk42", binary=True), ascii51=dict(file_format="vtk", binary=False),
           binary51=dict(file_format="vtk", binary=True))
points, cells = edge_nodes(TETS, POINTS)
round_trip("vtk", "tetra10", points, cells, binary42=dict(file_format="vtk42", binary=True),
           ascii51=dict(file_format="vtk", binary=False))
round_trip("inp", "tetra", POINTS, TETS, abaqus=dict(file_format="abaqus", float_fmt=".17g"))
round_trip("inp", "tetra10", points, cells, abaqus=dict(file_format="abaqus", float_fmt=".17g"))
finish()
