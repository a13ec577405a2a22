# SPDX-License-Identifier: MIT
"""Two runs in one output directory: one of them computes, the other says whose the directory is. A run that was killed is in nobody's
way, and one whose place was taken while it was stopped publishes nothing more.

    HALOTHERM=... two_runs.py"""
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from halotherm_runner import command, environment  # noqa: E402

CASE = {
    "title": "Two runs",
    "grid": {"cells": [64], "lower": [0], "upper": [1]},
    "materials": {"solid": {"conductivity": 1, "density": 1, "heat_capacity": 1}},
    "initial": {"temperature": "300 + 50*x"},
    "time": {"steps": 1000000000, "dt": 1e-5},
    "output": {"directory": "out", "diagnostics": {"steps": 1000}, "checkpoint": {"walltime": 0.3}},
}


@contextlib.contextmanager
def started(folder, *arguments):
    """A run, which is over at the end at the latest."""
    (folder / "case.yaml").write_text(json.dumps(CASE), encoding="utf-8")
    with subprocess.Popen([*command(1), "run", "case.yaml", *arguments], cwd=folder, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment() | {"SLURM_JOB_ID": "4711"}) as run:
        try:
            yield run
        finally:
            run.kill()


def ended(run):
    text, _ = run.communicate(timeout=120)
    return run.returncode, text


def wait_for(condition, what):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, f"no {what} after 60 s"
        time.sleep(0.02)


def newest(folder):
    return max((folder / "out/checkpoints").glob("checkpoint_*.h5"), default=None)


def refused_while_another_runs(work):
    with started(work) as first:
        wait_for(lambda: newest(work), "checkpoint")
        for arguments in ([], ["--overwrite"], ["--restart", "auto"], ["--restart", "latest"]):
            with started(work, *arguments) as second:
                code, text = ended(second)
            assert code == 2 and f"host {socket.gethostname()}, process {first.pid}, Slurm job 4711" in text, text
        with started(work, "--dry-run") as dry:
            assert ended(dry)[0] == 0
        (work / "out/stop").touch()
        code, text = ended(first)
    assert code == 75, text
    assert not (work / "out/.halotherm.lock").exists()


def killed_ones_are_in_nobodys_way(work):
    with started(work, "--restart", "auto") as first:
        wait_for((work / "out/.halotherm.lock").exists, "lock")
        first.send_signal(signal.SIGKILL)
        ended(first)
    with started(work, "--restart", "auto", "--set", "time.steps=10") as second:
        code, text = ended(second)
    assert code == 0 and "taken over from a run that has ended" in text, text
    assert not list((work / "out").glob(".halotherm.lock*"))


def one_of_several_begins(work):
    for attempt in range(3):
        with contextlib.ExitStack() as stack:
            runs = [stack.enter_context(started(work, "--overwrite")) for _ in range(4)]
            wait_for(lambda: sum(run.poll() is None for run in runs) == 1, "run that is alone")  # pylint: disable=cell-var-from-loop
            wait_for(lambda: newest(work), "checkpoint")
            (work / "out/stop").touch()
            codes = sorted(ended(run)[0] for run in runs)
        assert codes == [2, 2, 2, 75], f"attempt {attempt}: {codes}"


def published(work):
    return {path: path.read_bytes() for path in (work / "out").rglob("*") if path.is_file() and path.suffix != ".partial"}


def nothing_after_another_took_over(folder):
    """It is stopped between two publications, which are a third of a second apart: a row or a file whose last look at the lock came
    before may still appear."""
    for mode in ("stop", "continue"):
        work = folder / mode
        work.mkdir()
        with started(work, "--set", f"output.on_failure={mode}", "--set", "output.diagnostics.steps=1000000") as first:
            wait_for(lambda: newest(work), "checkpoint")
            time.sleep(0.1)
            first.send_signal(signal.SIGSTOP)
            lock = work / "out/.halotherm.lock"
            theirs = re.sub("token: .*", "token: 0123456789abcdef", lock.read_text(encoding="utf-8"))
            lock.write_text(theirs, encoding="utf-8")
            before = published(work)
            first.send_signal(signal.SIGCONT)
            code, text = ended(first)
        assert code == 4 and "another run has taken over" in text, f"{code} {text}"
        after = published(work)
        changed = [str(path) for path in before | after if before.get(path) != after.get(path)]
        assert not changed, f"files were changed: {changed}"


def main():
    for test in (refused_while_another_runs, killed_ones_are_in_nobodys_way, one_of_several_begins, nothing_after_another_took_over):
        with tempfile.TemporaryDirectory(prefix="halotherm-two-runs-") as work:
            begin = time.monotonic()
            test(Path(work))
            print(f"{test.__name__}: {time.monotonic() - begin:.1f} s", flush=True)


main()
