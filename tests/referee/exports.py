#!/usr/bin/env python3
"""Exported files in the programs that they are for: what these read is compared with the frames of the run.

    exports.py TOOL [vtk|gltf|blender|usd ...]     all by default; files go to the working folder

Exit code 0: all agree, 1: some do not, 77: there was nothing to compare.
"""
import json
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
HERE = pathlib.Path(__file__).parent

try:
    import numpy
except ImportError as error:
    print(f"skipped: {error} (Debian: python3-numpy)")
    sys.exit(SKIPPED)

SCENE = {
    "sinew": 1,
    "bodies": {
        "beam": {"mesh": {"box": {"size": [2, 0.5, 0.5], "cells": [12, 4, 4]}},
                 "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}},
        "2-ball": {"mesh": {"ball": {"radius": 0.3, "cells": 6}}, "place": {"translate": [1, 1.5, 0.2]},
                   "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}},
    "attach": [{"what": "beam.xmin", "name": "wall"}, {"what": "2-ball.surface", "name": "shell",
               "motion": [{"time": 0}, {"time": 0.5, "rotate": {"axis": [0, 1, 0], "degrees": 60}}]}],
    "gravity": [0, -9.81, 0],
    "solve": {"mode": "dynamic"},
    "time": {"fps": 24, "frames": 12},
    "output": {"export": []},
}


class Missing(Exception):
    """What a referee needs is not here."""


def call(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=900, **options)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


class Run:
    """The run, and where its surfaces are at every frame, from its own files alone."""

    def __init__(self, tool):
        self.tool = tool
        shutil.rmtree("run", ignore_errors=True)
        pathlib.Path("scene.json").write_text(json.dumps(SCENE))
        call(tool, "run", "scene.json", "-o", "run", "--quiet")
        self.frames = [dict(numpy.load(path)) for path in sorted(pathlib.Path("run/frames").glob("*.npz"))]
        if numpy.abs(self.frames[-1]["x"] - self.frames[0]["x"]).max() < 0.1:
            sys.exit("the bodies hardly move: nothing would be shown by comparing")
        call(tool, "export", "run", "--format", "npz", "--fields", "none", "-o", "volume", "--quiet")
        self.bodies, self.first = {}, 0
        for name in SCENE["bodies"]:
            mesh = numpy.load(f"volume/npz/{name}.npz")
            count = len(mesh["rest"])
            self.bodies[name] = (self.first, count, mesh["tets"])
            self.first += count

    def points(self, body, frame):
        first, count, _ = self.bodies[body]
        return self.frames[frame]["x"][first:first + count]

    def surface(self, body):
        """Nodes of faces that one tet alone has, ascending."""
        tets = self.bodies[body][2]
        faces = numpy.sort(numpy.concatenate([numpy.delete(tets, k, axis=1) for k in range(4)]), axis=1)
        unique, counts = numpy.unique(faces, axis=0, return_counts=True)
        return numpy.unique(unique[counts == 1])

    def box(self, body):
        return numpy.ptp(self.points(body, 0), axis=0).max()

    def write(self, formats, folder, *options):
        shutil.rmtree(folder, ignore_errors=True)
        call(self.tool, "export", "run", "--format", formats, "-o", folder, "--quiet", *options)
        return pathlib.Path(folder).absolute()


def compare(name, found, wanted, size, limit):
    same = numpy.shape(found) == numpy.shape(wanted)
    difference = numpy.abs(numpy.asarray(found, float) - wanted).max() / size if same else numpy.inf
    print(f"  {name:42}{difference:10.1e} of the bounding box, at most {limit:.0e}")
    return difference <= limit


def vtk(run):
    """meshio and VTK read the .vtu files: positions to the bit, tets, fields."""
    try:
        import meshio
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
    except ImportError as error:
        raise Missing(f"{error} (Debian: python3-meshio python3-vtk9)") from error
    folder, fine = run.write("pvd", "vtu") / "vtk", True
    for body in run.bodies:
        for frame in (0, 12):
            path, wanted = str(folder / f"{body}_{frame:05}.vtu"), run.points(body, frame)
            mesh = meshio.read(path)
            reader = vtkXMLUnstructuredGridReader()
            reader.SetFileName(path)
            reader.Update()
            grid = reader.GetOutput()
            moved = vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
            fine &= compare(f"meshio {body} {frame}", mesh.points, wanted, run.box(body), 0)
            fine &= compare(f"VTK {body} {frame}", vtk_to_numpy(grid.GetPoints().GetData()), wanted, run.box(body), 0)
            fine &= compare(f"VTK displacement {body} {frame}", moved, wanted - run.points(body, 0), run.box(body), 1e-6)
            tets = run.bodies[body][2]
            fine &= bool((mesh.cells_dict["tetra"] == tets).all()) and grid.GetNumberOfCells() == len(tets)
            fine &= grid.GetCellData().GetArray("von_mises").GetNumberOfTuples() == len(tets)
    return fine


def node_folder():
    """A folder with the packages of node/package.json."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            raise Missing(f"no {program} (Debian: nodejs npm)")
    folder = pathlib.Path("node").absolute()
    shutil.copytree(HERE / "node", folder, dirs_exist_ok=True)
    try:
        call("npm", "ci", "--no-audit", "--no-fund", cwd=folder)
    except RuntimeError as error:
        raise Missing(f"npm cannot install the packages: {str(error)[-300:]}") from error
    return folder


def gltf(run):
    """Khronos' validator finds no errors and no warnings."""
    node, fine = node_folder(), True
    folder = run.write("glb,glb_frames", "glb_files")
    rest = run.write("glb", "glb_rest", "--rest")
    for path in (folder / "glb/scene.glb", folder / "glb_frames/frame_00012.glb", rest / "glb/scene_rest.glb"):
        issues = json.loads(call("node", node / "validate.mjs", path))
        print(f"  {path.name}: {issues['numErrors']} errors, {issues['numWarnings']} warnings, {issues['numInfos']} infos")
        for message in issues["messages"][:5]:
            print("   ", message["code"], message["message"], message.get("pointer", ""))
        fine &= issues["numErrors"] == 0 and issues["numWarnings"] == 0
    return fine


BLENDER = """
import bpy, numpy, sys
numpy.bool = bool  # Debian 12's glTF importer was written for an older NumPy
path, cache_file, axes, fps, frames, out = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = int(fps)
if path.endswith(".glb"):
    bpy.ops.import_scene.gltf(filepath=path)
else:
    bpy.ops.wm.obj_import(filepath=path, **({} if axes == "y_up" else {"forward_axis": "Y", "up_axis": "Z"}))
    cache = bpy.context.selected_objects[0].modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = cache_file[-3:].upper()
    cache.filepath = cache_file
result = {}
for frame in range(int(frames)):
    bpy.context.scene.frame_set(frame)
    for thing in bpy.context.scene.objects:
        mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        points = numpy.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", points)
        world = numpy.array(thing.matrix_world)
        result.setdefault(thing.name, []).append(points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
numpy.savez(out, **result)
"""


def blender(run):
    """Blender's Mesh Cache modifier on the .obj beside the cache, and its glTF importer: places in its world, z up."""
    program = shutil.which("blender")
    if not program:
        raise Missing("no blender (Debian: blender)")
    print(" ", call(program, "--version").splitlines()[0])
    script, out, frames = pathlib.Path("places.py").absolute(), pathlib.Path("places.npz").absolute(), len(run.frames)
    script.write_text(BLENDER)

    def places(path, cache="-", axes="y_up"):
        out.unlink(missing_ok=True)
        call(program, "--background", "--factory-startup", "--python-exit-code", "1", "--python", script, "--", path, cache,
             axes, SCENE["time"]["fps"], frames, out)
        return numpy.load(out)

    def wanted(body, unit):
        points = numpy.array([run.points(body, f)[run.surface(body)] for f in range(frames)])
        return points[:, :, [0, 2, 1]] * [1, -1, 1] / unit

    fine = True
    for axes, unit, options in (("y_up", 1, []), ("z_up", 0.01, ["--up", "z", "--unit", "cm"])):
        folder = run.write("pc2,mdd", axes, *options)
        for form in ("pc2", "mdd"):
            for body in run.bodies:
                cache = folder / form / f"{body}.{form}"
                found = places(cache.with_suffix(".obj"), cache, axes)[body]
                fine &= compare(f"{form} {body} {axes}", found, wanted(body, unit), run.box(body) / unit, 1e-6)
    found = places(run.write("glb", "glb_blender") / "glb/scene.glb")
    for body in run.bodies:
        fine &= compare(f"glb {body}", found[body], wanted(body, 1), run.box(body), 1e-6)
    return fine


def usd(run):
    """three.js reads every time sample, the rest pose and the faces."""
    node, fine = node_folder(), True
    folder = run.write("usda", "usda_files") / "usda"
    for body, prim in (("beam", "beam"), ("2-ball", "_2_ball")):
        found = json.loads(call("node", node / "usd.mjs", folder / f"{body}.usda", prim))
        nodes = run.surface(body)
        wanted = numpy.array([run.points(body, f)[nodes] for f in range(len(run.frames))])
        fine &= found["times"] == list(range(len(run.frames)))
        fine &= compare(f"three {body}, all frames", numpy.reshape(found["frames"], (len(run.frames), -1, 3)), wanted,
                        run.box(body), 1e-6)
        fine &= compare(f"three {body}, rest", numpy.reshape(found["rest"], (-1, 3)), run.points(body, 0)[nodes],
                        run.box(body), 1e-6)
        fine &= len(found["corners"]) == 3 * len(found["counts"]) and max(found["corners"]) + 1 == len(nodes)
    return fine


REFEREES = {"vtk": vtk, "gltf": gltf, "blender": blender, "usd": usd}


def main():
    wanted = sys.argv[2:] or list(REFEREES)
    if unknown := set(wanted) - set(REFEREES):
        sys.exit(f"no referee {', '.join(unknown)}; there are {', '.join(REFEREES)}")
    run, compared, fine = Run(pathlib.Path(sys.argv[1]).absolute()), 0, True
    for name in wanted:
        print(name)
        try:
            agreed = REFEREES[name](run)
        except Missing as error:
            print(f"  skipped: {error}")
            continue
        print("  agrees" if agreed else "  DIFFERS")
        compared, fine = compared + 1, fine and agreed
    return (0 if fine else 1) if compared else SKIPPED


sys.exit(main())
