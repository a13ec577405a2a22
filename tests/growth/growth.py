# SPDX-License-Identifier: MIT
"""How often files are opened, what is read, and who writes, on more and more ranks: laws that hold on thousands, as counts of calls.

    HALOTHERM=... MPIEXEC=mpirun HALOTHERM_COUNT_LIBRARY=... growth.py [--laws writing reading calling] [--ranks 2 4 8 16]

- A checkpoint is opened at most nodes + writers + readers + 8 times while it is written and read back.
- At least 95 % of the ranks that could have 256 KiB of the file write some of it; the busiest at most 1.25 times its share.
- A restart and an input field open their file at most 4 times a node, and 8 times, and read at most 1.1 times what they need,
  and 64 KiB a rank, for every cut.
- A run from start to end makes as many collective calls and communicators on few ranks as on many, from the start and from a
  checkpoint (and implicit steps, whose coarse blocks grow small, 5 % more at most); no rank receives more than 250 bytes for each rank of the job by gathering; and none has more than one message to a
  neighbour, across periodic sides, with several fields and on coarse grids, too."""
import argparse
import json
import math
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import h5py  # noqa: E402
import numpy as np  # noqa: E402
from counts import counted, of_file, variables  # noqa: E402
from halotherm_runner import launch  # noqa: E402

NODES = 1  # this machine
KIB = 1 << 10
PART = 256 * KIB
STEP, LAST = 1, 2
COLLECTIVE = ("Allreduce", "Reduce", "Bcast", "Barrier", "Iallreduce", "Allgather", "Allgatherv", "Gather")
COMMUNICATORS = ("Comm_dup", "Comm_split", "Comm_split_type", "Comm_create_group")
MUCH = 64 * KIB  # bytes; more than what describes the values in a file, less than a part of them


def case(cells, cut, **more):
    return {"title": "Growth", "grid": {"cells": list(cells), "upper": [1, 1, 1]},
            "materials": {"solid": {"conductivity": 401, "density": 8960, "heat_capacity": 385}},
            "initial": {"temperature": "300 + 100*x*y"}, "time": {"steps": LAST}, "parallel": {"ranks": list(cut)},
            "output": {"directory": "results", "checkpoint": {"steps": STEP, "keep": 3}}} | more


def checkpoint(step):
    return f"checkpoint_{step:010}.h5"


