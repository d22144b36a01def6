"""The types: mypy reads the package and scripts that use it; the stubs name what is there and nothing else."""
import ast
import importlib.util
import os
import pathlib
import shutil
import subprocess

import pytest

import sinew

FOLDER = pathlib.Path(sinew.__file__).parent
TREE = pathlib.Path(__file__).parents[2]
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


@needs_mypy
def test_mypy(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "wrong.py").write_text(WRONG)
    # Imported from MYPYPATH, the package itself is checked as well.
    found = subprocess.run(["mypy", "--ignore-missing-imports", "--no-error-summary", "--disallow-untyped-defs",
                            "--cache-dir", "cache", "use.py", "wrong.py"], text=True, capture_output=True, cwd=tmp_path,
                           env={**os.environ, "MYPYPATH": str(FOLDER.parent)})
    errors = [line for line in found.stdout.splitlines() if ": note:" not in line]
    assert len(errors) == 3 and all(line.startswith("wrong.py") for line in errors), found.stdout + found.stderr
    assert "resdual" in errors[0] and "yung" in errors[1] and "energy" in errors[2]


@pytest.mark.parametrize("module", ["_core", "materials"])
def test_every_public_name_of_the_module_is_in_its_stub(module):
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


def test_the_stub_of_the_materials_is_that_of_the_table():
    spec = importlib.util.spec_from_file_location("material_stubs", TREE / "tools" / "material_stubs.py")
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    assert (FOLDER / "materials.pyi").read_text() == stubs.stub(sinew._core.laws())
