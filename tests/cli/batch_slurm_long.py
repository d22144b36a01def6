"""A data set made by a Slurm job array on a real cluster, also with a task that is killed: the bytes of one worker's."""
import contextlib
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
import slurm_cluster
from sinew_tool import *
from data_sets import *

if reason := slurm_cluster.reason_against():
    print("skipped:", reason)
    sys.exit(77)

SAMPLES, SHARDS = 160, 16
bar = {"mesh": {"box": {"size": [1, 0.25, 0.25], "cells": [24, 6, 6]}}}
write_scene("scene.json", {**BENT, "bodies": {"bar": {**BENT["bodies"]["bar"], **bar}}})
write_study("study.json", samples=SAMPLES, shard=SAMPLES // SHARDS)


def content(folder):
    """The files of the data set. Scripts and logs of Slurm are no part of it."""
    return {name: data for name, data in final_files(folder).items() if not name.startswith("slurm/")}


def check_same(folder, what):
    found = content(folder)
    check(found == reference, f"{what}: not the files of one worker, but "
          f"{sorted(name for name in found.keys() | reference.keys() if found.get(name) != reference.get(name))}")


def status(folder):
    return json.loads(expect(0, ["batch", "status", folder, "--json"]).stdout)


def submit(cluster, folder, *options, code=0, texts=()):
    start = time.monotonic()
    done = expect(code, ["batch", "slurm", "study.json", "--array", "4", "-o", folder, *options], *texts,
                  env=cluster.environment)
    print(f"array of 4 to {folder}: {time.monotonic() - start:.1f} s")
    return done


def in_queue(cluster):
    return bool(cluster.run("squeue", "--noheader").stdout.strip())


def kill_busy_worker(folder):
    """Kills a task that has some samples of a shard done and others not, and more shards to come. False: there is none."""
    for lock in sorted(pathlib.Path(folder, "shards").glob("*.lock")):
        if int(lock.stem) >= SHARDS - 4:
            continue
        try:
            pid = json.loads(lock.read_text())["pid"]
            os.kill(pid, signal.SIGSTOP)  # nothing may change while we look
            busy = lock.exists() and lock.with_suffix(".journal").stat().st_size > 1000
            os.kill(pid, signal.SIGKILL if busy else signal.SIGCONT)
            if busy:
                return True
        except (FileNotFoundError, ProcessLookupError, json.JSONDecodeError):  # just finished, or just begun
            with contextlib.suppress(ProcessLookupError, NameError):
                os.kill(pid, signal.SIGCONT)
    return False


def run_whole(cluster):
    submit(cluster, fresh("array"), "--wait", "--sbatch", "--comment='two words' --time=30",
           texts=(f"{SAMPLES} of {SAMPLES} samples solved",))
    check_same("array", "an array of 4")
    check(not in_queue(cluster), "--wait waits for all jobs")
    logs = sorted(path.name for path in pathlib.Path("array/slurm").glob("*.log"))
    check(len(logs) == 5, f"a log for each task and for the collecting job: {logs}")
    expect(0, ["batch", "verify", "array"])


def run_killed(cluster):
    folder = fresh("a task dies")  # with blanks: paths are quoted
    submit(cluster, folder, texts=("squeue",))
    cluster.wait_for(lambda: kill_busy_worker(folder), "task at work")
    cluster.wait_for(lambda: not in_queue(cluster), "end of the queue", seconds=600)
    left = status(folder)
    print("after a task was killed:", left)
    check(left["complete"] < left["shards"], "the shards of the dead task are missing")
    check(left["journalled"] > 0, "what the dead task had finished is there")
    check(not left["hash"], "not collected")
    collected = next(pathlib.Path(folder, "slurm").glob("*_collect.log")).read_text()
    check("missing" in collected, f"the collecting job tells what is missing: {collected}")

    # A shard held by another machine that was not heard of for two minutes.
    missing = [s for s in range(left["shards"]) if not pathlib.Path(folder, f"shards/{s:05}.jsonl").exists()]
    gone = pathlib.Path(folder, f"shards/{missing[-1]:05}.lock")
    gone.write_text(json.dumps({"pid": 1, "system": "elsewhere", "start": "1"}))
    os.utime(gone, (time.time() - 120, time.time() - 120))
    submit(cluster, folder, "--wait", texts=(f"{SAMPLES} of {SAMPLES} samples solved",))
    check_same(folder, "after a task was killed")


def run_two_arrays(cluster):
    folder = fresh("two arrays")
    submit(cluster, folder)
    submit(cluster, folder, "--wait")
    cluster.wait_for(lambda: not in_queue(cluster), "end of the queue", seconds=600)
    check_same(folder, "two arrays at the same time")


for name, jobs in (("one", 1), ("two", 2)):
    start = time.monotonic()
    expect(0, ["batch", "study.json", "-o", fresh(name), "--jobs", jobs, "--quiet"])
    print(f"{jobs} worker(s): {time.monotonic() - start:.1f} s")
reference = content("one")
print(f"{len(reference)} files, hash {status('one')['hash']}")
check(len(reference) >= 2 * SHARDS, "the data set has its files")
check_same("two", "two workers")
with slurm_cluster.SlurmCluster(tasks=6) as running:
    print(running.run("sinfo", "--version").stdout.strip())
    run_whole(running)
    run_killed(running)
    run_two_arrays(running)
finish()
