"""Some of the writes of a run, a conversion, an export and a data set fail: an error that names the file, whole files, and on."""
import errno
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from failing import *

fail_writes_of_a_run(23, errno.ENOSPC)
fail_writes_of_convert(5, errno.EIO)
fail_writes_of_export(5, errno.EIO)
fail_writes_of_batch(5, errno.ENOSPC)
finish()
