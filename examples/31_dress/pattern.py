"""Writes dress.vtu: the flat patterns of a sleeveless dress, two panels that stand around a body.

    python3 pattern.py dress.vtu

Each panel is a grid whose rows run from the hem to the shoulders; above the neckline it has two straps. The texture
coordinates are the pattern in metres, the positions lie on a half cone around the body. Groups name the borders to be sewn.
"""
import math
import sys

COLUMNS, ROWS, STRAP_ROWS, SCOOP_ROWS = 12, 12, 5, 1
STRAP = 3  # columns of a strap
ARMPIT, STRAP_LENGTH = 0.75, 0.33  # heights in the pattern [m]
SIDE_RISE = 0.05  # of the hem, towards the sides [m]
HEM_AT, ARMPIT_AT, SHOULDER_AT = 0.52, 1.27, 1.515  # heights in space [m]


def half_width(v):
    """Of the pattern at height v: flared below the waist."""
    waist = 0.52
    return 0.245 + (0.16 * ((waist - v) / waist) ** 1.5 if v < waist else 0.05 * (v - waist))


def row(r):
    """Of a panel: its columns, each with (u, v)."""
    if r <= ROWS:
        v = ARMPIT * r / ROWS
        w = half_width(v)
        across = [2 * c / COLUMNS - 1 for c in range(COLUMNS + 1)]
        return [(c, w * s, v + SIDE_RISE * s * s * (1 - v / ARMPIT)) for c, s in enumerate(across)]
    t = (r - ROWS) / (SCOOP_ROWS + STRAP_ROWS)
    v = ARMPIT + STRAP_LENGTH * t
    outer = 0.15 + (half_width(ARMPIT) - 0.15) * max(0, 1 - t / 0.55) ** 2
    if r < ROWS + SCOOP_ROWS:
        return [(c, outer * (2 * c / COLUMNS - 1), v) for c in range(COLUMNS + 1)]
    inner = outer * (1 - 2 * STRAP / COLUMNS) if r == ROWS + SCOOP_ROWS else 0.09
    strap = [(c, -outer + (outer - inner) * c / STRAP, v) for c in range(STRAP + 1)]
    other = [(COLUMNS - c, -u, v) for c, u, v in reversed(strap)]
    if r > ROWS + SCOOP_ROWS:
        return strap + other
    middle = [(c, inner * (2 * (c - STRAP) / (COLUMNS - 2 * STRAP) - 1), v) for c in range(STRAP + 1, COLUMNS - STRAP)]
    return strap + middle + other


def place(u, v, front):
    """In space: around a cone up to the armpit, then over the shoulder on a quarter of an ellipse."""
    up = min(max((v - ARMPIT) / STRAP_LENGTH, 0), 1)
    w = half_width(min(v, ARMPIT))
    radius = 2 * w / math.pi
    angle = math.pi / 2 * max(-1, min(1, u / w))
    x, z = radius * math.sin(angle), radius * math.cos(angle)
    if up == 0:
        y = HEM_AT + (ARMPIT_AT - HEM_AT) * v / ARMPIT
    else:
        y = ARMPIT_AT + (SHOULDER_AT - ARMPIT_AT) * math.sin(math.pi / 2 * up)
        z *= math.cos(math.pi / 2 * up)
        x += (u - x) * up
    return x, y, z if front else -z


def main(path):
    points, triangles, texture, groups = [], [], [], {}
    for front in (True, False):
        name, number = ("front" if front else "back"), {}
        flat = {}
        rows = ROWS + SCOOP_ROWS + STRAP_ROWS
        for r in range(rows + 1):
            for c, u, v in row(r):
                number[r, c] = len(points)
                flat[len(points)] = (u if front else -u, v)
                points.append(place(u, v, front))
                borders = []
                if r <= ROWS and c in (0, COLUMNS):
                    borders.append("left" if c == 0 else "right")
                if r == rows:
                    borders.append("left_shoulder" if c <= STRAP else "right_shoulder")
                for border in borders:
                    groups.setdefault(f"{name}_{border}", []).append(number[r, c])
        for r in range(rows):
            for c in range(COLUMNS):
                corners = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
                if r >= ROWS + SCOOP_ROWS and STRAP <= c < COLUMNS - STRAP:
                    continue
                a, b, d, e = (number[k] for k in corners)
                for t in ((a, b, d), (a, d, e)) if (r + c) % 2 == 0 else ((a, b, e), (b, d, e)):
                    triangles.append(t if front else (t[0], t[2], t[1]))
                    texture.append([x for k in triangles[-1] for x in flat[k]])

    def array(kind, name, rows, width, form):
        lines = "\n".join(" ".join(form % x for x in each) for each in rows)
        return (f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{width}" format="ascii">\n'
                f"{lines}\n</DataArray>\n")

    members = {name: set(ids) for name, ids in groups.items()}
    with open(path, "w") as out:
        out.write('<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian">\n'
                  f'<UnstructuredGrid><Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(triangles)}">\n')
        out.write("<Points>\n" + array("Float64", "Points", points, 3, "%.5g") + "</Points>\n<Cells>\n")
        out.write(array("Int64", "connectivity", triangles, 1, "%d"))
        out.write(array("Int64", "offsets", [[3 * k + 3] for k in range(len(triangles))], 1, "%d"))
        out.write(array("UInt8", "types", [[5]] * len(triangles), 1, "%d") + "</Cells>\n<PointData>\n")
        for name, ids in members.items():
            flags = [int(k in ids) for k in range(len(points))]
            out.write(array("UInt8", "group:" + name, [flags[k:k + 40] for k in range(0, len(flags), 40)], 1, "%d"))
        out.write("</PointData>\n<CellData>\n" + array("Float64", "texture", texture, 6, "%.5g"))
        out.write("</CellData>\n</Piece></UnstructuredGrid></VTKFile>\n")


main(sys.argv[1])
