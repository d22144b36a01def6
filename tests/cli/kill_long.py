"""Runs killed at random times, 200 times in all."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from killing import kill_runs

kill_runs(200, kills_a_run=10)
