# SPDX-License-Identifier: MIT
"""A real Slurm of several nodes on this machine, for the length of a `with` block: munged, slurmctld and one slurmd a node, run by
the calling user, with everything they write in one temporary folder.

As root every slurmd gets its own host name and /dev/shm, so that ranks of two nodes do not take each other for neighbours. Without
root, or in a container that forbids that, the nodes share the host, and the ranks talk by TCP only.
"""
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

# Slurm sets CUDA_VISIBLE_DEVICES for GPUs with a character device only. Nothing opens these.
FAKE_GPUS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "sinfo")


def search_path():
    return os.environ["PATH"] + ":/usr/sbin:/sbin"


def missing_programs():
    return [program for program in PROGRAMS if shutil.which(program, path=search_path()) is None]


def may_unshare():
    """Whether nodes can get their own host names."""
    probe = ["unshare", "--uts", "--mount", "--ipc", "sh", "-c", "hostname probe && mount -t tmpfs tmpfs /dev/shm"]
    return os.getuid() == 0 and subprocess.run(probe, capture_output=True, check=False).returncode == 0


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for sock in sockets:
        sock.bind(("127.0.0.1", 0))
    ports = [sock.getsockname()[1] for sock in sockets]
    for sock in sockets:
        sock.close()
    return ports


def slurm_version():
    text = subprocess.run(["slurmd", "-V"], env={"PATH": search_path()}, capture_output=True, text=True, check=True).stdout
    return tuple(int(number) for number in re.search(r"(\d+)\.(\d+)", text).groups())


