"""Ten runs killed at random times, several times each."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from killing import kill_runs

kill_runs(10)
