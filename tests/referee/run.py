#!/usr/bin/env python3
"""Solves cases with Sinew and with other programs, compares all fields, and prints a table.

    run.py TOOL MESHES [CASE.PROGRAM...]     all by default; files go to folders in the working folder

Exit code 0: all agree, 1: some do not, 77: there was nothing to compare.
"""
import pathlib
import sys

SKIPPED = 77

try:
    import meshio  # also brings numpy
except ImportError as error:
    print(f"skipped: {error} (Debian: python3-meshio)")
    sys.exit(SKIPPED)

import calculix
import fenicsx
import sinew_program
from answer import FIELDS, differences
from cases import CASES

PROGRAMS = [calculix, fenicsx]


def row(case, program, law, found, verdict):
    values = "".join(f"{found[field]:14.1e}" for field in FIELDS)
    return f"{case.name:11}{program.NAME:10}{law:16}{values}   {verdict}"


def compare(tool, meshes, case, program):
    """(rows of the table, whether all is as it should be)"""
    rows, fine, ours, theirs = [], True, {}, {}
    for law in program.LAWS:
        folder = pathlib.Path(f"{case.name}.{program.NAME}.{law}").absolute()
        points, tets, ours[law] = sinew_program.solve(tool, case, law, meshes, folder)
        theirs[law] = program.solve(case, law, points, tets, folder)
        found = differences(ours[law], theirs[law])
        agreed = all(found[field] <= program.TOLERANCE[field] for field in FIELDS)
        fine = fine and agreed
        rows.append(row(case, program, law, found, "agrees" if agreed else "DIFFERS"))
    if len(program.LAWS) > 1:  # the comparison must be able to fail
        one, other = program.LAWS[:2]
        found = differences(ours[one], theirs[other])
        # The force may be the weight under either law.
        apart = all(found[field] > 1e-4 for field in FIELDS if field != "force")
        fine = fine and apart
        rows.append(row(case, program, f"{one} / {other}", found, "apart, as it must be" if apart else "NOT APART"))
    return rows, fine


def main():
    tool, meshes, wanted = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]), sys.argv[3:]
    pairs = {f"{case.name}.{program.NAME}": (case, program)
             for case in CASES for program in PROGRAMS if case.elements in program.ELEMENTS}
    if unknown := set(wanted) - set(pairs):
        sys.exit(f"no case {', '.join(unknown)}; there are {', '.join(pairs)}")
    table, fine = [], True
    for name in wanted or pairs:
        case, program = pairs[name]
        if reason := program.missing() or sinew_program.missing(case, meshes):
            print(f"{name} skipped: {reason}")
            continue
        rows, agreed = compare(tool, meshes, case, program)
        table += rows
        fine = fine and agreed
    if not table:
        return SKIPPED
    print("Largest difference over the largest value of the field:")
    print(f"{'case':11}{'program':10}{'law':16}" + "".join(f"{field:>14}" for field in FIELDS))
    print("\n".join(table))
    return 0 if fine else 1


sys.exit(main())
