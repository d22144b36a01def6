"""Calls that fail: the n-th write or allocation of the tool, by the preloaded library failing_calls.cpp.

The library lies beside the tool; where it is missing (in a sanitizer build) the scripts are skipped.
"""
import atexit
import errno
import itertools
import os
import pathlib
import shutil
import tempfile

from data_sets import BENT, final_files, write_study
from sinew_tool import *

LIBRARY = pathlib.Path(TOOL).parent / "failing_calls.so"
WRITING = "open,write,fsync,rename,close,mkdir"
TINY = {**BEAM, "time": {"fps": 60, "frames": 2}, "output": {"checkpoint_every": 1},
        "bodies": {"beam": {**BEAM["bodies"]["beam"], "mesh": {"box": {"size": [2, 1, 1], "cells": [2, 1, 1]}}}}}

if not LIBRARY.exists():
    print(f"skipped: no {LIBRARY}")
    sys.exit(77)
if os.access("/dev/shm", os.W_OK):  # in memory: every file is synced, and there are thousands
    scratch = tempfile.mkdtemp(prefix="sinew_", dir="/dev/shm")
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    os.chdir(scratch)


def failing(arguments, calls, n, error=errno.ENOSPC, lasting=False):
    """Runs the tool with the n-th call failing. The outcome, and the call that failed: None where there were fewer."""
    environment = {**os.environ, "LD_PRELOAD": str(LIBRARY), "FAIL_CALLS": calls, "FAIL_AT": str(n),
                   "FAIL_ERROR": str(error)}
    if lasting:
        environment["FAIL_LASTING"] = "1"
    outcome = sinew(*arguments, env=environment)
    marker = outcome.stderr.find("[failed: ")
    failed = outcome.stderr[marker + 9:].split("]")[0] if marker >= 0 else None
    return outcome, failed


def numbers(stride):
    """1, 2, 3, ... or, with a stride, the first few and then every so many."""
    return itertools.count(1) if stride == 1 else itertools.chain(range(1, 4), itertools.count(4, stride))


def check_clean(folder):
    """Whole files, sums that hold, nothing unfinished."""
    if not pathlib.Path(folder).exists():
        return
    check_folder(folder)
    check_sums(folder)
    left = [str(path) for path in pathlib.Path(folder).rglob("*.tmp.*")]
    check(not left, f"unfinished files are left: {left}")


def fail_writes_of_a_run(stride, error, lasting=False):
    """Every n-th write of a run fails; --resume then goes on to the same state."""
    scene = write_scene("tiny.json", TINY)
    expect(0, ["run", scene, "-o", fresh("reference"), "--quiet", "--threads", 1])
    count = 0
    for n in numbers(stride):
        arguments = ["run", scene, "-o", fresh("out"), "--quiet", "--threads", 1]
        outcome, failed = failing(arguments, WRITING, n, error, lasting)
        if not failed:
            check(outcome.returncode == 0, f"no call {n}, but exit {outcome.returncode}")
            break
        count += 1
        shown = f"{failed}, call {n}: exit {outcome.returncode}\n{outcome.stderr}"
        check(outcome.returncode == 4, shown)
        check(os.strerror(error) in outcome.stderr and "error: out" in outcome.stderr, shown)
        check_clean("out")
        expect(0, ["run", scene, "-o", "out", "--resume", "--quiet", "--threads", 1])
        check(state_hash("out") == state_hash("reference"), f"another state after {shown}")
        check_clean("out")
        expect(0, ["diff", "reference", "out"], "the same to the last bit")
    print(f"run: {count} calls failed with {os.strerror(error)}{', and all after them' if lasting else ''}")


def fail_writes_of_convert(stride, error):
    """The file that is there stays, or the new one is whole."""
    box = write_scene("box.json", TINY, time={"fps": 60, "frames": 1})
    expect(0, ["run", box, "-o", fresh("mesh"), "--quiet"])
    source, older = "mesh/vtk/beam_00001.vtu", "mesh/vtk/beam_00000.vtu"
    for name in ("a.mesh", "a.msh", "a.node", "a.vtu", "a.vtk", "a.inp", "a.obj", "a.ply", "a.stl", "a.off"):
        files = [name, "a.ele"] if name == "a.node" else [name]

        def content():
            return [pathlib.Path(file).read_bytes() for file in files]

        expect(0, ["convert", source, name])
        new = content()
        count = 0
        for n in numbers(stride):
            expect(0, ["convert", older, name])
            old = content()
            outcome, failed = failing(["convert", source, name], WRITING, n, error)
            if not failed:
                break
            count += 1
            shown = f"convert to {name}, {failed}, call {n}: exit {outcome.returncode}\n{outcome.stderr}"
            check(outcome.returncode == 4 and os.strerror(error) in outcome.stderr, shown)
            check(any(file in outcome.stderr for file in files), shown)
            check(all(now in pair for now, *pair in zip(content(), old, new)), f"neither old nor new: {shown}")
            check(not list(pathlib.Path(".").glob("*.tmp.*")), f"unfinished files are left: {shown}")
        check(count > 0 and content() == new, f"convert to {name}: {count} calls failed, then it differs")
    print(f"convert: calls failed with {os.strerror(error)}")


