"""The types: mypy reads the package and a script that uses it; the stubs name what is there and nothing else."""
import importlib
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import sinew

FOLDER = pathlib.Path(sinew.__file__).parent
needs_mypy = pytest.mark.skipif(shutil.which("mypy") is None, reason="no mypy; Debian has it as mypy")

USE = '''
import numpy as np
import sinew

scene = sinew.Scene()
scene.add_solid("b", np.zeros((4, 3)), np.zeros((1, 4), dtype=int), material=sinew.materials.Linear(young=1.0, poisson=0))
model: sinew.Model = scene.build()
state = model.state()
info: sinew.StepInfo = sinew.method(model, "pbng", iterations=60).step(state, dt=1 / 24)
n: float = state.x[0, 0] + info.residual
for each in sinew.load_run("folder"):
    each.copy().save("x")
'''
WRONG = USE + '''
info.resdual
sinew.materials.Linear(yung=1.0)
model.energy(model)
'''


def mypy(*arguments, folder):
    environment = {**os.environ, "MYPYPATH": str(FOLDER.parent)}
    return subprocess.run(["mypy", "--ignore-missing-imports", "--no-error-summary", "--cache-dir", str(folder / "cache"),
                           *map(str, arguments)], text=True, capture_output=True, env=environment, cwd=folder)


@needs_mypy
def test_mypy(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "wrong.py").write_text(WRONG)
    good = mypy("--strict-optional", "--disallow-untyped-defs", "-p", "sinew", folder=tmp_path)
    assert good.returncode == 0, good.stdout + good.stderr
    assert mypy("use.py", folder=tmp_path).returncode == 0
    bad = mypy("wrong.py", folder=tmp_path)
    assert bad.returncode == 1 and bad.stdout.count("error:") == 4, bad.stdout


@needs_mypy
def test_the_stubs_and_the_module_have_the_same_names(tmp_path):
    environment = {**os.environ, "MYPYPATH": str(FOLDER.parent)}
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    # Signatures of compiled functions cannot be seen; names can.
    found = subprocess.run([shutil.which("stubtest") or "stubtest", "--concise", "--mypy-config-file", "mypy.ini",
                            "--ignore-missing-stub", "sinew._core", "sinew.materials"],
                           text=True, capture_output=True, env=environment, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("module", ["_core", "materials"])
def test_every_public_name_of_the_module_is_in_its_stub(module):
    import ast
    tree = ast.parse((FOLDER / f"{module}.pyi").read_text())
    stub = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            stub[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)} | {
                item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
        elif isinstance(node, ast.FunctionDef):
            stub[node.name] = set()
        elif isinstance(node, ast.AnnAssign):
            stub[node.target.id] = set()
    there = importlib.import_module(f"sinew.{module}")
    public = set(there.__all__) if hasattr(there, "__all__") else {n for n in dir(there) if not n.startswith("_")}
    assert public == {name for name in stub if not name.startswith("_")}
    for name in public:
        if not isinstance(getattr(there, name), type):
            continue
        members = {n for n in vars(getattr(there, name)) if not n.startswith("_")}
        missing = members - stub[name] - {"law"}
        assert not missing, f"{name}: {missing}"
        for member in stub[name]:
            assert hasattr(getattr(there, name), member), f"{name}.{member}"
