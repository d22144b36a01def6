"""Many of the allocations of each command fail: an error that says so, never a crash, whole files."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from failing import *

fail_allocations(0.1)
fail_allocations(0.03, lasting=True)
finish()
