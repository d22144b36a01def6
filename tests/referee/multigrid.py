#!/usr/bin/env python3
"""Our multigrid beside hypre's BoomerAMG on the same matrices, as preconditioners of conjugate gradients.

    multigrid.py OURS HYPRE [--repeats N] [--try SETTINGS ...] [CASE...]

OURS and HYPRE are the programs that multigrid_program.cpp and hypre_program.cpp make. Both are kept waiting while the other
solves, take turns, and use one thread; set-up counts. Both stop at the first iteration whose residual is 1e-8 of the right side
in the 2-norm. CASE: block, cantilever or cube, then tets, then nu, as in cube.19K.0.45; a beginning stands for all that have it.

With --try ours is left out, and hypre solves with each of these lists of settings, "coarsen=8 relax=3".

Exit code 0: both solve all cases, with the same work of the load, and ours in no more iterations than hypre where it is fastest.
Times are only printed.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

TOLERANCE = 1e-8
SAME_WORK = 1e-6
TETS = {"19K": 19000, "149K": 149000}
POISSON = ["0.30", "0.45"]
# Of about 1,500 trials, in each case the settings with which hypre is fastest, and those with which it needs the fewest iterations. Their
# names, and what holds where nothing is said, are in hypre_program.cpp.
KINDS = ["fastest", "fewest"]
SETTINGS = {
    "block.19K.0.30": {"fastest": "threshold=0.15 vectors=0",
                       "fewest": "threshold=0.7 nodal=1 keep_same_sign=1 agg=0 interp=6 p_max=0 refine=1 q_trunc=0 smooth=0 sweeps=2"},
    "block.19K.0.45": {"fastest": "threshold=0.4 vectors=0",
                       "fewest": "coarsen=8 nodal=0 nodal_diag=0 agg=0 interp=6 p_max=6 vectors=0 sweeps=2"},
    "block.149K.0.30": {"fastest": "keep_same_sign=1 vectors=0",
                        "fewest": "agg=0 vectors=0 relax=6"},
    "block.149K.0.45": {"fastest": "threshold=0.15 interp=18 vectors=0",
                        "fewest": "coarsen=8 nodal=0 nodal_diag=0 agg=0 interp=6 p_max=6 vectors=0 sweeps=2"},
    "cantilever.19K.0.30": {"fastest": "threshold=0.4 nodal=1 keep_same_sign=1 q_trunc=0.03 smooth=0",
                            "fewest": "coarsen=6 keep_same_sign=1 agg=0 interp=6 p_max=6 q_trunc=0 smooth=0 relax=6"},
    "cantilever.19K.0.45": {"fastest": "threshold=0.6 nodal=1 trunc=0.1 q_trunc=0.03",
                            "fewest": "agg=0 interp=6 p_max=6 relax=8"},
    "cantilever.149K.0.30": {"fastest": "nodal=1 keep_same_sign=1 interp=18",
                             "fewest": "coarsen=6 keep_same_sign=1 agg=0 interp=6 p_max=6 q_trunc=0 smooth=0 relax=6"},
    "cantilever.149K.0.45": {"fastest": "nodal=1 keep_same_sign=1",
                             "fewest": "nodal=1 agg=0 q_max=2 q_trunc=0"},
    "cube.19K.0.30": {"fastest": "nodal=1 nodal_diag=0 keep_same_sign=1 interp=0",
                      "fewest": "coarsen=8 threshold=0.5 nodal=1 keep_same_sign=1 agg=0 interp=6 p_max=6 refine=1 q_max=2 q_trunc=0 smooth=0 relax=8"},
    "cube.19K.0.45": {"fastest": "threshold=0.15 q_trunc=0.03",
                      "fewest": "keep_same_sign=1 agg=0 interp=0 q_max=2 q_trunc=0"},
    "cube.149K.0.30": {"fastest": "threshold=0.4 nodal=1 keep_same_sign=1 refine=1",
                       "fewest": "coarsen=8 threshold=0.5 nodal=1 keep_same_sign=1 agg=0 interp=6 p_max=6 refine=1 q_max=2 q_trunc=0 smooth=0 relax=8"},
    "cube.149K.0.45": {"fastest": "threshold=0.15 refine=1 smooth=0",
                       "fewest": "sweeps=2"},
}
CASES = [f"{body}.{tets}.{poisson}" for body in ["block", "cantilever", "cube"] for tets in TETS for poisson in POISSON]


class Program:
    """Answers a line with a line."""

    def __init__(self, *command):
        one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=os.environ | one)

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.process.args[0]} ended with {self.process.wait()}")
        return json.loads(line)

    def ask(self, line):
        print(line, file=self.process.stdin, flush=True)
        return self.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def seconds(answer):
    return answer["set_up"] + answer["solve"]


def median(answers):
    return statistics.median(seconds(answer) for answer in answers)


def verdict(a, b, kind):
    """What is wrong with our answer a and hypre's b; empty: nothing. The settings with the fewest iterations are no rule."""
    found = []
    if max(a["residual"], b["residual"]) > TOLERANCE:
        found.append("NOT SOLVED")
    if abs(a["work"] - b["work"]) > SAME_WORK * abs(a["work"]):
        found.append("DIFFERS")
    if kind == "fastest" and a["iterations"] > b["iterations"]:
        found.append("MORE ITERATIONS")
    return ", ".join(found)


