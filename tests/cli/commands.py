"""The commands beside `run`: what they print and how they end."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *

# The command line itself.
expect(0, ["--help"], "run", "check", "130 interrupted")
expect(0, ["--version"], "sinew ")
expect(2, [], "Usage")
expect(2, ["rnu"], 'unknown command "rnu"', '"run"')
expect(2, ["run", "a.json", "--fource"], 'unknown option "--fource"', '"--force"')
expect(2, ["run"], "SCENE")
expect(2, ["run", "a.json", "--threads", "0"], "--threads")
expect(2, ["run", "a.json", "--threads", "many"], "--threads")
expect(2, ["diff", "only_one"], "RUN_B")
for name in ("run", "mesh", "check", "compare", "verify", "info", "convert", "diff", "examples", "schema", "doctor", "version"):
    expect(0, [name, "--help"], "Usage: sinew " + name)

# version, doctor, schema.
version = json.loads(expect(0, ["version", "--json"]).stdout)
check(version["sinew"] == sinew("version").stdout.split()[1], "version --json")
check("pcg" in version["linear_solvers"], "version lists the solvers")
expect(0, ["doctor"], "processor", "memory", "cholmod", "methods")
schema = json.loads(expect(0, ["schema"]).stdout)
check("bodies" in schema["$defs"]["scene"]["properties"], "schema")
expect(0, ["schema", "--markdown"], "# ", "bodies")
with open("/dev/full", "w") as full:
    check(subprocess.run([TOOL, "schema"], stdout=full, stderr=subprocess.DEVNULL).returncode == 4, "a full disk")

# check.
good = write_scene("good.json")
expect(0, ["check", good], "ready to run")
check(isinstance(json.loads(expect(0, ["check", good, "--json"]).stdout), list), "check --json")
free = write_scene("free.json", attach=[], solve={"mode": "quasistatic"})
expect(2, ["check", free], '"beam" is free to move')
expect(0, ["check", free, "--set", "gravity=[0,0,0]"], 'note: the body "beam" is free to move', "ready to run")
far = write_scene("far.json", bodies={"beam": {**BEAM["bodies"]["beam"], "place": {"translate": [1e8, 0, 0]}}})
for command in (["check", far], ["run", far, "-o", "far"]):
    expect(2, command, "/bodies/beam/place/translate", '"beam" at (1e+08, 0, 0)', "move the scene to the origin")
expect(4, ["check", "no_such.json"], "no_such.json")
wrong = write_scene("wrong.json", gravty=[0, 0, 0])
expect(2, ["check", wrong], "wrong.json:", "/gravty", 'did you mean "gravity"?')
expect(2, ["check", good, "--set", "time.frames=-1"], "--set time.frames=-1", "/time/frames")
pathlib.Path("broken.json").write_text('{"sinew": 1,\n "bodies": }')
expect(2, ["check", "broken.json"], "broken.json:2:12")
lost = write_scene("lost.json", bodies={"b": {"mesh": {"file": "gone.mesh"},
                                              "material": {"model": "linear", "young": 1, "poisson": 0}}})
expect(4, ["check", lost], "gone.mesh")

# Meshes.
pathlib.Path("tet.mesh").write_text("MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 1\n1 0 0 1\n0 1 0 1\n"
                                    "0 0 1 1\nTetrahedra 1\n1 2 3 4 1\nEnd\n")
for name in ("tet.vtu", "tet.msh", "tet.node", "tet2.mesh", "tet.vtk", "tet.inp"):
    expect(0, ["convert", "tet.mesh", name], "1 tets")
    info = json.loads(expect(0, ["info", name, "--json"]).stdout)
    check(info["tets"] == 1 and abs(info["volume"] - 1 / 6) < 1e-15, f"info {name}: {info}")
expect(0, ["convert", "tet.vtu", "tet.obj"], "4 triangles")
# Two tets, each with vertices of its own on the face that they share, a flat one and a vertex of none.
pathlib.Path("rough.mesh").write_text(
    "MeshVersionFormatted 2\nDimension 3\nVertices 10\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
    "1 1 1 0\n0.5 0.5 0 0\n9 9 9 0\nTetrahedra 3\n1 2 3 4 0\n5 7 6 8 0\n1 2 3 9 0\nEnd\n")
expect(2, ["convert", "rough.mesh", "smooth.vtu"], "rough.mesh: line 17", "tetrahedron 2 has no volume", "--clean")
rough = json.loads(expect(0, ["info", "rough.mesh", "--json"]).stdout)
check(rough["radius_ratios"] == {"below_0.1": 1, "below_0.01": 1, "below_0.0001": 1}, f"flat tets: {rough}")
check(rough["worst_tets"][0] == {"tet": 2, "radius_ratio": 0, "centre": [0.375, 0.375, 0]}, f"worst: {rough['worst_tets']}")
expect(0, ["info", "rough.mesh"], "1 of 3 tetrahedra have no volume", '{"tet":2,"radius_ratio":0')
expect(0, ["convert", "rough.mesh", "smooth.vtu", "--clean"], "clean: 3 vertices merged", "clean: 1 tet removed that had no volume",
       "2 vertices left out", "5 vertices, 2 tets")
smooth = json.loads(expect(0, ["info", "smooth.vtu", "--json"]).stdout)
check(smooth["components"] == 1 and abs(smooth["volume"] - 0.5) < 1e-14, f"clean: {smooth}")
expect(0, ["convert", "smooth.vtu", "again.vtu", "--clean", "--improve"], "clean: nothing to change",
       "improve: 0 flips; 0 of 0 vertices")
expect(2, ["convert", "tet.obj", "again.obj", "--clean"], "found a surface, expected tets")
expect(0, ["info", "tet.obj"], "triangle mesh")
expect(0, ["convert", "tet.mesh", "dropped.inp"], "dropped: vertex data 'ref'", "dropped: element data 'ref'")
expect(0, ["convert", "tet.mesh", "dropped.ply"], "dropped: element groups 'ref_1'", "dropped: vertex groups 'ref_1'")
expect(2, ["convert", "tet.vtk", "tet.veg"], "can hold tets", ".msh", ".vtu")
expect(2, ["convert", "tet.obj", "surface.msh3"], "unknown mesh format")
expect(4, ["convert", "gone.mesh", "a.vtu"], "gone.mesh")
expect(4, ["convert", "tet.mesh", "no/such/folder/a.vtu"], "no/such/folder")
expect(4, ["info", "gone.mesh"], "gone.mesh")
expect(2, ["info", "."], "no run")
pathlib.Path("broken.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n")
expect(2, ["info", "broken.obj"], "broken.obj", "line 4", "7")
pathlib.Path("broken.stl").write_text("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n")
expect(2, ["info", "broken.stl"], "broken.stl", "line 4")
pathlib.Path("points.mesh").write_text("MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 0 1\nEnd\n")
expect(2, ["info", "points.mesh"], "as tets: points.mesh", "; as triangles: points.mesh")
expect(0, ["info", good], "beam", "dynamic")

# Examples.
names = expect(0, ["examples", "--list"]).stdout
for folder in EXAMPLES:
    check(folder.name in names, f"examples --list names {folder.name}")
if EXAMPLES:
    name = EXAMPLES[0].name
    expect(0, ["examples", name, "-o", fresh("copied")], "sinew run copied/scene.json")
    check((pathlib.Path("copied") / "scene.json").read_bytes() == (EXAMPLES[0] / "scene.json").read_bytes(), "a copy")
    expect(2, ["examples", name, "-o", "copied"], "exists already")
    expect(2, ["examples", name + "x"], "unknown example", name)

# verify.
expect(2, ["verify", "V99"], "unknown problem")
lines = expect(0, ["verify", "V01", "--json"]).stdout.splitlines()
for line in lines:
    result = json.loads(line)
    check({"id", "reference", "result", "error", "tolerance", "ok"} <= result.keys(), f"verify --json: {line}")
check(lines and all(json.loads(line)["ok"] for line in lines), "V01 is within its tolerance")
expect(0, ["verify", "V02", "V22a", "--page", fresh("page")])
check("V22a.svg" in (pathlib.Path("page") / "README.md").read_text(), "the page names its plots")
check((pathlib.Path("page") / "V02.svg").read_text().endswith("</svg>\n"), "a plot")
expect(4, ["verify", "V22a", "--page", "page/V02.svg"], "page/V02.svg")
finish()
