"""Scenes from arrays, dicts and files."""
import json

import numpy as np
import pytest

import sinew
from small_scenes import block, grid


def solved(scene):
    model = scene.build()
    state = model.state()
    assert sinew.method(model).step(state).converged
    return model, state


def test_saved_scenes_give_the_same_bits(tmp_path):
    scene = block()
    scene.add_collider("ball", sinew.shapes.ball(radius=0.1, cells=6, centre=(0.5, 3, 0.2)).boundary())
    scene.save(tmp_path / "block.json")
    assert {p.name for p in tmp_path.iterdir()} == {"block.json", "block.block.vtu", "block.ball.vtu"}
    again = sinew.Scene.load(tmp_path / "block.json")
    assert not again.meshes
    (first, a), (second, b) = solved(scene), solved(again)
    assert (first.X == second.X).all() and (first.tets == second.tets).all()
    assert a == b


def test_arrays_and_the_builtin_shape_agree():
    V, T = grid((2, 3, 2))
    material = {"model": "neo_hookean", "young": 3e5, "poisson": 0.2}
    ours, theirs = sinew.Scene(), sinew.Scene()
    ours.add_solid("b", V, T, material=material, node_groups={"ymin": np.flatnonzero(V[:, 1] == 0)})
    theirs.add_solid("b", {"box": {"cells": [2, 3, 2], "split": "six"}}, material=material)
    results = []
    for scene in (ours, theirs):
        scene.attach("b.ymin", name="floor")
        scene.gravity = np.array([1.0, -9.81, 0])
        model, state = solved(scene)
        results.append((model.mass.sum(), model.reactions(state)["floor"].sum(axis=0)))
    assert results[0][0] == pytest.approx(results[1][0], rel=1e-12)
    assert np.allclose(results[0][1], results[1][1], rtol=1e-4)


def test_constants_may_differ_from_tet_to_tet():
    V, T = grid((4, 1, 1))
    young = np.where(V[T].mean(axis=1)[:, 0] < 0.5, 1e4, 4e4)
    scene = sinew.Scene()
    scene.add_solid("bar", V, T, material=sinew.materials.Linear(young=young, poisson=0.0), density=np.full(len(T), 2.0))
    scene.attach("bar", np.flatnonzero(V[:, 0] == 0), name="left")
    scene.attach("bar", np.flatnonzero(V[:, 0] == 1), name="right",
                 motion=[{"time": 0}, {"time": 1 / 30, "translate": [0.1, 0, 0]}])
    model, state = solved(scene)
    assert model.mass.sum() == pytest.approx(2.0)
    # Two springs in a row, of length 1/2 and area 1 each.
    force = 0.1 / (0.5 / 1e4 + 0.5 / 4e4)
    assert model.reactions(state)["right"].sum(axis=0)[0] == pytest.approx(force, rel=1e-6)


def test_shells_from_arrays():
    V, T = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]), np.array([[0, 1, 2], [0, 2, 3]])
    scene = sinew.Scene()
    scene.add_shell("cloth", V, T, thickness=0.01, material=sinew.materials.Stvk(young=1e6, poisson=0.3),
                    density=np.array([100.0, 300.0]), texture=0.5 * V[T][:, :, :2], rest="texture",
                    bending={"model": "none"}, node_groups={"hem": [0, 1]})
    scene.attach("cloth.hem")
    model = scene.build()
    # A quarter of the area is at rest.
    assert model.mass.sum() == pytest.approx(0.01 * (100 + 300) / 8)
    assert "2 triangles" in repr(model.bodies["cloth"]) and "4 nodes, 2 triangles" in repr(model)
    assert " tets" not in repr(model) + model._repr_html_()
    assert "4 nodes" in repr(model.state()) and "<table>" in model.state()._repr_html_()
    with pytest.raises(sinew.InputError, match="expected triangles"):
        scene.add_shell("box", *grid((1, 1, 1)), thickness=1, material=sinew.materials.Stvk(young=1, poisson=0))


def test_directions_are_not_fields_of_tets():
    law = sinew.materials.ActiveFibre(tension=2.0, fibre=np.array([0, 3, 4.0]))
    assert law.to_dict()["fibre"] == [0, 3, 4]


