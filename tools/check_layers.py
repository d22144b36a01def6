#!/usr/bin/env python3
"""Fails on an include that tools/layers.txt does not allow, on includes that go round it, and on files that reach a header
which the table keeps for a few, through whatever they include.

    check_layers.py [TREE]
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
INCLUDE_ALL = re.compile(INCLUDE.pattern, re.M)
SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".in"}


def read_table(path):
    """{layer: set of layers it may include}, lowest layer first."""
    table = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("only "):
            continue
        layer, colon, allowed = line.partition(":")
        if not colon:
            sys.exit(f"{path}:{number}: expected 'layer: layers', found '{line}'")
        for name in allowed.split():
            if name not in table:
                sys.exit(f"{path}:{number}: '{layer}' may only include layers named above it, not '{name}'")
        table[layer.strip()] = set(allowed.split())
    return table


def sources(tree):
    """(layer, file) of everything under src/ and apps/."""
    for path in sorted((tree / "src").glob("*/**/*")):
        if path.suffix in SUFFIXES:
            yield path.relative_to(tree / "src").parts[0], path
    for path in sorted((tree / "apps").glob("**/*")):
        if path.suffix in SUFFIXES:
            yield "apps", path


def read_kept(path):
    """{header: set of folders and single files that alone may reach it}: the rows "only HEADER: NAMES"."""
    rows = re.findall(r"^only +(\S+):(.*)$", path.read_text(), re.M)
    return {header: set(names.split("#")[0].split()) for header, names in rows}


def chains_to(tree, header):
    """{file: [header it includes, ..., header]} of all files under src/ and apps/ that reach the header."""
    included = {}
    for _, path in sources(tree):
        root = tree if path.is_relative_to(tree / "apps") else tree / "src"
        included[path.relative_to(root).as_posix()] = INCLUDE_ALL.findall(path.read_text(errors="replace"))
    chains, grown = {}, {header: []}
    while grown:
        chains.update(grown)
        grown = {name: [inner, *chains[inner]]
                 for name, headers in included.items() if name not in chains and name != header
                 for inner in headers if inner in grown}
    del chains[header]
    return chains


def check_kept(tree, header, names):
    for name, chain in sorted(chains_to(tree, header).items()):
        if name not in names and name.split("/")[0] not in names:
            yield f'{name}: must not reach "{header}", which it does by {" > ".join(chain)}'


def check(tree):
    table = read_table(tree / "tools" / "layers.txt")
    problems = []
    for layer, path in sources(tree):
        place = path.relative_to(tree)
        if layer not in table:
            problems.append(f"{place}: the folder src/{layer} is not in tools/layers.txt")
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match[1]
            target = header.split("/")[0]
            if "/" not in header or target.startswith("."):
                if layer != "apps":
                    problems.append(f'{place}:{number}: "{header}" is not rooted at src/ ("{layer}/...")')
            elif target not in table:
                if layer != "apps":
                    problems.append(f'{place}:{number}: "{header}" names no layer of tools/layers.txt')
            elif target != layer and target not in table[layer]:
                allowed = " ".join(sorted(table[layer])) or "nothing"
                problems.append(f'{place}:{number}: {layer} must not include "{header}" (it may: {allowed})')
    for header, names in read_kept(tree / "tools" / "layers.txt").items():
        problems += check_kept(tree, header, names)
    return problems


def main():
    tree = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    problems = check(tree)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} forbidden includes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
