"""The docs site builds without a warning, holds every page of docs/, and loads nothing from elsewhere.

Skipped without Sphinx and MyST.
"""
import importlib.util
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

for module in ("sphinx", "myst_parser"):
    if not importlib.util.find_spec(module):
        print(f"skipped: no {module}; Debian has it as python3-{module.replace('_', '-')}")
        sys.exit(77)
site, pages = pathlib.Path(fresh("html")), TREE / "docs"
built = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", fresh("trees"),
                        str(pages), str(site)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
check(built.returncode == 0, f"sphinx: exit {built.returncode}\n{built.stdout}")
for page in pages.rglob("*.md"):
    check((site / page.relative_to(pages).with_suffix(".html")).exists(), f"{page}: not in the site")
for page in site.rglob("*.html"):
    loaded = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="((?:https?:)?//[^"]*)"', page.read_text())
    check(not loaded, f"{page}: loads {loaded}")
for style in site.rglob("*.css"):
    loaded = re.findall(r"(?:url\(|@import )[\"']?((?:https?:)?//[^\"')]*)", style.read_text())
    check(not loaded, f"{style}: loads {loaded}")
finish()
