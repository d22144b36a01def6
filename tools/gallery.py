#!/usr/bin/env python3
"""Runs the examples, draws a picture of each, and writes the tables of README.md and docs/gallery.md.

    gallery.py TOOL [NAME...]    all examples, or those named (01_heavy_block ...)

examples/gallery.txt has a line for each example: its folder, the name of its picture, and the options of `sinew picture`.
Runs go to build/gallery and are kept: what was run is not run again.
"""
import json
import pathlib
import re
import subprocess
import sys

MAX_BYTES = 200_000
SIZE = "640x420"
BEGIN, END = "<!-- gallery: written by ./dev gallery -->", "<!-- end of gallery -->"
TREE = pathlib.Path(__file__).absolute().parent.parent


def entries():
    """[(folder, picture, options)] of examples/gallery.txt; every example must be there."""
    table = TREE / "examples" / "gallery.txt"
    rows = [line.split() for line in table.read_text().splitlines() if line.strip() and not line.startswith("#")]
    listed, there = {row[0] for row in rows}, {path.parent.name for path in (TREE / "examples").glob("*/scene.json")}
    if listed != there:
        sys.exit(f"{table}: without a line: {sorted(there - listed)}; without an example: {sorted(listed - there)}")
    return [(row[0], row[1], row[2:]) for row in rows]


def title_of(folder):
    """As the scene has it; comments are no JSON."""
    text = (TREE / "examples" / folder / "scene.json").read_text()
    return json.loads(re.search(r'"title":\s*("(?:[^"\\]|\\.)*")', text)[1])


def draw(tool, folder, picture, options):
    run = TREE / "build" / "gallery" / folder
    scene = TREE / "examples" / folder / "scene.json"
    command = [tool, "run", scene, "-o", run, "--quiet"]
    if subprocess.run([*command, "--resume"], stderr=subprocess.DEVNULL).returncode != 0:
        subprocess.run([*command, "--force"], check=True)  # the scene or the program has changed
    target = TREE / "docs" / "pictures" / f"{picture}.png"
    subprocess.run([tool, "picture", run, "--size", SIZE, *options, "-o", target], check=True)
    if target.stat().st_size > MAX_BYTES:
        sys.exit(f"{target}: {target.stat().st_size} bytes, at most {MAX_BYTES}: draw it smaller with --size")


def rows(pictures, examples, drawn):
    """The table; pictures and examples as seen from the page. `drawn`: also the command that draws the picture."""
    lines = ["| | |", "|---|---|"]
    for folder, picture, options in entries():
        title = title_of(folder)
        line = (f"| ![{title}]({pictures}/{picture}.png) | [{title}]({examples}/{folder}): "
                f"`sinew run examples/{folder}/scene.json -o {picture}`")
        if drawn:
            line += f"; the picture: `sinew picture {picture} {' '.join(options)} --size {SIZE} -o {picture}.png`"
        lines.append(line + " |")
    return "\n".join(lines)


def tables():
    """{path in the tree: its text with the table of today}"""
    readme = (TREE / "README.md").read_text()
    if BEGIN not in readme or END not in readme:
        sys.exit(f"README.md: expected the lines '{BEGIN}' and '{END}' around the table")
    before, after = readme.split(BEGIN)[0], readme.split(END)[1]
    return {
        "README.md": f"{before}{BEGIN}\n{rows('docs/pictures', 'examples', False)}\n{END}{after}",
        "docs/gallery.md":
            "# Gallery\n\nEvery example, with the commands that run it and draw it. `./dev gallery` does so for all and writes "
            f"this page.\n\n{rows('pictures', '../examples', True)}\n",
    }


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tool, wanted = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2:]
    unknown = set(wanted) - {folder for folder, _, _ in entries()}
    if unknown:
        sys.exit(f"no example {sorted(unknown)}")
    for folder, picture, options in entries():
        if not wanted or folder in wanted:
            print(folder, flush=True)
            draw(tool, folder, picture, options)
    for path, text in tables().items():
        (TREE / path).write_text(text)


if __name__ == "__main__":
    main()