def test_materials_come_from_the_table():
    laws = {law["name"] for law in json.loads(json.dumps(sinew._core.laws()))}
    classes = [getattr(sinew.materials, name) for name in sinew.materials.__all__ if name != "Material"]
    assert {made.law for made in classes} == laws and len(classes) == len(laws)
    assert "Expected: " in sinew.materials.StableNeoHookean.__doc__
    assert sinew.materials.Stvk(young=1, poisson=0.1) == sinew.materials.Stvk(young=1.0, poisson=0.1)
    for wrong, text in (({"young": 1, "poison": 0.3}, 'did you mean "poisson"'), ({"young": -1, "poisson": 0.3}, "-1"),
                        ({"young": 1}, "missing"), ({"young": float("nan"), "poisson": 0}, "nan")):
        with pytest.raises(ValueError, match=text):
            sinew.materials.Linear(**wrong)


def test_dicts_go_round():
    scene = block()
    data = scene.to_dict()
    again = sinew.Scene.from_dict(data, meshes=scene.meshes)
    assert again.to_dict() == data and json.loads(scene.to_json()) == data
    assert solved(again)[1] == solved(scene)[1]
    data["bodies"].clear()
    assert scene.data["bodies"]


def test_loading_with_changes(tmp_path):
    file = tmp_path / "scene.json"
    file.write_text("""{"sinew": 1, // a comment
      "bodies": {"b": {"mesh": {"box": {"cells": [1, 1, 1]}}, "material": {"model": "linear", "young": 1, "poisson": 0}}}}""")
    scene = sinew.Scene.load(file, set={"bodies.b.density": 10, "gravity": (0, 0, -1), "solve.method": "pbng"})
    assert scene.data["bodies"]["b"]["density"] == 10 and scene.gravity == (0, 0, -1)
    assert scene.build().method == "pbng"
    with pytest.raises(sinew.InputError, match="solve"):
        sinew.Scene.load(file, set={"solv.method": "pbng"})
    scene.set("bodies.b.density", 20)
    assert scene.build().mass.sum() == pytest.approx(20)


def test_errors_say_where(tmp_path):
    file = tmp_path / "scene.json"
    third = ' "material": {"model": "linear", "young": 1, "poisson": 0.7}}}}'
    file.write_text('{"sinew": 1,\n "bodies": {"b": {"mesh": {"box": {"cells": [1, 1, 1]}}, "densty": 1,\n' + third)
    with pytest.raises(sinew.InputError) as caught:
        sinew.Scene.load(file)
    assert len(caught.value.problems) == 2
    by_path = {problem.path: problem for problem in caught.value.problems}
    assert by_path["/bodies/b/material/poisson"].where.endswith(f"scene.json:3:{third.index('0.7') + 1}")
    assert 'did you mean "density"' in by_path["/bodies/b/densty"].what
    assert isinstance(caught.value, ValueError) and str(caught.value).count("\n") == 1
    with pytest.raises(OSError) as missing:
        sinew.Scene.load(tmp_path / "nothing.json")
    assert isinstance(missing.value, sinew.FileError) and "nothing.json" in missing.value.where


def test_check_tells_everything():
    scene = block()
    assert not [finding for finding in scene.check() if finding.severity == "error"]
    scene.data["attach"] = []
    scene.data["loads"] = [{"type": "force", "what": "block.nowhere", "value": [1, 0, 0]}]
    errors = [finding for finding in scene.check() if finding.severity == "error"]
    assert [finding.path for finding in errors] == ["/loads/0/what"]


def test_a_mesh_in_memory_needs_the_program():
    scene = sinew.Scene.from_dict(block().to_dict())
    with pytest.raises(sinew.InputError, match="no program gave one") as caught:
        scene.build()
    assert caught.value.path == "/bodies/block/mesh/memory"