class Growth:
    def __init__(self, work, settings):
        self.work, self.runs, self.wrong = work, 0, []
        self.settings = [word for setting in settings for word in ("--set", setting)]

    def start(self, config, arguments, folder, variables_for):
        """Runs the case in a folder, a new one unless given. Gives the folder, and where the counts are, a path that `variables_for`
        turns into environment variables."""
        self.runs += 1
        folder = folder or self.work / f"run{self.runs}"
        folder.mkdir(exist_ok=True)
        (folder / "case.yaml").write_text(json.dumps(config), encoding="utf-8")
        counts = self.work / f"counts{self.runs}"
        code, text = launch(["run", "case.yaml", *self.settings, *arguments], math.prod(config["parallel"]["ranks"]), folder,
                            variables_for(counts))
        assert code == 0, f"exit {code}\n{text}"
        return folder, counts

    def run(self, config, *arguments, folder=None):
        """Gives the folder, and the counts of accesses to HDF5 files."""
        folder, counts = self.start(config, arguments, folder, lambda counts: variables(counts, "*.h5*"))
        return folder, counted(counts)

    def mpi_calls(self, config, *arguments, folder=None):
        """Gives the folder, and each rank's counts of count_mpi.cpp."""
        def with_library(counts):
            counts.mkdir()
            return {"LD_PRELOAD": os.environ["HALOTHERM_COUNT_MPI_LIBRARY"], "COUNT_FOLDER": str(counts)}

        folder, counts = self.start(config, arguments, folder, with_library)
        ranks = range(math.prod(config["parallel"]["ranks"]))
        return folder, [json.loads((counts / f"{rank}.mpi").read_text(encoding="utf-8")) for rank in ranks]

    def judge_calls(self, what, ranks, now, then, factor):
        """Beside those of the same run on the fewest ranks, `factor` times as many at most."""
        def collective(counts):
            return sum(counts.get(name, 0) for name in COLLECTIVE)

        def communicators(counts):
            return sum(counts.get(name, 0) for name in COMMUNICATORS)

        assert collective(then[0]) > 10 and communicators(then[0]) > 1 and then[0]["gathered"] > 0, "nothing was counted"
        for name, number in (("collective calls", collective), ("communicators", communicators)):
            self.judge(what, name, max(map(number, now)), factor * number(then[0]))
        more = max(counts["gathered"] for counts in now) - max(counts["gathered"] for counts in then)
        self.judge(what, "more bytes gathered", more, 250 * (ranks - len(then)))
        self.judge(what, "messages a neighbour", max(counts["most_sends"] for counts in now), 1)

    def judge(self, what, name, value, most):
        good = value <= most
        print(f"{what:44} {name:26} {value:12.6g}  at most {most:12.6g}  {'' if good else 'WRONG'}", flush=True)
        if not good:
            self.wrong.append(f"{what}: {name} {value:g} instead of {most:g}")

    def write(self, cells, cut):
        """Writes checkpoints, and looks at the first, which is written while steps go on."""
        ranks, size = math.prod(cut), math.prod(cells) * 8
        _, counts = self.run(case(cells, cut))
        of_it = of_file(counts, checkpoint(STEP))
        assert of_it, "nothing was counted"
        written = [count.bytes_written for count in of_it if count.bytes_written > MUCH]
        readers = sum(count.bytes_read > MUCH for count in of_it)
        what = f"write {'x'.join(map(str, cells))} cut {'x'.join(map(str, cut))}"
        self.judge(what, "openings", sum(count.opens for count in of_it), NODES + len(written) + readers + 8)
        assert sum(written) >= size, f"{what}: only {sum(written)} bytes of {size} are seen being written"
        most = min(ranks, size // PART)
        self.judge(what, "ranks that do not write", most - len(written), 0.05 * most)
        self.judge(what, "busiest / its share", max(written) / (size / most), 1.25)

    def restart(self, folder, cells, cut):
        _, counts = self.run(case(cells, cut, time={"steps": LAST + 1}), "--restart", "latest", folder=folder)
        what = f"restart {'x'.join(map(str, cells))} cut {'x'.join(map(str, cut))}"
        self.judge_reading(what, of_file(counts, checkpoint(LAST)), math.prod(cells) * 8, math.prod(cut))
        (folder / "results/checkpoints" / checkpoint(LAST + 1)).unlink()

    def input(self, cells, cut, chunked):
        shape = tuple(reversed(cells))
        values = 400 + np.random.default_rng(1).random(shape, np.float32).astype(np.float64)  # shrinks to a half
        folder = self.work / f"input{self.runs}"
        folder.mkdir()
        with h5py.File(folder / "chip.h5", "w") as file:
            layout = {"chunks": tuple(min(32, extent) for extent in shape), "compression": 1} if chunked else {}
            size = file.create_dataset("k", data=values, **layout).id.get_storage_size()
        material = {"conductivity": {"file": "chip.h5", "dataset": "/k"}, "density": 8960, "heat_capacity": 385}
        _, counts = self.run(case(cells, cut, materials={"solid": material}), folder=folder)
        what = f"input{' (gzip)' if chunked else ''} {'x'.join(map(str, cells))} cut {'x'.join(map(str, cut))}"
        self.judge_reading(what, of_file(counts, "chip.h5"), size, math.prod(cut))

    def judge_reading(self, what, counts, size, ranks):
        self.judge(what, "openings", sum(count.opens for count in counts), 4 * NODES + 8)
        bytes_read = sum(count.bytes_read for count in counts)
        assert bytes_read >= size, f"{what}: only {bytes_read} bytes of {size} are seen being read"
        self.judge(what, "bytes read / needed", bytes_read / size, 1.1 + 64 * KIB * ranks / size)


def cut_of(ranks):
    """Blocks like cubes."""
    x = max(n for n in range(1, ranks + 1) if ranks % n == 0 and n**3 <= ranks)
    y = max(n for n in range(1, ranks // x + 1) if ranks // x % n == 0 and n * n <= ranks // x)
    return [x, y, ranks // x // y]


def writing(growth, numbers):
    for ranks in numbers:
        growth.write([64, 64, 64], cut_of(ranks))  # eight parts
        growth.write([150, 131, 121], cut_of(ranks))
        growth.write([128, 128, 128], cut_of(ranks))
    growth.write([128, 128, 128], [max(numbers), 1, 1])


def reading(growth, numbers):
    cells, most = [128, 128, 128], min(16, max(numbers))
    folder, _ = growth.run(case(cells, [1, 1, 1]))
    for cut in ([most // 2, 1, 1], [most, 1, 1], [1, most, 1], [1, 1, most], *map(cut_of, numbers)):
        growth.restart(folder, cells, cut)
    for chunked in (False, True):
        growth.input([128, 128, 64], [most, 1, 1], chunked)


def calling(growth, numbers):
    """Steps, a checkpoint and a restart of each kind of run; on 2 ranks and on more."""
    cells = [64, 32, 32]
    sides = {"x": "periodic", "y": "periodic"}
    kinds = {"euler": ({}, 1), "implicit": ({"integrator": "backward-euler", "dt": 0.01}, 1.05)}  # with smaller coarse blocks
    for name, (time_, factor) in kinds.items():
        few = None
        for ranks in sorted({2, 8, max(numbers) if max(numbers) > 16 else 8}):
            cut = cut_of(ranks)
            config = case(cells, cut, sides=sides, time=time_ | {"steps": LAST}) | {"watchdog": {"seconds": 3600}}
            folder, start = growth.mpi_calls(config)
            again = config | {"time": time_ | {"steps": LAST + 2}}
            found = [start, growth.mpi_calls(again, "--restart", "latest", folder=folder)[1]]
            few = few or found
            for which, now, then in zip(("start", "restart"), found, few):
                growth.judge_calls(f"{name} {which} on {ranks}", ranks, now, then, factor)


LAWS = {"writing": writing, "reading": reading, "calling": calling}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--laws", nargs="+", choices=LAWS, default=LAWS)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4, 8, 16])
    parser.add_argument("--set", action="append", default=[], help="a setting of every run")
    options = parser.parse_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="halotherm-growth-") as temporary:
        growth = Growth(Path(temporary), options.set)
        for law in options.laws:
            LAWS[law](growth, options.ranks)
        print(f"{growth.runs} runs, {time.monotonic() - begin:.0f} s")
    sys.exit("\n".join(growth.wrong) if growth.wrong else 0)


main()
