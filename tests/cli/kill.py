"""Runs killed at random times, three times in all."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from killing import kill_runs

kill_runs(3)