def test_shapes():
    volumes = {
        "box": sinew.shapes.box(cells=(2, 2, 2), size=(1, 2, 3)).volume / 6,
        "ball": sinew.shapes.ball(radius=1, cells=24).volume / (4 / 3 * np.pi),
        "ellipsoid": sinew.shapes.ellipsoid(radii=(1, 2, 3), cells=24).volume / (8 * np.pi),
        "cylinder": sinew.shapes.cylinder(radius=1, length=2, cells=24, layers=4).volume / (2 * np.pi),
        "tube": sinew.shapes.tube(inner=0.5, outer=1, length=1, radial=2, around=48, layers=2).volume / (0.75 * np.pi),
        "torus": sinew.shapes.torus(major=2, minor=0.5, cells=12, around=64).volume / (np.pi ** 2),
        "capsule": sinew.shapes.capsule(radius=1, length=1, cells=24, layers=8).volume / (np.pi * (1 + 4 / 3)),
        "sheet": sinew.shapes.sheet(size=(2, 1), thickness=0.1, cells=(4, 2)).volume / 0.2,
        "shell": sinew.shapes.shell(inner=0.5, outer=1, radial=4, across=16).volume / (4 / 3 * np.pi * 0.875),
        "lattice": sinew.shapes.lattice(cell=0.1, solid={"ball": {"radius": 1}}).volume / (4 / 3 * np.pi),
    }
    for name, ratio in volumes.items():
        assert ratio == pytest.approx(1, abs=0.03), name
    assert set(volumes) == set(sinew.shapes.__all__)


def test_meshes_go_through_files(tmp_path):
    V, T = grid()
    swapped = T.copy()
    swapped[0, [0, 1]] = swapped[0, [1, 0]]
    mesh = sinew.Mesh(V, swapped, element_data={"young": np.arange(len(T))}, vertex_groups={"low": [0, 1, 1]})
    assert mesh.volume == pytest.approx(1) and "turned over 1" in mesh.notes[0]
    assert not sinew.write_mesh(tmp_path / "a.vtu", mesh)
    again = sinew.read_mesh(tmp_path / "a.vtu")
    assert (again.vertices == V).all() and (again.elements == mesh.elements).all()
    assert (again.element_data["young"] == np.arange(len(T))).all() and again.vertex_groups["low"].tolist() == [0, 1]
    notes = sinew.convert(tmp_path / "a.vtu", tmp_path / "b.obj")
    surface = sinew.read_mesh(tmp_path / "b.obj")
    assert not surface.is_solid and surface.volume == pytest.approx(1) and any("young" in note for note in notes)
    with pytest.raises(sinew.FileError):
        sinew.read_mesh(tmp_path / "nothing.vtu")
    with pytest.raises(sinew.FileError):
        sinew.write_mesh(tmp_path / "no" / "folder.vtu", mesh)


@pytest.mark.parametrize("elements", ["linear", "quadratic"])
def test_add_solid_tells_the_nodes_of_the_vertices(elements):
    V, T = grid()
    other = sinew.shapes.box(cells=(1, 1, 1), size=(1, 1, 1))
    loose = np.concatenate([[[9.0, 9, 9]], V[:5], [[8.0, 8, 8]], V[5:]])
    moved = np.concatenate([np.arange(1, 6), np.arange(7, len(loose))])
    scene = sinew.Scene()
    material = sinew.materials.Linear(young=1, poisson=0)
    assert (scene.add_solid("first", other, material=material) == np.arange(8)).all()
    with pytest.warns(UserWarning, match="loose: 2 of 29 vertices belong to no tet"):
        nodes = scene.add_solid("loose", loose, moved[T], material=material, elements=elements)
    model = scene.build()
    assert (np.flatnonzero(nodes < 0) == [0, 6]).all()
    kept = nodes >= 0
    assert (model.X[model.bodies["loose"].nodes][nodes[kept]] == loose[kept]).all()
    assert scene.add_solid("shape", {"box": {}}, material=material) is None


def test_add_solid_tells_the_nodes_of_the_largest_part():
    V, T = grid()
    crumb = np.array([[5.0, 0, 0], [5.1, 0, 0], [5, 0.1, 0], [5, 0, 0.1]])
    scene = sinew.Scene()
    nodes = scene.add_solid("body", np.concatenate([crumb, V]), np.concatenate([[[0, 1, 2, 3]], T + 4]), parts="largest",
                            material=sinew.materials.Linear(young=1, poisson=0))
    model = scene.build()
    assert (nodes[:4] == -1).all()
    assert (model.X[model.bodies["body"].nodes][nodes[4:]] == V).all()
