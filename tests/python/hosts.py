# SPDX-License-Identifier: MIT
"""Several hosts on this machine, for the length of a `with` block: network namespaces on a bridge, each with its own host name and
/dev/shm, in which mpirun starts ranks. Needs root and iproute2."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# $1: the host's address, the rest: what mpirun would hand to ssh
AGENT = """#!/bin/sh
while [ "${{1#-}}" != "$1" ]; do shift; done
host={prefix}h${{1##*.}}
shift
exec ip netns exec "$host" unshare --uts --mount --ipc sh -c \\
  'hostname "$0" && mount -t tmpfs tmpfs /dev/shm && exec sh -c "$*"' "$host" "$@"
"""


def ip(*arguments, check=True):
    return subprocess.run(["ip", *arguments], check=check, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


class NotPossible(Exception):
    """Such hosts cannot be made here; says why."""


def missing():
    """Why there can be no such hosts here, if so."""
    if os.getuid() != 0:
        return "not root"
    if not shutil.which("ip"):
        return "no iproute2"
    trial = f"ht{os.getpid()}try"
    try:
        ip("netns", "add", trial)
        ip("link", "add", trial[:15], "type", "bridge")
    except subprocess.CalledProcessError as error:
        return f"no network namespaces and bridges: {error.stdout.strip()}"
    finally:
        ip("link", "del", trial[:15], check=False)
        ip("netns", "del", trial, check=False)
    return None


def run_or_skip(test, prefix):
    """Calls test(folder) with a temporary folder, then exits if it cannot run here (77) or found something wrong (1)."""
    try:
        with tempfile.TemporaryDirectory(prefix=prefix) as temporary:
            test(Path(temporary))
    except NotPossible as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    except AssertionError as failure:
        sys.exit(f"FAILED: {failure}")


class Hosts:
    def __init__(self, folder, count=2):
        self.prefix = f"ht{os.getpid()}"  # names of links have 15 characters at most
        self.network = f"10.213.{os.getpid() % 250}"
        self.names = [f"{self.prefix}h{n + 1}" for n in range(count)]
        self.addresses = [f"{self.network}.{n + 1}" for n in range(count)]
        self.messages = self.network  # by which ranks reach each other
        self.settings = {"mpi_yield_when_idle": 1}  # MCA parameters; mpirun does not see that its hosts share their cores
        self.agent = Path(folder) / "agent"

    def __enter__(self):
        try:
            self.agent.write_text(AGENT.format(prefix=self.prefix), encoding="utf-8")
            self.agent.chmod(0o755)
            bridge = f"{self.prefix}b"
            ip("link", "add", bridge, "type", "bridge")
            ip("address", "add", f"{self.network}.254/24", "dev", bridge)
            ip("link", "set", bridge, "up")
            for name, address in zip(self.names, self.addresses):
                ip("netns", "add", name)
                ip("link", "add", self.cable(name), "type", "veth", "peer", "name", "eth0", "netns", name)
                ip("link", "set", self.cable(name), "master", bridge, "up")
                ip("-n", name, "address", "add", f"{address}/24", "dev", "eth0")
                ip("-n", name, "link", "set", "eth0", "up")
                ip("-n", name, "link", "set", "lo", "up")
        except BaseException as error:
            self.__exit__()
            if isinstance(error, subprocess.CalledProcessError):  # containers forbid one thing or the other
                raise NotPossible(f"{' '.join(error.cmd)}: {error.stdout.strip()}") from None
            raise
        return self

    def __exit__(self, *_):
        for name in self.names:
            for process in self.processes(name):
                os.kill(process, signal.SIGKILL)
            ip("link", "del", self.cable(name), check=False)  # a namespace takes its time to give it up
            ip("netns", "del", name, check=False)
        ip("link", "del", f"{self.prefix}b", check=False)

    def mpirun(self, names, ranks=1, **settings):
        """The words that start so many ranks on each of these hosts, with further MCA parameters."""
        settings = {"plm_rsh_agent": self.agent, "oob_tcp_if_include": f"{self.network}.0/24",
                    "btl_tcp_if_include": f"{self.messages}.0/24", **self.settings, **settings}
        places = [f"{self.addresses[self.names.index(name)]}:{ranks}" for name in names]
        return [os.environ["MPIEXEC"], "--bind-to", "none", "-H", ",".join(places), "-n", str(ranks * len(names)),
                *(word for name, value in settings.items() for word in ("--mca", name, str(value)))]

    def cable(self, name):
        return f"{self.prefix}c{self.names.index(name) + 1}"

    def cut(self, name):
        ip("link", "set", self.cable(name), "down")

    def processes(self, name):
        return [int(word) for word in ip("netns", "pids", name, check=False).split() if word.isdigit()]

    def left(self):
        """Namespaces and links of these hosts that still exist."""
        return [word for word in (ip("netns", "list") + ip("-o", "link")).split() if word.startswith(self.prefix)]

    def wait_until_empty(self, name, seconds):
        """How long processes of this host go on, at most `seconds`."""
        start = time.monotonic()
        while self.processes(name) and time.monotonic() - start < seconds:
            time.sleep(0.1)
        return time.monotonic() - start
