"""A Slurm cluster of one node in a folder of its own: munged, slurmctld and slurmd, on ports that nobody else uses.

    with SlurmCluster(tasks=4) as cluster:
        cluster.run("sbatch", "--wrap", "true")

Everything that it starts ends with the block, whatever happens in it. Needs root, as slurmd does.
"""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")


def reason_against():
    """Why no cluster can be started here; empty: it can."""
    missing = [name for name in PROGRAMS if not find(name)]
    if missing:
        return f"{', '.join(missing)} not found; the packages slurm-wlm and munge have them"
    if os.geteuid() != 0:
        return "slurmd needs root"
    return ""


def find(name):
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class SlurmCluster:
    def __init__(self, tasks):
        """`tasks`: how many run at the same time, whatever the machine has."""
        self.tasks = tasks
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="slurm."))  # sockets want short paths
        self.processes = []
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        try:
            self.write_files()
            self.start("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                       f"--key-file={self.folder}/munge.key", f"--pid-file={self.folder}/munge.pid",
                       f"--log-file={self.folder}/munge.log", f"--seed-file={self.folder}/munge.seed")
            self.wait_for(lambda: (self.folder / "munge.socket").exists(), "munged")
            self.start("slurmctld", "-D", "-i")
            self.start("slurmd", "-D", "-N", "node")
            self.wait_for(lambda: "idle" in self.run("sinfo", "-h", "-o", "%t", check=False).stdout, "an idle node")
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        if len(self.processes) == 3 and all(one.poll() is None for one in self.processes):
            jobs = [line for line in self.run("squeue", "-h", "-o", "%A", check=False).stdout.split()]
            if jobs:
                self.run("scancel", *sorted(set(jobs)), check=False)
                with contextlib.suppress(TimeoutError):
                    self.wait_for(lambda: not self.run("squeue", "-h", check=False).stdout, "the end of all jobs")
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def write_files(self):
        control, node = free_ports(2)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        host = socket.gethostname().split(".")[0]
        # A node takes as many tasks as it is told to (config_overrides), and Slurm keeps its hands off cgroups, which a
        # container may lack.
        (self.folder / "slurm.conf").write_text(f"""\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2
MinJobAge=300
KillWait=5
NodeName=node NodeAddr=127.0.0.1 NodeHostname={host} CPUs={self.tasks} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")

    def start(self, name, *arguments):
        with open(self.folder / f"{name}.out", "wb") as out:
            self.processes.append(subprocess.Popen(
                [find(name), *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=self.environment))

    def run(self, name, *arguments, check=True):
        """CompletedProcess of one of Slurm's commands."""
        done = subprocess.run([find(name), *map(str, arguments)], capture_output=True, text=True, timeout=60,
                              env=self.environment)
        if check and done.returncode != 0:
            raise RuntimeError(f"{name} {' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr}")
        return done

    def wait_for(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"no {what} after {seconds} s\n{self.logs()}")
            for process in self.processes:
                if process.poll() is not None:
                    raise RuntimeError(f"{process.args[0]} ended with {process.returncode}\n{self.logs()}")
            time.sleep(0.1)

    def logs(self):
        """The last lines of what the daemons had to say."""
        texts = [f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-15:])
                 for path in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out"))]
        return "\n".join(texts)
