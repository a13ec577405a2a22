# SPDX-License-Identifier: MIT
"""Hosts on this machine that share a folder over their network: each mounts it from a GlusterFS server by a client, and so a page
cache, of its own. Needs root, iproute2, /dev/fuse and the package glusterfs-server."""
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from hosts import Hosts, NotPossible  # noqa: E402
from hosts import missing as missing_for_hosts  # noqa: E402

PORT = 24117
SERVER = """
volume brick
  type storage/posix
  option directory {brick}
end-volume
volume locks
  type features/locks
  subvolumes brick
end-volume
volume threads
  type performance/io-threads
  subvolumes locks
end-volume
volume server
  type protocol/server
  option transport-type tcp
  option transport.socket.bind-address {address}
  option transport.socket.listen-port {port}
  option auth.addr.threads.allow *
  subvolumes threads
end-volume
"""
CLIENT = """
volume remote
  type protocol/client
  option transport-type tcp
  option remote-host {address}
  option remote-port {port}
  option remote-subvolume threads
end-volume
volume behind
  type performance/write-behind
  subvolumes remote
end-volume
"""
# $1: the host's address, the rest: what mpirun would hand to ssh
AGENT = """#!/bin/sh
while [ "${{1#-}}" != "$1" ]; do shift; done
host=$(cat {folder}/keeper_${{1##*.}})
shift
exec nsenter --target "$host" --net --uts --mount --ipc sh -c "$*"
"""
KEEPER = """
hostname {name}
mount -t tmpfs tmpfs /dev/shm
glusterfs -N --volfile={folder}/client.vol --log-file={folder}/{name}.log {mount} &
until mountpoint -q {mount}; do kill -0 $! && sleep 0.05 || exit 1; done
echo ready
exec sleep infinity
"""


def missing():
    """Why there can be no such hosts here, if so."""
    if reason := missing_for_hosts():
        return reason
    if not os.path.exists("/dev/fuse"):
        return "no /dev/fuse"
    return next((f"no {program}" for program in ("glusterfsd", "glusterfs", "nsenter") if not shutil.which(program)), None)


class GlusterHosts(Hosts):
    """`mount`: the shared folder, as every host sees it; `brick`: the same on the server, which is this machine."""

    def __init__(self, folder, count=2):
        super().__init__(folder, count)
        self.folder, self.mount, self.brick = Path(folder), Path(folder) / "shared", Path(folder) / "brick"
        self.server, self.keepers = None, {}

    def __enter__(self):
        super().__enter__()
        try:
            self.agent.write_text(AGENT.format(folder=self.folder), encoding="utf-8")
            self.start_server()
            for number, name in enumerate(self.names):
                self.keepers[name] = self.start_keeper(name)
                (self.folder / f"keeper_{number + 1}").write_text(str(self.keepers[name].pid), encoding="utf-8")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        super().__exit__()  # ends what runs on the hosts, their clients among it
        for process in [*self.keepers.values(), *([self.server] if self.server else [])]:
            process.kill()
            process.wait()

    def start_server(self):
        self.brick.mkdir(exist_ok=True)
        self.mount.mkdir(exist_ok=True)
        places = {"brick": self.brick, "address": f"{self.network}.254", "port": PORT}
        for name, text in (("server", SERVER), ("client", CLIENT)):
            (self.folder / f"{name}.vol").write_text(text.format(**places), encoding="utf-8")
        self.server = subprocess.Popen(["glusterfsd", "-N", f"--volfile={self.folder}/server.vol", f"--log-file={self.folder}/server.log"])
        listening = f":{PORT:04X} "
        for _ in range(200):
            if listening in Path("/proc/net/tcp").read_text(encoding="utf-8"):
                return
            time.sleep(0.05)
        raise NotPossible("glusterfsd does not listen: " + (self.folder / "server.log").read_text(encoding="utf-8")[-500:])

    def start_keeper(self, name):
        """The process that holds the host's name spaces, and its mount."""
        script = KEEPER.format(name=name, folder=self.folder, mount=self.mount)
        keeper = subprocess.Popen(["ip", "netns", "exec", name, "unshare", "--uts", "--mount", "--ipc", "sh", "-c", script],
                                  stdout=subprocess.PIPE, text=True)
        if keeper.stdout.readline() != "ready\n":
            raise NotPossible("glusterfs cannot mount: " + (self.folder / f"{name}.log").read_text(encoding="utf-8")[-500:])
        return keeper

    def words_on(self, name, *words):
        """The words that run a command on a host."""
        return ["nsenter", "--target", str(self.keepers[name].pid), "--net", "--uts", "--mount", "--ipc", *words]
