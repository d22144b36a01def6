"""The viewer page's own tests, run by node on a copy beside the packages that the build has installed.

    page_tests.run("unit", "real")   # groups of web/viewer/tests/run.mjs; ends the program, 77: skipped
"""
import os
import pathlib
import shutil
import subprocess
import sys


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def run(*groups):
    tool, tree = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    web = tree / "web" / "viewer"
    packages = tool.parent.parent / "web" / "viewer" / "node_modules"
    node = shutil.which("node") or shutil.which("nodejs")
    if not node:
        skip("no node")
    if not (packages / "playwright-core").is_dir():
        skip(f"no packages of the page's tests in {packages}")
    copy = pathlib.Path("page").resolve()
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(web, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
    (copy / "node_modules").symlink_to(packages)
    environment = {**os.environ, "SINEW": str(tool), "SINEW_TREE": str(tree)}
    for group in groups:
        if subprocess.run([node, "tests/run.mjs", group], cwd=copy, env=environment).returncode != 0:
            sys.exit(1)
    sys.exit(0)
