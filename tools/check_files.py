#!/usr/bin/env python3
"""Fails on files that break the rules of the tree.

Sources stay under 800 lines and every file under 1 MiB; texts end with a newline, hold no tabs and no
trailing blanks; no notes to oneself, no paths of one machine, no conflicts of a merge; no file named for
no concept; sources that a page names exist.

    check_files.py [TREE]
"""
import pathlib
import re
import subprocess
import sys

MAX_LINES = 800
MAX_BYTES = 1 << 20
SOURCES = {".h", ".cpp", ".cu", ".cuh", ".py", ".sh", ".cmake", ".ts", ".js"}
TEXTS = SOURCES | {".md", ".json", ".txt", ".in", ".yml", ".html", ".css"}
TEXT_NAMES = {"CMakeLists.txt", "dev", "run", ".clang-format", ".clang-tidy", ".gitignore"}
# Spelt in pieces, so that this file passes its own check.
NOTES = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
CONFLICT = re.compile(r"^(<{7}|>{7}) ")
MACHINE_PATHS = re.compile(r"(?<![\w.}$*-])/(wo" r"rk|ro" r"ot|ho" r"me)/\w*")
# `energy/term.h` or `tests/cli/run.py` in a page; words in capitals stand for any name.
NAMED_SOURCE = re.compile(r"`((?:[\w.-]+/)+[a-z][\w.-]*\.(?:h|cpp|py|sh|cmake|ts))`")
VAGUE_NAMES = re.compile(r"(^|_)(utils?|helpers?|manager|common|misc)(_|$)")


def tree_files(tree):
    """What git tracks or would track; without git, everything outside build folders."""
    command = ["git", "-C", str(tree), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
        paths = [pathlib.Path(name) for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path.relative_to(tree) for path in tree.glob("**/*")]
        paths = [p for p in paths if not re.match(r"build|demo-out|\.git$", p.parts[0])]
    return sorted({p for p in paths if (tree / p).is_file()})


def check_text(path, text):
    if text and not text.endswith("\n"):
        yield f"{path}: the last line has no newline"
    lines = text.splitlines()
    if path.suffix in SOURCES and len(lines) > MAX_LINES:
        yield f"{path}: {len(lines)} lines, at most {MAX_LINES}: split it by concept"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield f"{path}:{number}: a tab; indent with spaces"
        if line != line.rstrip():
            yield f"{path}:{number}: blanks at the end of the line"
        if match := NOTES.search(line):
            yield f"{path}:{number}: '{match[0]}': finish it or leave it out"
        if match := MACHINE_PATHS.search(line):
            yield f"{path}:{number}: '{match[0]}': a path of one machine"
        if CONFLICT.match(line):
            yield f"{path}:{number}: a conflict of a merge"


def check_page(path, text, sources):
    """A name is looked for from the top of the tree, from src/, from tests/ and from the folder of the page."""
    for number, line in enumerate(text.splitlines(), 1):
        for name in NAMED_SOURCE.findall(line):
            there = (folder / name for folder in (pathlib.Path(), pathlib.Path("src"), pathlib.Path("tests"), path.parent))
            if not any(place in sources for place in there) and not re.search(r"\b[A-Z]{2,}\b", name):
                yield f"{path}:{number}: '{name}': no such file"


def check(tree):
    problems = []
    files = tree_files(tree)
    sources = set(files)
    for path in files:
        size = (tree / path).stat().st_size
        if size > MAX_BYTES:
            problems.append(f"{path}: {size} bytes, at most {MAX_BYTES}")
            continue
        if any(VAGUE_NAMES.search(part) for part in (*path.parts[:-1], path.stem)):
            problems.append(f"{path}: name it for the concept it holds")
        if path.suffix in TEXTS or path.name in TEXT_NAMES:
            try:
                text = (tree / path).read_bytes().decode()
            except UnicodeDecodeError as error:
                problems.append(f"{path}: not UTF-8: {error}")
                continue
            problems.extend(check_text(path, text))
            if path.suffix == ".md":
                problems.extend(check_page(path, text, sources))
    return problems


def main():
    tree = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    problems = check(tree)
    for problem in problems:
        print(problem)
    print(f"files: {len(problems)} broken rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