class Cluster:
    """`settings`: further lines of slurm.conf, `main`: further options of the partition of that name, `partitions`: further ones;
    `credential_seconds`: how long credentials hold, and for as long a requeued job waits; `gpus`: fake ones of each node."""

    def __init__(self, nodes=2, cpus=4, settings=None, main="", partitions=(), credential_seconds=120, gpus=0):
        self.nodes = [f"node{i + 1}" for i in range(nodes)]
        self.cpus = cpus
        self.gpus = gpus
        self.settings = {"KillWait": 5, **({"GresTypes": "gpu"} if gpus else {}), **(settings or {})}
        self.main, self.partitions = main, partitions
        self.credential_seconds = credential_seconds
        self.separate = may_unshare()
        self.folder = Path(tempfile.mkdtemp(prefix="halotherm-slurm-"))
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SBATCH", "PMIX"))}
        self.environment.update(PATH=search_path(), SLURM_CONF=str(self.folder / "slurm.conf"))
        self.environment["OMPI_MCA_mpi_yield_when_idle"] = "1"  # srun, unlike mpirun, does not see that cores are few
        if not self.separate:
            self.environment["OMPI_MCA_btl"] = "self,tcp"
        self.daemons = []
        self.slurmds = {}

    def __enter__(self):
        try:
            self.configure()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def run(self, *command, timeout=120):
        return subprocess.run(command, env=self.environment, timeout=timeout, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def configure(self):
        self.folder.chmod(0o755)
        (self.folder / "state").mkdir(mode=0o755)
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(1024))
        control, *ports = free_ports(1 + len(self.nodes))
        host, user = socket.gethostname().split(".")[0], subprocess.check_output(["id", "-un"], text=True).strip()
        template = (Path(__file__).parent / "slurm.conf.in").read_text(encoding="utf-8")
        gpus = f" Gres=gpu:{self.gpus}" if self.gpus else ""
        nodes = [f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={self.cpus} RealMemory=1000{gpus}"
                 for node, port in zip(self.nodes, ports)]
        text = template.format(host=host, user=user, port=control, folder=self.folder, nodes="\n".join(nodes), main=self.main,
                               settings="\n".join(f"{name}={value}" for name, value in self.settings.items()),
                               partitions="\n".join(self.partitions), credential_seconds=self.credential_seconds)
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")
        gres = "".join(f"NodeName={node} Name=gpu File={file}\n" for node in self.nodes for file in FAKE_GPUS[:self.gpus])
        (self.folder / "gres.conf").write_text(gres, encoding="utf-8")
        # Containers have no cgroup hierarchy of their own, and slurmd gives up when it looks for one.
        plugin = "disabled" if slurm_version() >= (24, 5) else "cgroup/v1"
        (self.folder / "cgroup.conf").write_text(f"CgroupPlugin={plugin}\n", encoding="utf-8")
        # With Slurm 22.05 the default fence lets ranks out of MPI_Init too early.
        (self.folder / "mpi.conf").write_text("PMIxCollFence=ring\n", encoding="utf-8")

    def daemon(self, *command):
        log = open(self.folder / f"{len(self.daemons)}.log", "wb")  # closed with the process that it is handed to
        with log:
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                                 stderr=log, start_new_session=True))
        return self.daemons[-1]

    def start(self):
        name = self.folder / "munge"
        self.daemon("munged", "--foreground", "--force", f"--key-file={name}.key", f"--socket={name}.socket",
                    f"--pid-file={name}.pid", f"--log-file={name}.log", f"--seed-file={name}.seed")
        self.wait_until(lambda: Path(f"{name}.socket").exists(), "munged listens")
        self.daemon("slurmctld", "-D", "-f", self.environment["SLURM_CONF"])
        for node in self.nodes:
            self.start_node(node)
        self.wait_until(lambda: self.idle_nodes() == self.nodes, "all nodes are idle")

    def start_node(self, node):
        """As after a boot: what a killed job step leaves in these folders makes Slurm 22.05 fail to launch the same step again."""
        for name in (f"spool.{node}", f"tmp.{node}"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir(mode=0o755)
        command = f"exec slurmd -D -f {self.environment['SLURM_CONF']} -N {node}"
        apart = []
        if self.separate:
            apart = ["unshare", "--uts", "--mount", "--ipc"]
            command = f"hostname {node} && mount -t tmpfs tmpfs /dev/shm && {command}"
        self.slurmds[node] = self.daemon(*apart, "sh", "-c", command)

    def idle_nodes(self):
        return sorted(set(self.run("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").stdout.split()))  # once per partition

    def processes_of(self, node):
        """slurmd, job steps, and whatever they have started there; only if nodes have their own host names."""
        names = os.readlink(f"/proc/{self.slurmds[node].pid}/ns/uts")
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "ns/uts") == names:
                    found.append(int(process.name))
            except OSError:
                continue
        return found

    def freeze(self, node):
        """As if its power were cut: connections stay open, nobody answers."""
        for process in self.processes_of(node):
            os.kill(process, signal.SIGSTOP)

    def kill(self, node):
        """All at once: nobody there can tell of the others' end. What had connections to it learns of it at once."""
        self.freeze(node)
        for process in self.processes_of(node):
            os.kill(process, signal.SIGKILL)
        self.daemons.remove(self.slurmds[node])
        self.slurmds.pop(node).wait()

    def wait_until(self, condition, what, seconds=40):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or any(daemon.poll() is not None for daemon in self.daemons):
                logs = "\n".join(f"== {log}\n{log.read_text(errors='replace')[-3000:]}" for log in self.folder.glob("*.log"))
                raise RuntimeError(f"waited in vain until {what}\n{logs}")
            time.sleep(0.1)

    def stop(self):
        if len(self.daemons) > 1:
            self.run("scancel", f"--user={os.getuid()}", timeout=20)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for process in self.left_processes():  # job steps live in sessions of their own
            os.kill(process, signal.SIGKILL)
        shutil.rmtree(self.folder)

    def left_processes(self):
        """Processes, other than this one, that were started with this cluster's configuration."""
        mark, found = str(self.folder).encode(), []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                text = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
                state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue  # gone meanwhile, or another user's
            if mark in text and state != "Z" and int(process.name) != os.getpid():
                found.append(int(process.name))
        return found
