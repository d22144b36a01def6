"""One state hash for any number of threads: every example to its end."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from thread_hashes import compare_threads

compare_threads(None)
