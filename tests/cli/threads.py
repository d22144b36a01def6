"""One state hash for any number of threads: the first frame of every example."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from thread_hashes import compare_threads

compare_threads(1)
