"""Exceptions. Every mistake that the library finds is a sinew.Error that says where, what was found and what was expected.

    try: ...
    except sinew.Error as error: print(error.path, error.what)
"""
from __future__ import annotations

from typing import Optional, Sequence


class Error(Exception):
    """Something that Sinew refuses.

    where     the file and the place in it, or empty
    path      the path inside a scene, such as /bodies/block/density, or empty
    what      what was found, and what was expected
    problems  all problems of a scene, each an Error; of a single one, itself
    """

    def __init__(self, what: str, where: str = "", path: str = "", problems: Optional[Sequence[Error]] = None) -> None:
        super().__init__(": ".join(part for part in (where, path, what) if part))
        self.what = what
        self.where = where
        self.path = path
        self.problems = list(problems) if problems else [self]

    def __str__(self) -> str:
        if len(self.problems) > 1:
            return "\n".join(str(problem) for problem in self.problems)
        return str(self.args[0])


class InputError(Error, ValueError):
    """A value, a scene or the content of a file is not what it should be."""


class FileError(Error, OSError):
    """A file cannot be opened, read or written, or memory ran out."""


class NotBuiltInError(Error, NotImplementedError):
    """An optional part is missing in this build."""


_KINDS = {"usage": InputError, "input": InputError, "io": FileError, "not_built_in": NotBuiltInError}


def make(kind: str, where: str, path: str, what: str) -> Error:
    return _KINDS[kind](what, where, path)


def make_list(problems: Sequence[Error]) -> Error:
    """One exception of several problems: of the kind and with the place of the first."""
    first = problems[0]
    if len(problems) == 1:
        return first
    return type(first)(first.what, first.where, first.path, problems)
