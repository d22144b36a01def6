"""Sinew's answer: a scene is written, run, and read back from the run folder."""
import json
import pathlib
import subprocess

import meshio
import numpy

from answer import Answer

MODELS = {"NHlog": "neo_hookean", "NHdec": "neo_hookean_decoupled"}


def mesh_file(case, meshes):
    """None for a built-in shape."""
    return (meshes / case.mesh).absolute() if isinstance(case.mesh, pathlib.Path) else None


def missing(case, meshes):
    path = mesh_file(case, meshes)
    return None if path is None or path.exists() else f"there is no {path}"


def read_mesh(path, folder):
    """meshio rounds to single precision where a Medit file calls itself version 1: it gets a copy of version 2."""
    if path.suffix == ".mesh":
        copy = folder / path.name
        copy.write_text(path.read_text().replace("MeshVersionFormatted 1", "MeshVersionFormatted 2", 1))
        path = copy
    return meshio.read(path)


def scene(case, law, path):
    attach = []
    for name, hold in case.holds.items():
        about = {"about": hold.about}
        turn = {"rotate": {"axis": [1, 0, 0], "degrees": hold.degrees}} if hold.degrees else {}
        attach.append({"what": f"body.{name}", "name": name,
                       "motion": [{"time": 0, **about}, {"time": 1, "translate": hold.translate, **turn, **about}]})
    return {
        "sinew": 1,
        "bodies": {"body": {
            "mesh": {"file": str(path)} if path else case.mesh,
            "material": {"model": MODELS[law], "young": case.young, "poisson": case.poisson},
            "elements": case.elements,
            "density": case.density,
            "select": {name: {"box": [hold.low, hold.high]} for name, hold in case.holds.items()}}},
        "attach": attach,
        "gravity": case.gravity,
        "solve": {"tolerance": 1e-12},
        "time": {"fps": case.increments, "frames": case.increments},
        "output": {"fields": ["stress"], "checkpoint_every": 0},
    }


def solve(tool, case, law, meshes, folder):
    """(points, tets, Answer). The mesh comes from its file, read by another library, or, where it is a shape,
    from the first frame."""
    folder.mkdir(parents=True, exist_ok=True)
    path = mesh_file(case, meshes)
    (folder / "scene.json").write_text(json.dumps(scene(case, law, path), indent=1))
    subprocess.run([tool, "run", "scene.json", "-o", "out", "--force", "--quiet"], cwd=folder, check=True)
    out, last = folder / "out", f"{case.increments:05d}"
    rest = read_mesh(path, folder) if path else meshio.read(out / "vtk" / "body_00000.vtu")
    moved = numpy.load(out / "frames" / f"frame_{last}.npz")["x"]
    stress = meshio.read(out / "vtk" / f"body_{last}.vtu").cell_data["stress"][0]
    reactions = json.loads((out / "stats.jsonl").read_text().splitlines()[-1])["reactions"]
    force, moment = (numpy.array([reactions[name][key] for name in case.holds]) for key in ("force", "moment"))
    tets = rest.cells_dict["tetra" if case.elements == "linear" else "tetra10"]
    return rest.points, tets, Answer(moved - rest.points, stress.astype(float), force, moment)
