# SPDX-License-Identifier: MIT
"""Runs of two hosts into a folder that they share by a network file system: the files have the same bytes as on a local disk, a
restart goes on to the same bits, and a server that goes away ends the run as a disk does that fails.

    HALOTHERM=... MPIEXEC=mpirun two_hosts.py [--writers background parallel-hdf5] [--cells 96]"""
import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from gluster_hosts import GlusterHosts, NotPossible, missing

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import h5py  # noqa: E402
from hosts import run_or_skip  # noqa: E402

STEPS, EVERY, LIMIT = 40, 20, 240


def case(cells, writer):
    return {"title": "On a network disk", "grid": {"cells": [cells, cells, cells], "upper": [1, 1, 1]},
            "materials": {"solid": {"conductivity": "400 + x*z", "density": 8960, "heat_capacity": 385}},
            "initial": {"temperature": "300 + 50*sin(9*x + 5*y)*cos(7*z)"}, "time": {"steps": STEPS},
            "output": {"directory": "results", "checkpoint": {"steps": EVERY, "keep": 3}, "diagnostics": {"steps": 10},
                       **({"writer": writer} if writer else {})}}


def checkpoint(folder, step):
    return folder / "results/checkpoints" / f"checkpoint_{step:010}.h5"


class Network:
    def __init__(self, hosts, local, cells):
        self.hosts, self.local, self.cells = hosts, local, cells

    def start(self, seen, here, writer, cut, *arguments):
        """Starts 2 + 2 ranks in a folder that they see as `seen`, and this machine as `here`."""
        here.mkdir(parents=True, exist_ok=True)
        (here / "case.yaml").write_text(json.dumps(case(self.cells, writer)), encoding="utf-8")
        words = [*self.hosts.mpirun(self.hosts.names, 2), "--wdir", str(seen), os.environ["HALOTHERM"], "run", "case.yaml",
                 "--set", f"parallel.ranks={cut}", *arguments]
        return subprocess.Popen(words, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, *words):
        job = self.start(*words)
        try:
            text, _ = job.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            job.kill()
            raise AssertionError(f"the run has not ended after {LIMIT} s") from None
        assert job.returncode == 0, f"exit {job.returncode}\n{text}"
        return text

    def shared(self, name):
        return self.hosts.mount / name, self.hosts.brick / name

    def alone(self, name):
        return self.local / name, self.local / name

    def test_writer(self, writer):
        """Undisturbed on both disks; then from the first checkpoint on, by another cut."""
        for folder in (self.shared(f"whole-{writer}"), self.alone(f"whole-{writer}")):
            self.run(*folder, writer, "[2, 2, 1]")
        there, here = self.shared(f"whole-{writer}")[1], self.local / f"whole-{writer}"
        for step in (EVERY, STEPS):
            assert checkpoint(there, step).read_bytes() == checkpoint(here, step).read_bytes(), f"other bytes on the network disk, step {step}"
        self.tell_rates(writer, there, here)
        checkpoint(there, STEPS).rename(self.local / f"{writer}.h5")
        self.run(*self.shared(f"whole-{writer}"), writer, "[1, 1, 4]", "--restart", "latest")
        with h5py.File(checkpoint(there, STEPS)) as one, h5py.File(self.local / f"{writer}.h5") as other:
            assert one["T"][...].tobytes() == other["T"][...].tobytes(), "another temperature after a restart"
            return one["T"][...].tobytes() + one["checksums"][...].tobytes()

    def tell_rates(self, writer, there, here):
        for name, folder in (("network", there), ("local", here)):
            report = json.loads((folder / "results/report.json").read_text(encoding="utf-8"))
            print(f"{writer} on the {name} disk: {json.dumps(report['checkpoints'])}", flush=True)

    def tell_plain_rate(self):
        megabytes = max(1, self.cells**3 * 8 >> 20)
        words = ["dd", "if=/dev/zero", f"of={self.hosts.mount}/dd", "bs=1M", f"count={megabytes}", "conv=fsync"]
        done = subprocess.run(self.hosts.words_on(self.hosts.names[0], *words), text=True, capture_output=True, check=True)
        print("dd of one host:", done.stderr.splitlines()[-1])

    def test_lost_server(self, writer):
        """The last of the tests: nothing is shared any more afterwards."""
        seen, here = self.shared(f"lost-{writer}")
        job = self.start(seen, here, writer, "[2, 2, 1]", "--set", "time.steps=100000", "--set", "watchdog.seconds=20")
        begin = time.monotonic()
        while not checkpoint(here, EVERY).exists():
            assert job.poll() is None and time.monotonic() - begin < LIMIT, "no checkpoint is written"
            time.sleep(0.02)
        self.hosts.server.kill()
        begin = time.monotonic()
        try:
            text, _ = job.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            job.kill()
            raise AssertionError(f"{writer}: the run still lives {LIMIT} s after the server was lost") from None
        lines = re.findall("^halotherm: .*", text, re.MULTILINE)
        print(f"{writer}, the server lost: exit {job.returncode} after {time.monotonic() - begin:.1f} s: {lines}", flush=True)
        assert job.returncode == 4 and lines, f"exit {job.returncode}\n{text}"


def test(work, writers, cells):
    if reason := missing():
        raise NotPossible(reason)
    fields = []
    for writer in writers:
        folder = work / writer
        folder.mkdir()
        with GlusterHosts(folder) as hosts:
            network = Network(hosts, folder / "local", cells)
            network.tell_plain_rate()
            fields.append(network.test_writer(writer))
            network.test_lost_server(writer)
    assert all(field == fields[0] for field in fields), "writers' files differ in /T or its checksums"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", nargs="+", default=["background", "parallel-hdf5"], help="values of output.writer")
    parser.add_argument("--cells", type=int, default=96, help="along each axis")
    options = parser.parse_args()
    run_or_skip(lambda work: test(work, options.writers, options.cells), "halotherm-network-")


main()
