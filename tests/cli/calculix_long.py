"""CalculiX runs decks made of our .inp files: a bar that hangs under its own weight, in tets of first and second
order. With Poisson's ratio 0 and no motion sideways u(x) = rho g / E (L x - x^2 / 2), a quadratic, which tets of
second order hold exactly at every node, those on edges too."""
import itertools
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

if not shutil.which("ccx"):
    sys.exit(77)

LENGTH, CELLS = 2.0, (8, 2, 2)
YOUNG, DENSITY, GRAVITY = 1e6, 1000.0, 9.81


def box():
    """Points and tets; each cell is cut along its diagonal, a tet for each order of the axes."""
    nx, ny, nz = CELLS
    number = lambda i, j, k: i + (nx + 1) * (j + (ny + 1) * k)
    points = [(LENGTH * i / nx, 0.5 * j / ny, 0.5 * k / nz)
              for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)]
    tets = []
    for cell in itertools.product(range(nx), range(ny), range(nz)):
        for order in itertools.permutations(range(3)):
            at, tet = list(cell), [number(*cell)]
            for axis in order:
                at[axis] += 1
                tet.append(number(*at))
            tets.append(tet)
    return points, tets


def with_edge_nodes(points, tets):
    points, node, cells = list(points), {}, []
    for tet in tets:
        cell = list(tet)
        for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)):
            key = tuple(sorted((tet[a], tet[b])))
            if key not in node:
                node[key] = len(points)
                points.append(tuple((p + q) / 2 for p, q in zip(points[tet[a]], points[tet[b]])))
            cell.append(node[key])
        cells.append(cell)
    return points, cells


def write_vtk(path, points, cells):
    size = len(cells[0])
    lines = ["# vtk DataFile Version 3.0", "a bar", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double"]
    lines += [" ".join(map(repr, p)) for p in points]
    lines += [f"CELLS {len(cells)} {len(cells) * (size + 1)}"] + [" ".join(map(str, [size, *c])) for c in cells]
    lines += [f"CELL_TYPES {len(cells)}"] + [str({4: 10, 10: 24}[size])] * len(cells)
    lines += [f"POINT_DATA {len(points)}", "FIELD FieldData 1", f"group:the%20wall 1 {len(points)} unsigned_char"]
    lines += ["1" if p[0] == 0 else "0" for p in points]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def write_medit(path, points, tets):
    lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(points))]
    lines += [" ".join(map(repr, p)) + (" 1" if p[0] == 0 else " 0") for p in points]
    lines += ["Tetrahedra", str(len(tets))] + [" ".join(str(i + 1) for i in tet) + " 0" for tet in tets] + ["End"]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def displacements(name, wall, points):
    """Adds the rest of a deck, runs it and reads what it prints."""
    deck = pathlib.Path(name + ".inp")
    deck.write_text(deck.read_text() + f"""*MATERIAL, NAME=BODY
*ELASTIC
{YOUNG}, 0
*DENSITY
{DENSITY}
*SOLID SECTION, ELSET=EALL, MATERIAL=BODY
*BOUNDARY
{wall}, 1, 1
NALL, 2, 3
*STEP
*STATIC
*DLOAD
EALL, GRAV, {GRAVITY}, 1, 0, 0
*NODE PRINT, NSET=NALL
U
*END STEP
""")
    result = subprocess.run(["ccx", name], capture_output=True, text=True, timeout=300)
    check(result.returncode == 0, f"ccx {name}: {result.stdout[-2000:]}{result.stderr[-500:]}")
    rows = [line.split() for line in pathlib.Path(name + ".dat").read_text().splitlines()]
    found = {int(row[0]): float(row[1]) for row in rows if len(row) == 4 and row[0].isdigit()}
    check(len(found) == len(points), f"{name}: {len(found)} of {len(points)} nodes in the results")
    return [found.get(i + 1, 0.0) for i in range(len(points))]


def worst(points, u):
    """The largest error, relative to the displacement of the free end."""
    scale = DENSITY * GRAVITY / YOUNG
    exact = [scale * (LENGTH * x - x * x / 2) for x, _, _ in points]
    return max(abs(a - b) for a, b in zip(u, exact)) / (scale * LENGTH**2 / 2)


points, tets = box()
write_medit("first.mesh", points, tets)
expect(0, ["convert", "first.mesh", "first.inp"], f"{len(tets)} tets")
error = worst(points, displacements("first", "REF_1", points))
print(f"C3D4: error {error:.2e}")
check(error < 0.02, f"C3D4: error {error}")

points, cells = with_edge_nodes(points, tets)
write_vtk("second.vtk", points, cells)
expect(0, ["convert", "second.vtk", "second.inp"], f"{len(tets)} tets")
error = worst(points, displacements("second", "THE_WALL", points))
print(f"C3D10: error {error:.2e}")
check(error < 1e-6, f"C3D10: error {error}")

# The skeleton of a deck at the end of the file runs once its comments are opened.
expect(0, ["convert", "second.vtk", "skeleton.inp"])
text = pathlib.Path("skeleton.inp").read_text()
head, marker, tail = text.partition("** *MATERIAL")
tail = "\n".join(line.removeprefix("** ") for line in (marker + tail).splitlines())
pathlib.Path("skeleton.inp").write_text(head + tail.replace("FIXED", "THE_WALL") + "\n")
result = subprocess.run(["ccx", "skeleton"], capture_output=True, text=True, timeout=300)
check(result.returncode == 0 and "Job finished" in result.stdout, f"the skeleton: {result.stdout[-2000:]}")
check(pathlib.Path("skeleton.frd").stat().st_size > 10000, "the skeleton writes results")
finish()
