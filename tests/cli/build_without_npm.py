"""The viewer's page where npm fails, as it does without a network: the build says so and goes on, and tries again later."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

if not shutil.which("cmake") or not shutil.which("ninja"):
    print("skipped: no cmake or no ninja")
    sys.exit(77)

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(page LANGUAGES CXX)
include({tree}/src/view/layer.cmake)
add_custom_target(page ALL DEPENDS ${{embedded}})
"""


def program(name, *lines):
    path = pathlib.Path(name).absolute()
    path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n")
    path.chmod(0o755)
    return path


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=200)
    check(done.returncode == 0, f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def configure():
    run("cmake", "-G", "Ninja", "-S", "project", "-B", "project/build", f"-DSINEW_NPM={npm}", f"-DSINEW_NODE={node}")


fresh("project")
pathlib.Path("project/web").mkdir(parents=True)
pathlib.Path("project/web/viewer").symlink_to(TREE / "web" / "viewer")
pathlib.Path("project/CMakeLists.txt").write_text(PROJECT.format(tree=TREE))
node = program("node", 'if [ "$1" = --version ]; then echo v18.0.0; else mkdir -p dist; echo "<html>" > dist/page.html; fi')
npm = program("npm", "echo no network >&2", "exit 1")
page = pathlib.Path("project/build/generated/view/page.html")
configure()
said = run("ninja", "-C", "project/build")
check("no network" in said and "the page is made of, so it is left out" in said, f"the build does not say so: {said}")
check(page.read_bytes() == b"" and page.with_name("page.html.gz").read_bytes() == b"", "there is a page")
check("no work to do" in run("ninja", "-C", "project/build"), "npm is called by every build")
npm = program("npm", "echo added 13 packages")
configure()
run("ninja", "-C", "project/build")
check(page.read_text() == "<html>\n" and page.with_name("page.html.gz").stat().st_size > 20, "no page though npm works again")
finish()
