"""Each write of a run, a conversion, an export and a data set fails, alone and with all that follow it."""
import errno
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from failing import *

for code in (errno.ENOSPC, errno.EIO):
    fail_writes_of_a_run(1, code)
    fail_writes_of_convert(1, code)
    fail_writes_of_export(1, code)
    fail_writes_of_batch(1, code)
fail_writes_of_a_run(1, errno.ENOSPC, lasting=True)
finish()
