"""A small study from end to end: the same bytes from any division of the work, bad input, damage, a full disk."""
import contextlib
import fcntl
import pathlib
import resource
import shutil
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *
from data_sets import *

scene = write_scene("scene.json", BENT)
study = write_study("study.json")
write_scene("fine.json", BENT, bodies={"bar": {**BENT["bodies"]["bar"], "mesh": {"box": {"size": [1, 0.25, 0.25], "cells": [12, 3, 3]}}}})


def divisions():
    """One worker, two, two parts one after the other, latin and grid designs: byte for byte."""
    expect(0, ["batch", study, "-o", fresh("one"), "--jobs", 1, "--quiet"])
    expect(0, ["batch", study, "-o", fresh("two"), "--jobs", 2, "--quiet"])
    check(final_files("one") == final_files("two"), "two workers make other files than one")
    part = expect(0, ["batch", study, "-o", fresh("parts"), "--jobs", 1, "--shard", "1/2"], "left to others")
    check(not pathlib.Path("parts/dataset.json").exists(), "half a data set is described as a whole one")
    environment = {**os.environ, "SLURM_ARRAY_TASK_ID": "10", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "10"}
    expect(0, ["batch", study, "-o", "parts", "--jobs", 1, "--shard", "auto", "--quiet"], env=environment)
    check(final_files("one") == final_files("parts"), "two parts make other files than one run")
    status = json.loads(expect(0, ["batch", "status", "one", "--json"]).stdout)
    check(status["solved"] == 10 and status["complete"] == 3 and status["hash"], f"status: {status}")
    expect(0, ["batch", "status", "one"], "10 of 10 samples solved", status["hash"])
    expect(0, ["batch", study, "-o", "one", "--quiet"])  # nothing is left to do
    expect(0, ["batch", "verify", "one", "--solve", 4], "3 shards whole", "same bits", status["hash"])
    check_manifest("one", 10)
    grid = write_study("grid.json", design="grid", samples=None, vary={
        "turn": {**VARY["turn"], "steps": 2}, "law": {"path": "/bodies/bar/material/model",
                                                     "choose": ["stable_neo_hookean", "corotated"]}})
    expect(0, ["batch", grid, "-o", fresh("grid"), "--jobs", 2, "--quiet"])
    lines = manifest("grid")
    values = sorted((line["values"]["turn"], line["values"]["law"]) for line in lines)
    check(values == [(0, "corotated"), (0, "stable_neo_hookean"), (60, "corotated"), (60, "stable_neo_hookean")],
          f"grid: {values}")
    rows = write_study("rows.json", design="list", samples=None, list=[[10, 3e4, 0.5], [20, 1e5, 1]])
    expect(0, ["batch", rows, "-o", fresh("rows"), "--jobs", 1, "--quiet"])
    check([line["values"]["push"] for line in manifest("rows")] == [0.5, 1], "rows of a list")


def physics():
    """A stored sample is the equilibrium that `sinew run` finds for the same values."""
    values = manifest("one")[3]["values"]
    expect(0, ["run", scene, "-o", fresh("run"), "--quiet", "--set", f"/attach/1/motion/1/rotate/degrees={values['turn']}",
               "--set", f"/bodies/bar/material/young={values['young']}",
               "--set", f"/attach/1/motion/1/translate/0={-0.2 * values['push']}",
               "--set", f"/gravity/1={-9.81 * values['push']}"])
    stored = sample_array("one", 3, "bar.position")
    found = npz_array("run/frames/frame_00002.npz", "x")
    worst = max(abs(a - b) for a, b in zip(stored, found))
    check(len(stored) == len(found) and worst < 1e-5, f"sample 3 is {worst} from the run")


