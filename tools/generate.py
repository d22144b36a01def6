#!/usr/bin/env python3
"""Writes all that is generated and committed, or says what of it is out of date.

    generate.py TOOL            writes the reference pages, the stubs of the materials, the tables of the gallery and the
                                pages of docs/verification (some minutes)
    generate.py TOOL --check    writes nothing and leaves docs/verification out; exit 1 where a file differs

The stubs need the Python package, which is looked for beside TOOL; docs/scene.md names linear solvers and is left out by
a tool that was built without some of them.
"""
import difflib
import os
import pathlib
import subprocess
import sys

import gallery

TREE = pathlib.Path(__file__).absolute().parent.parent
PAGES = {
    "docs/methods.md": ["schema", "--methods"],
    "docs/study.md": ["schema", "--study", "--markdown"],
    "docs/scene.md": ["schema", "--markdown"],
}
LAWS = "import sys; sys.path.insert(0, sys.argv[1]); import material_stubs, sinew._core; " \
       "print(material_stubs.stub(sinew._core.laws()), end='')"


def output(command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def has_every_solver(tool):
    ready = output([tool, "doctor"]).splitlines()
    return all(any(line.split()[:2] == ["ok", name] for line in ready) for name in ("cholmod", "mumps"))


def texts(tool):
    """{path in the tree: what it should hold}"""
    generated = {path: output([tool, *arguments]) for path, arguments in PAGES.items()}
    if not has_every_solver(tool):
        del generated["docs/scene.md"]
        print("docs/scene.md is left out: the tool lacks CHOLMOD or MUMPS")
    package = tool.parent.parent / "python"
    if list(package.glob("sinew/_core.*.so")):
        generated["python/sinew/materials.pyi"] = output([sys.executable, "-c", LAWS, package], cwd=TREE / "tools",
                                                         env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    else:
        print(f"python/sinew/materials.pyi is left out: no package in {package}")
    return {**generated, **gallery.tables()}


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    tool, check = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2:] == ["--check"]
    stale = 0
    for path, text in texts(tool).items():
        before = (TREE / path).read_text() if (TREE / path).exists() else ""
        if text == before:
            continue
        stale += 1
        if check:
            print(*difflib.unified_diff(before.splitlines(), text.splitlines(), path, "generated", lineterm=""), sep="\n")
        else:
            print(f"{path}: written anew")
            (TREE / path).write_text(text)
    if check:
        if stale:
            sys.exit(f"{stale} generated files are out of date: ./dev generate writes them")
        return
    for plot in (TREE / "docs" / "verification").glob("*.svg"):
        plot.unlink()
    subprocess.run([tool, "verify", "--page", TREE / "docs" / "verification"], check=True)


if __name__ == "__main__":
    main()
