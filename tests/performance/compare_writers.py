# SPDX-License-Identifier: MIT
"""What checkpoints cost by one way of writing them and by another: in turns, as medians, beside plain writes of the same bytes.

    compare_writers.py --variant old=/path/to/another/halotherm --variant background=build/cpu/bin/halotherm,output.writer=background
                       --variant ompio=build/cpu/bin/halotherm,output.writer=parallel-hdf5
                       --variant romio=build/cpu/bin/halotherm,output.writer=parallel-hdf5,mca:io=romio321
                       [--folder . /dev/shm] [--cells 192] [--ranks 4] [--steps 60] [--rounds 5] [--cut z x 3d]

A variant is a program, settings KEY=VALUE of its runs, and parameters mca:NAME=VALUE of Open MPI. A run writes a checkpoint in the
middle of its steps (3 of them with --checkpoints 3) and one at its end; another run writes the last one only. Of their differences:
the steps' time and what the run waited for a checkpoint within. The rate is that of the values' way to the disk, as the report has it.
The memory is the highest of a rank (VmHWM), beyond that of a run that writes none."""
import argparse
import json
import math
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# prints the most memory of any rank's process, after it has ended
WRAPPER = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print("VmHWM", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, "kB", flush=True)
sys.exit(code)
"""


def case(cells, cut, steps, every):
    last = {"steps": every} if every else {}
    return {"title": "Compared", "grid": {"cells": [cells] * 3, "upper": [1, 1, 1]},
            "materials": {"solid": {"conductivity": 401, "density": 8960, "heat_capacity": 385}},
            "initial": {"temperature": "300 + 100*x*y"}, "time": {"steps": steps},
            "parallel": {"ranks": cut, "transport": "device"},
            "output": {"directory": "results", "checkpoint": last}}


def cut_of(name, ranks):
    if name == "3d":
        x = max(n for n in range(1, ranks + 1) if ranks % n == 0 and n**3 <= ranks)
        y = max(n for n in range(1, ranks // x + 1) if ranks // x % n == 0 and n * n <= ranks // x)
        return [y, ranks // x // y, x]
    return [ranks if axis == name else 1 for axis in "xyz"]


class Variant:
    def __init__(self, text):
        self.name, rest = text.split("=", 1)
        program, *settings = rest.split(",")
        self.program = str(Path(program).resolve())
        self.mca = [word for setting in settings if setting.startswith("mca:") for word in ("--mca", *setting[4:].split("=", 1))]
        self.settings = [word for setting in settings if not setting.startswith("mca:") for word in ("--set", setting)]

    def run(self, folder, config):
        """(report, most memory of a rank [bytes])"""
        ranks = math.prod(config["parallel"]["ranks"])
        with tempfile.TemporaryDirectory(prefix="halotherm-compare-", dir=folder) as work:
            (Path(work) / "case.yaml").write_text(json.dumps(config), encoding="utf-8")
            words = [os.environ.get("MPIEXEC", "mpirun"), "-n", str(ranks), *self.mca, sys.executable, "-c", WRAPPER, self.program,
                     "run", "case.yaml", *self.settings]
            done = subprocess.run(words, cwd=work, text=True, check=False, timeout=300, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                sys.exit(f"{self.name}: exit {done.returncode}\n{done.stdout}")
            memory = max(int(kilobytes) for kilobytes in re.findall(r"VmHWM (\d+) kB", done.stdout))
            return json.loads((Path(work) / "results/report.json").read_text(encoding="utf-8")), memory << 10


def write_part(file, begin, count, gate, ends):
    block = bytes(range(256)) * (1 << 15)
    descriptor = os.open(file, os.O_WRONLY)
    gate.wait()
    start = time.monotonic()
    for place in range(begin, begin + count, len(block)):
        os.pwrite(descriptor, block[:min(len(block), begin + count - place)], place)
    os.fsync(descriptor)
    ends.put((start, time.monotonic()))


def raw_rate(folder, size, writers):
    """Of so many processes that write a part each of one file, its space set aside before, and flush it [bytes/s]."""
    with tempfile.TemporaryDirectory(prefix="halotherm-compare-", dir=folder) as work:
        file = os.path.join(work, "raw")
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT)
        os.posix_fallocate(descriptor, 0, size)
        os.close(descriptor)
        gate, ends = multiprocessing.Barrier(writers), multiprocessing.Queue()
        jobs = [multiprocessing.Process(target=write_part, args=(file, size * n // writers, size // writers, gate, ends))
                for n in range(writers)]
        for job in jobs:
            job.start()
        spans = [ends.get() for _ in jobs]
        for job in jobs:
            job.join()
        return size / (max(end for _, end in spans) - min(begin for begin, _ in spans))


def dd_rate(folder, size):
    with tempfile.TemporaryDirectory(prefix="halotherm-compare-", dir=folder) as work:
        start = time.monotonic()
        subprocess.run(["dd", "if=/dev/zero", f"of={work}/dd", "bs=1M", f"count={size >> 20}", "conv=fsync"], check=True,
                       stderr=subprocess.DEVNULL)
        return size / (time.monotonic() - start)


def measured(variant, folder, options, cut):
    """One round: what a checkpoint costs."""
    steps, count = options.steps, options.checkpoints
    with_it, memory = variant.run(folder, case(options.cells, cut, steps, steps // (count + 1)))
    without, _ = variant.run(folder, case(options.cells, cut, steps, 0))
    written = with_it["checkpoints"]
    more = with_it["checkpoints"]["files"] - without["checkpoints"]["files"]
    return {"s of the run": (with_it["seconds"] - without["seconds"]) / more,
            "s waited": (written["waited"] - without["checkpoints"]["waited"]) / more,
            "s latency": written["latency"] / written["files"],
            "GB/s": 1e-9 * written["bytes"] / written["seconds"], "MB a rank": 1e-6 * memory}


def compare(options, folder, cut_name):
    cut = cut_of(cut_name, options.ranks)
    size = options.cells**3 * 8
    rows = {variant.name: [] for variant in options.variant}
    raw, plain = [], []
    for _ in range(options.rounds):
        for variant in options.variant:
            rows[variant.name].append(measured(variant, folder, options, cut))
        raw.append(1e-9 * raw_rate(folder, size, options.ranks))
        plain.append(1e-9 * dd_rate(folder, size))
    print(f"\n{folder}: {options.cells}^3 cells, {1e-6 * size:.0f} MB, cut {'x'.join(map(str, cut))}, medians of {options.rounds} (range)")
    print(f"  raw parallel write and fsync {statistics.median(raw):.2f} GB/s ({min(raw):.2f} to {max(raw):.2f}), "
          f"dd {statistics.median(plain):.2f} ({min(plain):.2f} to {max(plain):.2f})")
    for name, rounds in rows.items():
        texts = []
        for key in rounds[0]:
            values = [row[key] for row in rounds]
            texts.append(f"{key} {statistics.median(values):.3f} ({min(values):.3f} to {max(values):.3f})")
        share = statistics.median(row["GB/s"] / rate for row, rate in zip(rounds, raw))
        print(f"  {name:14} {'; '.join(texts)}; {100 * share:.0f} % of raw", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", type=Variant, action="append", required=True, help="NAME=PROGRAM[,KEY=VALUE...]")
    parser.add_argument("--folder", nargs="+", default=[".", "/dev/shm"])
    parser.add_argument("--cut", nargs="+", default=["z", "x", "3d"], choices=["x", "y", "z", "3d"])
    for name, value in (("cells", 192), ("ranks", 4), ("steps", 60), ("checkpoints", 1), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    for folder in options.folder:
        for cut in options.cut:
            compare(options, folder, cut)


main()