def damage():
    """A byte of a shard changes, another shard goes: verify finds both, topup makes the same bytes again."""
    before = final_files("one")
    shutil.copytree("one", fresh("hurt"))
    path = pathlib.Path("hurt/shards/00001.npz")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    pathlib.Path("hurt/shards/00002.jsonl").unlink()
    pathlib.Path("hurt/manifest.jsonl").write_text("")
    expect(1, ["batch", "verify", "hurt"], "00001.npz: its checksum", "shard 2 is missing", "manifest.jsonl", "topup")
    left, notes = pathlib.Path("hurt/shards/00001.npz.tmp.4000000"), pathlib.Path("hurt/notes.tmp.txt")
    left.write_text("of a killed process")
    notes.write_text("of the user")
    expect(0, ["batch", "topup", "hurt", "--jobs", 2, "--quiet"])
    check(not left.exists() and notes.exists(), "what a killed process left goes, what a user wrote stays")
    notes.unlink()
    check(final_files("hurt") == before, "topup made other bytes")
    expect(0, ["batch", "verify", "hurt"], "3 shards whole")
    # More samples: those that were there stay what they were.
    expect(0, ["batch", "topup", "hurt", "--samples", 14, "--jobs", 2, "--quiet"])
    check(manifest("hurt")[:10] == manifest("one"), "samples changed when others were added")
    check(len(manifest("hurt")) == 14, "14 samples")
    longer = write_study("longer.json", samples=14)
    expect(0, ["batch", longer, "-o", fresh("longer"), "--jobs", 2, "--quiet"])
    check(final_files("longer") == final_files("hurt"), "extended and made at once, they differ")
    expect(2, ["batch", study, "-o", "longer"], "holds 14 samples of this study")


def failures():
    """A body that nothing holds has no equilibrium under gravity: listed with reasons, the others are there."""
    write_scene("loose.json", BENT, attach=[])
    loose = write_study("loose_study.json", scene="loose.json", samples=None, design="list", list=[[0], [-9.81], [0], [-1]],
                        keep=["bar.position"], vary={"g": {"path": "/gravity/1", "from": 0, "to": -10}})
    expect(0, ["batch", loose, "-o", fresh("loose"), "--jobs", 1], "2 of 4 samples solved, 2 failed", "2 x ")
    failed = [json.loads(line) for line in pathlib.Path("loose/failed.jsonl").read_text().splitlines()]
    check([line["index"] for line in failed] == [1, 3] and all(line["reason"] and line["row"] is None for line in failed),
          f"failed.jsonl: {failed}")
    check(npz_array("loose/shards/00000.npz", "index") == [0, 2], "only solved samples are stored")
    expect(0, ["batch", "verify", "loose", "--solve", 6], "same bits")
    before = final_files("loose")
    expect(0, ["batch", "topup", "loose", "--failed", "--quiet"])
    after = final_files("loose")
    check([name for name in before if before[name] != after[name]] == ["dataset.json", "study.json"],
          "trying what cannot be solved again changes nothing")
    nothing = write_study("nothing.json", scene="loose.json", samples=None, design="list", list=[[-9.81]],
                          keep=["bar.position"], vary={"g": {"path": "/gravity/1", "from": 0, "to": -10}})
    expect(3, ["batch", nothing, "-o", fresh("nothing"), "--jobs", 1, "--quiet"])


