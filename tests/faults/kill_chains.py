# SPDX-License-Identifier: MIT
"""kill -9 of a rank, or of all of them, at any moment, again and again; each time the run goes on with --restart auto on other ranks.
A job that lost a rank ends soon and with an error, no good checkpoint is ever lost, and what stands there in the end is, to the bit,
what a run leaves that nobody disturbed.

    HALOTHERM=... MPIEXEC=mpirun kill_chains.py [--kills 100] [--seed 1] [--writer parallel-hdf5]"""
import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from faults import CASE, Results, command, environment, is_good, launch, same_field, standing, step_of, written_by

STEPS, EVERY = 300, 10
CHAIN = CASE | {
    "title": "To be killed",
    "grid": CASE["grid"] | {"cells": [72, 64, 64]},  # three chunks
    "time": {"steps": STEPS},
    "parallel": {"ranks": "auto"},
    "output": {"directory": "results", "diagnostics": {"steps": 5}, "checkpoint": {"steps": EVERY, "keep": 2},
               "fields": {"steps": 30}},
}


def ancestors(process):
    chain = []
    while process > 1:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
        process = int(stat.rpartition(")")[2].split()[1])
        chain.append(process)
    return chain


def ranks_of(launcher):
    """Processes that run the program below this launcher, or as it, where one rank needs none."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            same_program = os.path.samefile(process / "exe", os.environ["HALOTHERM"])
            if same_program and launcher in (int(process.name), *ancestors(int(process.name))):
                found.append(int(process.name))
        except OSError:
            continue
    return sorted(found)


def is_alive(process):
    try:
        return bool(Path(f"/proc/{process}/maps").read_bytes())
    except OSError:
        return False


def random_cut(dice, ranks):
    """The number of blocks along each axis, or auto."""
    cuts = [[x, y, ranks // (x * y)] for x in range(1, ranks + 1) for y in range(1, ranks + 1) if ranks % (x * y) == 0]
    return json.dumps(dice.choice([*cuts, "auto"])).strip('"')


class Chain:
    """A run that is killed and restarted until it comes to its end."""

    def __init__(self, folder, dice, writer):
        self.folder, self.dice, self.legs = folder, dice, 0
        self.results = Results(folder / "results")
        folder.mkdir()
        (folder / "case.yaml").write_text(json.dumps(written_by(writer, CHAIN)), encoding="utf-8")

    def newest(self):
        return max(map(step_of, self.results.checkpoints()), default=-1)

    def leg(self, delay):
        """One run, of 3 ranks at first. Kills after `delay` seconds, unless None; whether there was something to kill."""
        self.legs += 1
        ranks = 3 if self.legs == 1 else self.dice.randint(1, 4)
        cut = f"parallel.ranks={random_cut(self.dice, ranks)}"
        arguments = [*command(ranks), "run", "case.yaml", "--restart", "auto", "--set", cut]
        with open(self.folder / f"leg{self.legs}.log", "wb+") as log, subprocess.Popen(
                arguments, cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True) as job:
            killed = delay is not None and self.kill(job, delay)
            self.wait(job, 20 if killed else 120)
            log.seek(0)
            text = log.read().decode()
        assert (job.returncode != 0) == killed, f"exit {job.returncode}{' of a job that lost a rank' if killed else ''}\n{text}"
        assert "warning  " not in text, text
        return killed

    def kill(self, job, delay):
        try:
            job.wait(delay)
            return False
        except subprocess.TimeoutExpired:
            victims = ranks_of(job.pid)
        seen = self.newest()
        if not victims:
            return False  # not yet, or no longer
        for victim in victims if self.dice.random() < 0.5 else [self.dice.choice(victims)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        self.wait(job, 20)
        end = time.monotonic() + 5
        while left := [victim for victim in victims if is_alive(victim)]:
            assert time.monotonic() < end, f"ranks left behind: {left}"
            time.sleep(0.05)
        assert self.newest() >= seen, f"the checkpoint of step {seen} is lost, there is {self.newest()}"
        # the last moment may have come too late; of a rank that no launcher started, its own exit code tells
        return job.returncode != 0 or (seen < STEPS and victims != [job.pid])

    @staticmethod
    def wait(job, seconds):
        try:
            job.wait(seconds)
        except subprocess.TimeoutExpired:
            left, threads = ranks_of(job.pid), standing(job.pid)
            os.killpg(job.pid, signal.SIGKILL)
            assert not left, f"the job still runs after {seconds} s: {job.args[:4]}\n{threads}"
            job.wait()  # mpirun 4.1 sometimes waits for itself when all ranks have ended
            print(f"the launcher had not ended {seconds} s after its ranks")

    def check(self):
        for checkpoint in self.results.checkpoints():
            assert is_good(checkpoint, self.folder), f"{checkpoint.name} is not good"


def assert_same(results, undisturbed):
    ends = [folder.checkpoints()[-1] for folder in (results, undisturbed)]
    assert [step_of(end) for end in ends] == [STEPS, STEPS], ends
    assert same_field(*ends), "another temperature after the last step"
    assert results.diagnostics_text() == undisturbed.diagnostics_text(), "other diagnostics"
    series = [folder.folder / "fields/temperature.hdf.series" for folder in (results, undisturbed)]
    lists = [file.read_text(encoding="utf-8") for file in series]
    assert lists[0] == lists[1], "another list of snapshots:\n" + "\n".join(lists)
    left = sorted(path.name for path in results.folder.rglob("*.partial")) + sorted(results.folder.rglob("*.damaged"))
    assert not left, f"left behind: {left}"


def kill_on(work, options, undisturbed, seconds):
    """Chains until there were so many kills; the number of chains. A run is killed within `seconds`, or has come to its end."""
    dice = random.Random(options.seed)
    done = chains = 0
    while done < options.kills:
        chains += 1
        chain, steps = Chain(work / f"chain{chains}", dice, options.writer), []
        while chain.leg(dice.uniform(0.1, seconds) if done < options.kills else None):
            done += 1
            steps.append(max(chain.newest(), 0))
            chain.check()
        assert_same(chain.results, undisturbed)
        print(f"chain {chains}: killed with checkpoints of steps {steps}; the same bits in the end", flush=True)
    return chains


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--writer", default="", help="output.writer")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="halotherm-kill-") as temporary:
        work = Path(temporary)
        reference = Chain(work / "undisturbed", random.Random(0), options.writer)
        reference.leg(None)
        duration = time.monotonic() - begin
        chains = kill_on(work, options, reference.results, duration / 2)
        print(f"{options.kills} kills in {chains} chains, {time.monotonic() - begin:.0f} s; undisturbed {duration:.1f} s")


try:
    main()
except AssertionError as failure:
    sys.exit(f"FAILED: {failure}")
