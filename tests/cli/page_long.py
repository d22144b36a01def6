"""The viewer's page in chromium, feature by feature, with a server made for tests; and its pictures."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
import page_tests

page_tests.run("page")
