"""The command `sinew`, for what is done by processes of their own.

    tool.run("batch", "status", "data", "--json").stdout
"""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

from .errors import Error, FileError, InputError, NotBuiltInError

_KINDS = {2: InputError, 4: FileError, 5: NotBuiltInError}


def path() -> str:
    """Of the command: SINEW_TOOL, else that of the build or of the installation that this package is part of, else on PATH."""
    named = os.environ.get("SINEW_TOOL")
    if named:
        return named
    package = pathlib.Path(__file__).resolve().parent
    for candidate in (package / "bin" / "sinew", package.parents[1] / "bin" / "sinew",
                      pathlib.Path(sys.prefix) / "bin" / "sinew"):
        if os.access(candidate, os.X_OK):
            return str(candidate)
    found = shutil.which("sinew")
    if not found:
        raise NotBuiltInError("the command sinew is not found; name it in SINEW_TOOL")
    return found


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Waits for the command; what it complains about becomes an exception."""
    done = subprocess.run([path(), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise failure(done)
    return done


def failure(done: subprocess.CompletedProcess[str]) -> Error:
    text = done.stderr.strip()
    if done.returncode < 0:
        text = f"sinew was ended by signal {-done.returncode}" + (f"\n{text}" if text else "")
    return _KINDS.get(done.returncode, Error)(text.removeprefix("error: ") or f"exit code {done.returncode}")
