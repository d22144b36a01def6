"""The guides of docs/guides: every block marked with <!-- run --> is run, in order, in a folder of its own."""
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

MARKED = re.compile(r"<!-- run -->\n```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)

guides = sorted((TREE / "docs" / "guides").glob("*.md"))
check(len(guides) >= 4, f"{len(guides)} guides")
for guide in guides:
    text = guide.read_text()
    blocks = MARKED.findall(text)
    check(blocks and len(blocks) == text.count("<!-- run -->"), f"{guide.name}: {len(blocks)} blocks")
    if "import numpy" in text and not importlib.util.find_spec("numpy"):
        print(f"{guide.name}: not run, as there is no numpy")
        continue
    folder = pathlib.Path(fresh(guide.stem))
    folder.mkdir()
    # The tool and this interpreter come first, as in the guides.
    programs = folder / "bin"
    programs.mkdir()
    (programs / "sinew").symlink_to(TOOL)
    (programs / "python3").symlink_to(sys.executable)
    environment = {**os.environ, "PATH": f"{programs.absolute()}:{os.environ['PATH']}"}
    for block in blocks:
        ended = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        check(ended.returncode == 0, f"{guide.name}: exit {ended.returncode} of\n{block}\n{ended.stdout}")
        if ended.returncode:
            break
finish()