def fail_writes_of_export(stride, error):
    """Files for other programs are whole or not there."""
    scene = write_scene("tiny.json", TINY, output={"export": []})
    expect(0, ["run", scene, "-o", fresh("stored"), "--quiet"])
    for name in ("glb", "glb_frames", "mdd", "npz", "obj", "pc2", "ply", "usda"):
        expect(0, ["export", "stored", "--format", name, "-o", fresh("whole"), "--quiet"])
        whole = {p.relative_to("whole"): p.read_bytes() for p in pathlib.Path("whole").rglob("*") if p.is_file()}
        count = 0
        for n in numbers(stride):
            outcome, failed = failing(["export", "stored", "--format", name, "-o", fresh("made"), "--quiet"], WRITING, n, error)
            if not failed:
                break
            count += 1
            shown = f"export {name}, {failed}, call {n}: exit {outcome.returncode}\n{outcome.stderr}"
            check(outcome.returncode == 4 and os.strerror(error) in outcome.stderr, shown)
            for path in pathlib.Path("made").rglob("*"):
                check(path.is_dir() or whole.get(path.relative_to("made")) == path.read_bytes(), f"{path} after {shown}")
        check(count > 0, f"export {name}: no call failed")
    print(f"export: calls failed with {os.strerror(error)}")


def fail_writes_of_batch(stride, error):
    """Writes of a worker or of its parent fail; the same command then goes on to the same bytes."""
    write_scene("scene.json", BENT)
    study = write_study("study.json", samples=4, shard=2)
    expect(0, ["batch", study, "-o", fresh("reference"), "--jobs", 1, "--quiet"])
    whole = final_files("reference")
    count = 0
    for n in numbers(stride):
        outcome, failed = failing(["batch", study, "-o", fresh("out"), "--jobs", 1, "--quiet"], WRITING, n, error)
        if not failed:
            break
        count += 1
        shown = f"batch, {failed}, call {n}: exit {outcome.returncode}\n{outcome.stderr}"
        # What cannot be written to the log, or told to the parent, is no error.
        check(outcome.returncode == 0 or (outcome.returncode == 4 and os.strerror(error) in outcome.stderr), shown)
        check(outcome.returncode == 4 or final_files("out") == whole, f"other files after {shown}")
        expect(0, ["batch", study, "-o", "out", "--jobs", 1, "--quiet"])
        check(final_files("out") == whole, f"other files, gone on after {shown}")
    check(count > 0, "batch: no call failed")
    print(f"batch: {count} calls failed with {os.strerror(error)}")


def fail_allocations(share, lasting=False):
    """Allocations of each command fail: it says so and ends with 4, or finds another way to the right end.

    A share of them, evenly spread; the command line itself, which is the same for all, once.
    """
    scene = write_scene("tiny.json", TINY)
    expect(0, ["run", scene, "-o", fresh("reference"), "--quiet", "--threads", 1])
    mesh = "reference/vtk/beam_00002.vtu"
    commands = [["version"], ["check", scene], ["info", "reference/checkpoint.bin"], ["diff", "reference", "reference"],
                ["run", scene, "-o", "out", "--quiet", "--threads", 1],
                ["run", scene, "-o", "out", "--quiet", "--threads", 3],
                ["export", "reference", "-o", "out", "--format", "glb,mdd,npz,ply,usda", "--quiet", "--threads", 1]]
    for ending in ("mesh", "msh", "node", "vtu", "vtk", "inp", "obj", "ply", "stl", "off"):
        expect(0, ["convert", mesh, f"given.{ending}"])
        commands.append(["convert", f"given.{ending}", f"made.{ending}"])
    commands.append(["mesh", "given.obj", "-o", "made.vtu", "--cell", "0.4", "--embedding", "made.npz", "--threads", 1])
    setup = 0
    for command in commands:
        shown = " ".join(map(str, command))
        fresh("out")
        whole, _ = failing(command, "malloc", 0)
        check(whole.returncode == 0, f"{shown}: exit {whole.returncode}")
        last = int(whole.stderr.split("[calls: ")[1].split("]")[0])
        tried = recovered = 0
        for n in range(setup + 1, last + 1, max(1, round(1 / share))):
            fresh("out")
            outcome, failed = failing(command, "malloc", n, lasting=lasting)
            if not failed:
                continue  # with threads the number varies a little
            tried += 1
            problem = f"{shown}, allocation {n}: exit {outcome.returncode}\n{outcome.stderr}"
            if outcome.returncode == 0:
                recovered += 1
                check(command[0] == "run" or outcome.stdout == whole.stdout, problem)
                check(command[0] != "run" or state_hash("out") == state_hash("reference"), problem)
            elif "libgomp" not in outcome.stderr:  # which ends the program, at the first use of CHOLMOD
                check(outcome.returncode == 4 and "out of memory" in outcome.stderr, problem)
            check_clean("out")
            check(not list(pathlib.Path(".").glob("*.tmp.*")), f"unfinished files are left: {problem}")
        check(tried > recovered, f"{shown}: {tried} allocations failed, {recovered} without effect")
        print(f"{shown}: {tried} of {last - setup} allocations failed, {recovered} without effect")
        setup = setup or last - 50  # those of the command line alone, but a few
