#!/usr/bin/env python3
"""Which lines of src/ the tests ran, from a build with the preset coverage.

    coverage.py BUILD              a table by layer, and the total
    coverage.py BUILD FILE...      the lines of these files that were not run
    coverage.py BUILD --files      the files with most such lines
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TREE = pathlib.Path(__file__).resolve().parent.parent


def counts_of(data):
    """{source: {line: runs}} of one .gcda file."""
    result = subprocess.run(["gcov", "--json-format", "--stdout", data.name], cwd=data.parent, capture_output=True)
    found = collections.defaultdict(collections.Counter)
    for report in result.stdout.splitlines():
        content = json.loads(report)
        for entry in content["files"]:
            path = os.path.normpath(os.path.join(content["current_working_directory"], entry["file"]))
            if not path.startswith(f"{TREE}/src/"):
                continue
            for line in entry["lines"]:
                found[path[len(str(TREE)) + 1:]][line["line_number"]] += line["count"]
    return found


def read_counts(build):
    """Over all objects: a header's line was run if any of them ran it."""
    counts = collections.defaultdict(collections.Counter)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(counts_of, sorted(build.rglob("*.gcda"))):
            for path, lines in found.items():
                counts[path].update(lines)
    return counts


def missed(lines):
    return sorted(line for line, runs in lines.items() if runs == 0)


def percent(part, whole):
    return f"{100 * part / whole:6.1f} %" if whole else "     - "


def print_layers(counts):
    layers = collections.defaultdict(lambda: [0, 0])
    for path, lines in counts.items():
        for row in (layers[path.split("/")[1]], layers["total"]):
            row[0] += len(lines)
            row[1] += len(lines) - len(missed(lines))
    print(f"{'layer':10} {'lines':>7} {'run':>7}")
    for name in sorted(layers, key=lambda name: (name == "total", name)):
        lines, run = layers[name]
        print(f"{name:10} {lines:7} {run:7} {percent(run, lines)}")


def print_files(counts):
    for path, lines in sorted(counts.items(), key=lambda item: -len(missed(item[1])))[:40]:
        print(f"{len(missed(lines)):5} of {len(lines):5} lines not run  {path}")


def print_missed(counts, name):
    for path in (path for path in sorted(counts) if path == name or path.endswith("/" + name)):
        text = (TREE / path).read_text().splitlines()
        for line in missed(counts[path]):
            print(f"{path}:{line}: {text[line - 1].strip()}")


def main():
    counts = read_counts(pathlib.Path(sys.argv[1]).resolve())
    if not counts:
        sys.exit(f"{sys.argv[1]}: no counts; build with the preset coverage and run the tests first")
    if sys.argv[2:] == ["--files"]:
        print_files(counts)
    elif sys.argv[2:]:
        for name in sys.argv[2:]:
            print_missed(counts, name)
    else:
        print_layers(counts)


main()