def bad_input():
    """Every mistake has its place, and nothing is written."""
    vary = {"young": {"path": "/bodies/bar/material/yuong", "from": 1, "to": 2}}
    cases = [
        ({"vary": vary}, "bad.json:", "/vary/young", "did you mean \"young\""),
        ({"vary": {"young": {"path": "bodies.bra.density", "from": 1, "to": 2}}}, "did you mean \"bar\""),
        ({"vary": {"nu": {"path": "/bodies/bar/material/poisson", "from": 0.3, "to": 0.5}}}, "/vary/nu", "0.5", "less than 0.5"),
        ({"vary": {"n": {"path": "/bodies/bar/mesh/box/cells/0", "choose": [4, 5]}}}, "/vary/n", "topology", "nodes"),
        ({"vary": {"law": {"path": "/bodies/bar/material/model", "choose": ["stable_neo_hookean", "corotatd"]}}}, "corotated"),
        ({"vary": {"y": {"path": "/bodies/bar/density", "from": -1, "to": 2, "scale": "log"}}}, "above 0"),
        ({"vary": {"a": VARY["young"], "b": VARY["young"]}}, "sets already"),
        ({"vary": {"p": {"paths": ["/gravity/1"], "along": [[1, 2], [3]]}}}, "/vary/p/along/0", "one for each of the 1 paths"),
        ({"vary": {"p": {"path": "/gravity/1"}}}, "\"from\", \"choose\", \"along\""),
        ({"vary": {}}, "at least 1"),
        ({"keep": ["bar.positon"]}, "/keep/0", "unknown quantity"),
        ({"keep": ["bar.position", "bar.position"]}, "/keep/1", "second time"),
        ({"keep": []}, "at least 1"),
        ({"samples": 0}, "/samples", "at least 1"),
        ({"samples": None}, "\"samples\" is missing"),
        ({"design": "hallton"}, "did you mean \"halton\""),
        ({"design": "list"}, "\"list\" is missing"),
        ({"design": "list", "samples": None, "list": [[10, 3e4]]}, "/list/0", "3 variables"),
        ({"design": "list", "samples": None, "list": [[10, 3e4, 2]]}, "/list/0/2", "place between"),
        ({"scene": "nowhere.json"}, "nowhere.json"),
        ({"scene": "moving.json"}, "dynamic"),
        ({"sinew_study": 2}, "/sinew_study"),
        ({"shards": 3}, "did you mean \"shard\""),
    ]
    write_scene("moving.json", BENT, solve={"mode": "dynamic"})
    for changes, *texts in cases:
        code = 4 if changes.get("scene") == "nowhere.json" else 2
        expect(code, ["batch", write_study("bad.json", **changes), "-o", fresh("bad")], *texts)
        check(not pathlib.Path("bad").exists(), f"{changes}: a folder was made")
    (pathlib.Path("cut.json")).write_text('{"sinew_study": 1,')
    expect(2, ["batch", "cut.json"], "cut.json:1:")
    expect(2, ["batch"], "found no study")
    expect(2, ["batch", "stauts", "one"], "did you mean \"status\"")
    expect(2, ["batch", "status", "nowhere"], "is no data set")
    expect(2, ["batch", study, "-o", "one", "--shard", "2/2"], "0 <= i < N")
    expect(2, ["batch", study, "-o", "one", "--shard", "auto"], "SLURM_ARRAY_TASK_ID")
    expect(2, ["batch", study, "-o", "one", "--memory", 0.1], "--memory")
    other = write_study("other.json", seed=8)
    expect(2, ["batch", other, "-o", "one"], "another study", "--force")
    expect(2, ["batch", study, "-o", "run"], "holds no data set")
    shutil.copytree("one", fresh("foreign"))
    identity = json.loads(pathlib.Path("foreign/study.json").read_text())
    pathlib.Path("foreign/study.json").write_text(json.dumps({**identity, "binary": "0" * 16}))
    expect(2, ["batch", study, "-o", "foreign"], "another build")
    expect(2, ["batch", "topup", "foreign"], "another build")
    expect(0, ["batch", study, "-o", "foreign", "--force", "--jobs", 2, "--quiet"])
    check(final_files("foreign") == final_files("one"), "--force starts again")


def full_disk():
    """Files may not grow beyond a limit: exit 4, all that is there is whole, and later it goes on to the same bytes."""
    fine = write_study("fine_study.json", scene="fine.json", samples=8)
    expect(0, ["batch", fine, "-o", fresh("whole"), "--jobs", 2, "--quiet"])
    most = 25000  # [bytes]: a journal grows past it
    expect(4, ["batch", fine, "-o", fresh("full"), "--jobs", 2, "--quiet"], "File too large",
           preexec_fn=lambda: (resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)), ignore_size_signal()))
    for path in pathlib.Path("full").rglob("*"):
        check(".tmp." not in path.name, f"unfinished: {path}")
    expect(0, ["batch", "status", "full"], "0 of 8 samples solved")
    expect(0, ["batch", fine, "-o", "full", "--jobs", 2, "--quiet"])
    check(final_files("full") == final_files("whole"), "after a full disk the files differ")


