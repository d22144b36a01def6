"""The memory of the Python package, watched by the address sanitizer or by valgrind: arrays that outlive scenes, models,
states and runs are read and written, steps are stopped, and nothing is touched that is not there.

Skipped where neither can be used: `./dev test --all` builds the package with sanitizers.
"""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

SCRIPT = '''
import gc
import numpy as np
import sinew

sinew.set_threads(1)

def make():
    scene = sinew.Scene()
    mesh = sinew.shapes.box(cells=(2, 1, 1))
    scene.add_solid("b", np.array(mesh.vertices), np.array(mesh.elements),
                    material=sinew.materials.NeoHookean(young=np.full(len(mesh.elements), 1e4), poisson=0.3))
    scene.attach("b", np.flatnonzero(mesh.vertices[:, 0] == 0), name="wall")
    scene.add_collider("floor", {"plane": {"point": [0, -0.01, 0], "normal": [0, 1, 0]}})
    scene.gravity = (0, -9.81, 0)
    return scene, mesh.vertices, mesh.vertex_groups["xmax"]

scene, vertices, group = make()
model = scene.build()
state = model.state()
x, v, X, tets = state.x, state.v, model.X, model.tets
nodes, surface = model.attachments["wall"].nodes, model.bodies["b"].surface
method = sinew.method(model, "newton")
info = method.step(state)
assert info.taken
column = state["contact_force"]
try:
    method.step(state, on_residual=lambda residual: 1 / 0)
except ZeroDivisionError:
    pass
run = sinew.run(scene, "out", export=(), force=True)
late, states = run.model.X, [s.x for s in run]
hessian = model.hessian(state)
copy = state.copy().x
kept = [(array, array.tolist()) for array in (x, v, X, tets, nodes, surface, column, vertices, group, late, copy,
                                              hessian.data, *states)]
kept = [(array, np.array(numbers)) for array, numbers in kept]
del scene, model, state, method, info, run
gc.collect()
filler = [np.random.rand(1000) for _ in range(100)]
for array, before in kept:
    assert (array == before).all()
x[:] = 1
v[:] = 2
copy[:] = 3
for s in states:
    s[:] = 4
assert (x == 1).all() and (v == 2).all() and (copy == 3).all()
del filler, x, v, X, kept
gc.collect()
for bad in ("1", None, [[0, 1]], np.zeros((4, 3)), np.full((4, 3), np.nan)):
    try:
        sinew.Mesh(bad, [[0, 1, 2, 9]])
    except ValueError:
        pass
print("lifetime held")
'''



def run(package, command=(), **variables):
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONMALLOC": "malloc", "PYTHONDONTWRITEBYTECODE": "1",
                   "OPENBLAS_NUM_THREADS": "1", **variables}
    return subprocess.run([*command, sys.executable, "lifetime.py"], env=environment, text=True, capture_output=True)


def under_address_sanitizer():
    """The package of the build with sanitizers; false where there is none."""
    package = TREE / "build-asan" / "python"
    clang = shutil.which("clang") or shutil.which("clang-14")
    if not clang or not list(package.glob("sinew/_core*.so")):
        return False
    library = subprocess.run([clang, "-print-file-name=libclang_rt.asan-x86_64.so"], text=True,
                             capture_output=True).stdout.strip()
    if not pathlib.Path(library).is_file():
        return False
    # Leaks are not looked for: the interpreter never frees what it has at the end.
    ended = run(package, LD_PRELOAD=library, ASAN_OPTIONS="detect_leaks=0")
    check(ended.returncode == 0 and "lifetime held" in ended.stdout, f"{ended.stdout}{ended.stderr[-5000:]}")
    print("tried with the address sanitizer")
    return True


def under_valgrind(package):
    """This build; false where valgrind is missing or does not know its instructions."""
    if not shutil.which("valgrind"):
        return False
    ended = run(package, ["valgrind", "--num-callers=40", "--log-file=valgrind.log"])
    log = pathlib.Path("valgrind.log").read_text(errors="replace")
    if "nrecognised instruction" in log or "unhandled instruction" in log:
        return False
    check(ended.returncode == 0 and "lifetime held" in ended.stdout, f"{ended.stdout}{ended.stderr}{log[-3000:]}")
    # The interpreter has errors of its own; those count that have the package in their stack.
    found = [part for part in log.split("== \n") if "_core" in part and
             any(word in part for word in ("Invalid read", "Invalid write", "Invalid free", "uninitialised"))]
    check(not found, "\n".join(found[:3]))
    print("tried with valgrind")
    return True


pathlib.Path("lifetime.py").write_text(SCRIPT)
package = pathlib.Path(TOOL).parents[1] / "python"
if not list(package.glob("sinew/_core*.so")):
    print("skipped: this build has no Python package")
    sys.exit(77)
# Freed memory is overwritten, so that what is read from it differs.
plain = run(package, MALLOC_PERTURB_="165")
check(plain.returncode == 0 and "lifetime held" in plain.stdout, f"{plain.stdout}{plain.stderr}")
if not under_address_sanitizer() and not under_valgrind(package):
    print("skipped: no Python package with sanitizers in build-asan, and no valgrind that knows this build's instructions")
    sys.exit(77)
finish()
