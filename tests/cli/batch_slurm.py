"""`sinew batch slurm` without Slurm: the scripts do the work in any shell that has the variables of a job array."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "shared"))
from sinew_tool import *
from data_sets import *

write_scene("scene.json", BENT)
study = write_study("study.json")
folder = fresh("a data set")


def run_script(name, **variables):
    return subprocess.run(["bash", pathlib.Path(folder, "slurm", name).absolute()], capture_output=True, text=True, timeout=300,
                          cwd="/", env={**os.environ, **variables})


printed = expect(0, ["batch", "slurm", study, "-o", folder, "--array", 2, "--dry-run"]).stdout.splitlines()
check([pathlib.Path(line).name for line in printed] == ["array.sh", "collect.sh"], f"--dry-run prints {printed}")
for i in (1, 0):
    early = run_script("collect.sh")
    check(early.returncode == 1 and "missing" in early.stderr, f"collected too early: {early}")
    done = run_script("array.sh", SLURM_ARRAY_TASK_ID=str(i), SLURM_ARRAY_TASK_COUNT="2", SLURM_ARRAY_TASK_MIN="0")
    check(done.returncode == 0 and f"part {i} of 2" in done.stderr, f"task {i}: {done}")
done = run_script("collect.sh")
check(done.returncode == 0 and "10 of 10 samples solved" in done.stdout, f"collect: {done}")
expect(0, ["batch", study, "-o", fresh("one"), "--jobs", 1, "--quiet"])
check({name: data for name, data in final_files(folder).items() if not name.startswith("slurm/")} == final_files("one"),
      "two tasks make other files than one worker")

# A worker whose starter is gone ends, and its shard is free.
expect(0, ["batch", "prepare", study, "-o", fresh("left"), "--quiet"])
reader, writer = os.pipe()
os.close(reader)
ended = sinew("batch", "work", "left", "--worker-pipe", writer, pass_fds=[writer])
os.close(writer)
check(ended.returncode == 130, f"nobody listens: {ended}")
check(not list(pathlib.Path("left/shards").glob("*.lock")), "a lock was left")

expect(5, ["batch", "slurm", study, "-o", folder, "--array", 9], "sbatch", "slurm-wlm", "3 shards", env={"PATH": "/nowhere"})
expect(2, ["batch", "slurm", study, "-o", folder], "--array")
expect(2, ["batch", "slurm", "-o", folder, "--array", 2], "takes one study")
expect(2, ["batch", "slurm", study, "-o", fresh("100%"), "--array", 2, "--dry-run"], "Slurm cannot write logs")
expect(2, ["batch", "slurm", study, "-o", folder, "--array", 2, "--dry-run", "--sbatch", "--time=1\nrm x"], "control character")
expect(2, ["batch", "collect", "nowhere"], "is no data set")
finish()
