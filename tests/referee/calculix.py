"""CalculiX: C3D4 or C3D10, NLGEOM, *HYPERELASTIC, NEO HOOKE, which is NHdec with C10 = mu/2 and D1 = 2/kappa.

Its tables have seven digits. RF holds the nodal internal force, so that the share of gravity that acts on held
nodes is taken off to get what the hold exerts.
"""
import shutil
import subprocess

import numpy

from answer import answer

NAME = "calculix"
LAWS = ["NHdec"]
ELEMENTS = ["linear", "quadratic"]
TOLERANCE = {"displacement": 1e-6, "stress": 1e-5, "force": 1e-6, "moment": 1e-5}


def missing():
    return None if shutil.which("ccx") else "ccx is not installed (Debian: calculix-ccx)"


def deck(case, points, tets):
    lame, mu = case.lame
    lines = ["*NODE, NSET=NALL"]
    # Of a number 20 columns are read.
    lines += [f"{i + 1}," + ",".join(f"{v:.13e}" for v in p) for i, p in enumerate(points)]
    lines += [f"*ELEMENT, TYPE=C3D{tets.shape[1]}, ELSET=EALL"]
    lines += [f"{i + 1}," + ",".join(str(n + 1) for n in t) for i, t in enumerate(tets)]
    for name, hold in case.holds.items():
        lines += [f"*NSET, NSET={name}"] + [f"{n + 1}," for n in hold.nodes(points)]
    lines += ["*MATERIAL, NAME=LAW", "*HYPERELASTIC, NEO HOOKE", f"{mu / 2:.13e},{2 / (lame + 2 * mu / 3):.13e}",
              "*DENSITY", f"{case.density:.13e}", "*SOLID SECTION, ELSET=EALL, MATERIAL=LAW",
              "*STEP, NLGEOM, INC=1000", "*STATIC, DIRECT", f"{1 / case.increments},1.",
              "*CONTROLS, PARAMETERS=TIME INCREMENTATION", "20,40,40,60,50,20", "",
              "*CONTROLS, PARAMETERS=FIELD", "1e-10,1e-9,,,1e-10,1e-12,1e-9,1e-10",
              "*BOUNDARY"]
    for hold in case.holds.values():
        for n, u in zip(hold.nodes(points), hold.displacement(points, 1)):
            lines += [f"{n + 1},{k + 1},{k + 1},{u[k]:.13e}" for k in range(3)]
    strength = numpy.linalg.norm(case.gravity)
    if strength:
        lines += ["*DLOAD", f"EALL,GRAV,{strength:.13e}," + ",".join(f"{g / strength:.13e}" for g in case.gravity)]
    lines += ["*NODE PRINT, NSET=NALL, FREQUENCY=1000", "U,RF", "*EL PRINT, ELSET=EALL, FREQUENCY=1000", "S",
              "*END STEP"]
    return "\n".join(lines) + "\n"


def tables(text):
    """The number blocks of a .dat file by the first word of their titles; the last of each name stays."""
    found, rows = {}, None
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if words[0][0].isalpha():
            rows = found[words[0]] = []
        else:
            rows.append([float(w) for w in words])
    return {name: numpy.array(rows) for name, rows in found.items()}


def solve(case, law, points, tets, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.inp").write_text(deck(case, points, tets))
    with open(folder / "log.txt", "w") as log:
        subprocess.run(["ccx", "case"], cwd=folder, stdout=log, stderr=log, check=True)
    table = tables((folder / "case.dat").read_text())
    nodal = table["forces"][:, 1:]
    if any(case.gravity):  # of linear tets
        edges = points[tets[:, 1:]] - points[tets[:, :1]]
        share = numpy.zeros(len(points))
        numpy.add.at(share, tets, case.density * numpy.abs(numpy.linalg.det(edges))[:, None] / 24)
        nodal = nodal - share[:, None] * numpy.array(case.gravity)
    # Columns: element, point, xx yy zz xy xz yz. The mean over the points of a tet is its stress.
    stress = table["stresses"][:, [2, 3, 4, 5, 7, 6]].reshape(len(tets), -1, 6).mean(axis=1)
    return answer(case, points, table["displacements"][:, 1:], stress, nodal)