def compare(name, size, ours, hypre, repeats):
    """(rows of the table, whether all is as it should be)"""
    rounds = [(ours.ask("go"), [hypre.ask(SETTINGS[name][kind]) for kind in KINDS]) for _ in range(repeats)]
    a, last = rounds[-1]
    rows, fine = [], True
    for k, (kind, b) in enumerate(zip(KINDS, last)):
        ratio = statistics.median(seconds(theirs[k]) / seconds(mine) for mine, theirs in rounds)
        wrong = verdict(a, b, kind)
        fine = fine and not wrong
        rows.append(f"{name:21}{size['unknowns']:9}{a['iterations']:7}{b['iterations']:7}"
                    f"{median([mine for mine, _ in rounds]):9.3f}{median([theirs[k] for _, theirs in rounds]):9.3f}{ratio:7.1f}"
                    f"{a['complexity']:7.2f}{b['complexity']:7.2f}   {kind} {wrong}".rstrip())
    return rows, fine


def try_settings(name, hypre, lines, repeats):
    """Rows of a table, the fastest first."""
    found = []
    for line in lines:
        answers = [hypre.ask(line) for _ in range(repeats)]
        found.append((median(answers), line, answers[-1]))
    rows = []
    for time, line, answer in sorted(found, key=lambda entry: entry[0]):
        wrong = "" if answer["residual"] <= TOLERANCE else "  NOT SOLVED"
        rows.append(f"{name:21}{answer['iterations']:7}{time:9.3f}{answer['complexity']:7.2f}  {line}{wrong}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours", type=pathlib.Path)
    parser.add_argument("hypre", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--try", dest="settings", action="append", default=[])
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    wanted = [case for case in CASES if not options.cases or any(case.startswith(text) for text in options.cases)]
    if not wanted:
        sys.exit(f"no such case; there are {', '.join(CASES)}")
    if options.settings:
        print(f"{'case':21}{'steps':>7}{'seconds':>9}{'size':>7}  settings")
    else:
        print("steps, seconds and size: ours, then hypre's; size: entries of the matrices of all levels over those of the first")
        print(f"{'case':21}{'unknowns':>9}{'steps':>14}{'seconds':>18}{'ratio':>7}{'size':>14}")
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted:
            body, tets, poisson = name.split(".", 2)
            file = pathlib.Path(folder) / "matrix"
            with Program(options.ours.absolute(), body, TETS[tets], poisson, file) as ours:
                size = ours.read()
                with Program(options.hypre.absolute(), file) as hypre:
                    if options.settings:
                        rows = try_settings(name, hypre, options.settings, options.repeats)
                    else:
                        rows, good = compare(name, size, ours, hypre, options.repeats)
                        fine = fine and good
            print("\n".join(rows), flush=True)
    return 0 if fine else 1


sys.exit(main())
