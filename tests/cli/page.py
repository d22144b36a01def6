"""The viewer's page: its parts, and in chromium with the tool's own server."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
import page_tests

page_tests.run("unit", "real")