def interrupted():
    """Ctrl-C: exit 130, then the same command goes on."""
    process = subprocess.Popen([TOOL, "batch", study, "-o", fresh("stopped"), "--jobs", "2"], stderr=subprocess.PIPE)
    wait_for(lambda: list(pathlib.Path("stopped").glob("shards/*.journal")) or process.poll() is not None)
    process.send_signal(2)
    _, told = process.communicate(timeout=60)
    check(process.returncode in (0, 130), f"exit {process.returncode}: {told}")
    check(not list(pathlib.Path("stopped").rglob("*.lock")), "locks are left")
    expect(0, ["batch", study, "-o", "stopped", "--jobs", 1, "--quiet"])
    check(final_files("stopped") == final_files("one"), "after an interruption the files differ")


def one_study_at_a_time():
    """While one process fills a folder nobody else replaces, changes or takes it; the same study may be joined."""
    long = write_study("long.json", scene="fine.json", samples=40, shard=4)
    other = write_study("other.json", seed=8)
    expect(0, ["batch", long, "-o", fresh("alone"), "--jobs", 2, "--quiet"])
    process = subprocess.Popen([TOOL, "batch", long, "-o", fresh("shared"), "--jobs", "1", "--quiet"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # At work, thus with its lock on the folder; stopped, it does not end while the others try.
    wait_for(lambda: list(pathlib.Path("shared").glob("shards/*")) or process.poll() is not None)
    process.send_signal(signal.SIGSTOP)
    check(process.poll() is None, "the long study was over before it could be stopped")
    expect(2, ["batch", other, "-o", "shared", "--force", "--jobs", 1], "another process")
    expect(2, ["batch", "topup", "shared", "--samples", 124, "--jobs", 1], "another process")
    expect(2, ["run", scene, "-o", "shared", "--force"], "another process")
    process.send_signal(signal.SIGCONT)
    expect(0, ["batch", long, "-o", "shared", "--jobs", 1, "--quiet"])
    told = process.communicate(timeout=120)
    check(process.returncode == 0, f"the first ends with {process.returncode}: {told}")
    check(final_files("shared") == final_files("alone"), "two processes made other files than one")
    pathlib.Path(fresh("held")).mkdir()
    with open_folder("held") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # as `sinew run` does
        expect(2, ["batch", study, "-o", "held", "--force", "--jobs", 1], "held: another process")
        check(not list(pathlib.Path("held").iterdir()), "the folder of another was written to")


@contextlib.contextmanager
def open_folder(path):
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def example():
    """The arm, with fewer samples and a coarse mesh."""
    folder = TREE / "examples" / "20_arm_data_set"
    shutil.rmtree("arm", ignore_errors=True)
    pathlib.Path("arm").mkdir()
    coarse = {"capsule": {"radius": 0.05, "length": 0.5, "cells": 6, "layers": 6}}
    text = without_comments(folder / "scene.json")
    text["bodies"]["flesh"]["mesh"] = coarse
    text["bodies"]["flesh"]["select"]["humerus"]["box"] = [[-0.02, -0.02, -0.26], [0.02, 0.02, -0.08]]
    text["bodies"]["flesh"]["select"]["ulna"]["box"] = [[-0.02, -0.02, 0.08], [0.02, 0.02, 0.26]]
    pathlib.Path("arm/scene.json").write_text(json.dumps(text))
    pathlib.Path("arm/study.json").write_text(json.dumps({**without_comments(folder / "study.json"), "samples": 12, "shard": 6}))
    expect(0, ["batch", "arm/study.json", "-o", "arm/data", "--jobs", 2], "12 of 12 samples solved")
    expect(0, ["batch", "check", folder / "study.json"], "500 samples in 8 shards")


divisions()
physics()
damage()
failures()
bad_input()
full_disk()
interrupted()
one_study_at_a_time()
example()
finish()
