"""A worker or the parent is killed at a random time, 20 times during one data set: afterwards nothing is lost, nothing is
there twice, and the hash is that of a run that nobody disturbed."""
import os
import pathlib
import random
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *
from data_sets import *

KILLS = 20
write_scene("scene.json", BENT, bodies={"bar": {**BENT["bodies"]["bar"],
                                               "mesh": {"box": {"size": [1, 0.25, 0.25], "cells": [12, 3, 3]}}}})
study = write_study("study.json", samples=240, shard=16)


def dataset_hash(folder):
    return json.loads(expect(0, ["batch", "status", folder, "--json"]).stdout)["hash"]


def workers_of(parent):
    """Process numbers of its children."""
    try:
        return [int(pid) for pid in pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    except OSError:
        return []


start = time.monotonic()
expect(0, ["batch", study, "-o", fresh("calm"), "--jobs", 2, "--quiet"])
seconds = time.monotonic() - start
numbers = random.Random()
killed = {"worker": 0, "parent": 0}
runs = 0
while sum(killed.values()) < KILLS:
    folder = fresh("killed")
    runs += 1
    done = False
    while not done:
        process = subprocess.Popen([TOOL, "batch", study, "-o", folder, "--jobs", "2", "--quiet"], stderr=subprocess.DEVNULL)
        while True:
            try:
                process.wait(timeout=numbers.uniform(0.02, seconds / 6))
                check(process.returncode == 0, f"exit {process.returncode}")
                done = True
                break
            except subprocess.TimeoutExpired:
                pass
            if sum(killed.values()) >= KILLS:
                continue
            workers = workers_of(process.pid)
            if workers and numbers.random() < 0.6:
                os.kill(numbers.choice(workers), signal.SIGKILL)
                killed["worker"] += 1
            else:
                process.kill()
                process.wait()
                killed["parent"] += 1
                break
    check(dataset_hash(folder) == dataset_hash("calm"), "another data set after kills")
    check(final_files(folder) == final_files("calm"), "other files after kills")
    expect(0, ["batch", "verify", folder, "--solve", 2], "same bits")
print(f"{runs} data sets, killed {killed}, hash {dataset_hash('calm')}, {seconds:.1f} s undisturbed")
finish()
