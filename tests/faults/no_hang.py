# SPDX-License-Identifier: MIT
"""Ranks that would make others wait for ever, or end without a word: one that stands still at the start, in the last checkpoint or at
the end is named by the first of the others, which reports for their node; ranks with other command lines or programs are refused; a terminal or a reader of the output that
goes away leaves a checkpoint.

    HALOTHERM=... MPIEXEC=mpirun HALOTHERM_FAULT_LIBRARY=... no_hang.py"""
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from faults import LAST, RANKS, Fault, Results, command, environment, hits, is_good, run, standing

PATIENCE = 1  # s of watchdog.seconds


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
    return found


def stopped(session):
    """The process of the session that a signal has stopped."""
    for line in standing(session).splitlines():
        words = line.rsplit(") ", 1)
        if words[1].startswith("T "):
            return int(line.split()[0])
    return None


def stand_still(folder, fault, arguments, words):
    """The rank that stops there is named, and so is what the others do, with these words; the run goes on when it does."""
    log = folder.parent / f"{fault.call}.hits"
    *launcher, program = command(RANKS)
    words_before = ["env", *(f"{name}={value}" for name, value in fault.variables(log).items())]
    with open(folder / "output", "w+", encoding="utf-8") as output, subprocess.Popen(
            [*launcher, *words_before, program, "run", "case.yaml", "--set", f"watchdog.seconds={PATIENCE}", *arguments], cwd=folder,
            env=environment(), stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True) as job:
        try:
            until(lambda: hits(log))
            text = lambda: Path(output.name).read_text(encoding="utf-8")  # noqa: E731
            others = [rank for rank in range(RANKS) if rank != fault.rank]
            reporter, count = f"halotherm: rank {others[0]} (", f" {len(others)} of {RANKS} ranks of its node have stalled"
            lines = until(lambda: [line for line in text().splitlines() if line.startswith(reporter) and count in line])
            os.kill(until(lambda: stopped(job.pid)), signal.SIGCONT)
            assert job.wait(60) == 0, f"exit {job.returncode}\n{text()}"
        except AssertionError as failure:
            raise AssertionError(f"{failure}\n{Path(output.name).read_text(encoding='utf-8')}") from None
        finally:
            if job.poll() is None:
                os.killpg(job.pid, signal.SIGKILL)
    still = f"rank {fault.rank} ("
    for line in lines:
        assert all(word in line for word in words), f"{words} are not in: {line}"
        assert still in line and "does not run" in line, f"rank {fault.rank} is not named: {line}"
    print(f"{fault.call} of {fault.path} on rank {fault.rank}: {lines[-1].split(': ', 2)[2]}", flush=True)


def reports(work):
    folder = work / "still"
    assert run(folder)[0] == 0
    newest = "checkpoint_0000000006.h5"
    stand_still(folder, Fault("open_read", "stop", f"*/{newest}", rank=LAST), ["--restart", "latest", "--set", "time.steps=8"],
                ["preparing the run", "reading 'results/checkpoints/" + newest, "MPI_Allreduce"])
    last = "checkpoint_0000000010.h5"
    stand_still(folder, Fault("pwrite", "stop", f"*/.{last}.partial", rank=LAST), ["--restart", "latest", "--set", "time.steps=10"],
                ["waiting for files", last, "MPI_Isend"])
    stand_still(folder, Fault("rename", "stop", "*/report.json"), ["--restart", "latest", "--set", "time.steps=11"],
                ["report.json", "MPI_Allreduce"])


def of_another_build(program, copy):
    """The linker's build id, one bit changed, is all that tells them apart."""
    content = bytearray(Path(program).read_bytes())
    head = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"
    place = content.find(head)
    assert place > 0, "the program has no build id"
    content[place + len(head)] ^= 1
    copy.write_bytes(content)
    copy.chmod(0o755)
    return copy


def different_ranks(work):
    folder = work / "different"
    folder.mkdir()
    program, launcher = os.environ["HALOTHERM"], shlex.split(os.environ["MPIEXEC"])
    for named, other in (("command lines (rank 1: ... b.yaml; rank 0: ... a.yaml)", [program, "run", "b.yaml"]),
                         ("command lines (rank 1: ... a.yaml --set time.steps=3; rank 0: ... a.yaml)", [program, "run", "a.yaml", "--set", "time.steps=3"]),
                         ("different programs (rank 1: halotherm", [of_another_build(program, work / "other"), "run", "a.yaml"])):
        done = subprocess.run([*launcher, "-n", "1", program, "run", "a.yaml", ":", "-n", "1", *map(str, other)], cwd=folder,
                              env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False)
        assert done.returncode == 2, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
        lines = [line for line in done.stderr.splitlines() if line.startswith("halotherm: ")]
        assert len(lines) == 1 and named in lines[0], f"not '{named}': {lines}"
        print(lines[0], flush=True)


def left_alone(work, name, leave):
    """`leave(job)` after the first line; there must be a checkpoint, and exit code 75."""
    folder = work / name
    run(folder, "--dry-run", ranks=1)
    with subprocess.Popen([*command(1), "run", "case.yaml", "--set", "time.steps=4000", "--set", "parallel.ranks=auto"],
                          cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as job:
        try:
            job.stdout.readline()
            leave(job)
            code = job.wait(60)
            error = job.stderr.read()
        finally:
            job.kill()
    assert code == 75, f"{name}: exit {code}\n{error}"
    found = Results(folder / "results").checkpoints()
    assert found and is_good(found[-1], folder), f"{name}: no good checkpoint"
    print(f"{name}: exit {code}, {found[-1].name} {error.strip()}", flush=True)
    return error


def hang_up(job):
    until(lambda: "T =" in job.stdout.readline() or job.poll() is not None)
    job.send_signal(signal.SIGHUP)


def main():
    with tempfile.TemporaryDirectory(prefix="halotherm-hang-") as temporary:
        work = Path(temporary)
        different_ranks(work)
        error = left_alone(work, "SIGPIPE", lambda job: job.stdout.close())
        assert "SIGPIPE" in error and "--restart latest" in error, error
        left_alone(work, "SIGHUP", hang_up)
        reports(work)


try:
    main()
except AssertionError as failure:
    sys.exit(f"FAILED: {failure}")
