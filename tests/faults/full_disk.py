# SPDX-License-Identifier: MIT
"""A disk that is really full while a run goes on with output.on_failure: continue, and has space again later: the run comes to the
same bits as if nothing had happened. The disk is a small tmpfs; exits 77 where none may be mounted.

    HALOTHERM=... MPIEXEC=mpirun HALOTHERM_FAULT_LIBRARY=... full_disk.py [--writer parallel-hdf5]"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from faults import CASE, Fault, Results, command, environment, error_lines, hits, launch, same_field, step_of, written_by

STEPS, EVERY, SIZE = 1000, 10, "16m"  # so many that the run does not end while the disk is full
LONG = CASE | {"time": {"steps": STEPS},
               "output": CASE["output"] | {"on_failure": "continue", "checkpoint": {"steps": EVERY, "keep": 1}}}


def in_a_namespace(writer):
    """Runs this script where it may mount what nobody else sees, and ends with it."""
    unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    with tempfile.TemporaryDirectory(prefix="halotherm-disk-") as disk:
        trial = [*unshare, "mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", disk]
        if subprocess.run(trial, check=False, stderr=subprocess.DEVNULL).returncode != 0:
            print("no tmpfs may be mounted here: skipped")
            sys.exit(77)
        sys.exit(subprocess.run([*unshare, sys.executable, "-B", __file__, f"--writer={writer}", "--disk", disk], check=False).returncode)


def until(condition, job, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert job.poll() is None, f"the run ended with {job.returncode}"
        assert time.monotonic() < end, f"still waiting after {seconds} s"
        time.sleep(0.01)


def fill(file):
    """Takes all space that is left, more each time: a checkpoint that is replaced gives some back."""
    with open(file, "ab", buffering=0) as stream:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    stream.write(b"x" * size)
            except OSError:
                continue


def newest(results):
    return max(map(step_of, results.checkpoints()), default=0)


def prepared(folder, writer):
    folder.mkdir()
    (folder / "case.yaml").write_text(json.dumps(written_by(writer, LONG)), encoding="utf-8")
    return Results(folder / "results")


def run_into_it(disk, writer):
    results, filler, log = prepared(disk / "full", writer), disk / "filler", Path(f"{disk}.log")
    with open(log, "wb") as stream, subprocess.Popen([*command(3), "run", "case.yaml"], cwd=disk / "full", env=environment(),
                                                     stdin=subprocess.DEVNULL, stdout=stream, stderr=stream) as job:
        try:
            until(lambda: newest(results) > 0, job)
            until(lambda: fill(filler) or log.read_text(encoding="utf-8").count("the run continues without this file") > 1, job)
            reached = newest(results)
            filler.unlink()
            until(lambda: newest(results) > reached, job)
            print(f"full after step {reached}, went on writing at step {newest(results)}")
            assert job.wait(240) == 0, f"exit {job.returncode}"
        finally:
            job.kill()
    for line in error_lines(log.read_text(encoding="utf-8")):
        reason, _, remedy = line.partition("No space left on device); ")
        assert reason and "space" in remedy, line  # where HDF5 fails, and where the system does, it is worded differently
    log.unlink()
    return results


def space_comes_back(disk, writer):
    """Files that HDF5 could not complete: the disk has room for three of them, and none may keep its space."""
    results, log = prepared(disk / "leak", writer), Path(f"{disk}.hits")
    fault = Fault("pwrite", "EIO", "*/.checkpoint_*.partial", after="pread", count=8)  # what is done after reading back
    code, text = launch(["run", "case.yaml"], 3, disk / "leak", fault.variables(log))
    assert hits(log) == 8, f"{hits(log)} hits"
    log.unlink()
    assert code == 0, f"exit {code}\n{text}"
    failures = len(error_lines(text))
    assert failures > 3, text
    print(f"{failures} files that could not be completed gave their space back")
    return results


def test(disk, writer):
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(disk)], check=True)
    with tempfile.TemporaryDirectory(prefix="halotherm-disk-") as elsewhere:
        undisturbed = prepared(Path(elsewhere) / "undisturbed", writer)
        code, text = launch(["run", "case.yaml"], 3, undisturbed.folder.parent)
        assert code == 0, text
        for results in (run_into_it(disk, writer), space_comes_back(disk, writer)):
            assert same_field(results.checkpoints()[-1], undisturbed.checkpoints()[-1]), "another temperature after the last step"
            assert newest(results) == STEPS
            assert results.diagnostics_text() == undisturbed.diagnostics_text(), "other diagnostics"
            assert not list(results.folder.rglob("*.partial"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writer", default="", help="output.writer")
    parser.add_argument("--disk", type=Path, help=argparse.SUPPRESS)  # in the name space
    options = parser.parse_args()
    if options.disk:
        test(options.disk, options.writer)
    else:
        in_a_namespace(options.writer)


try:
    main()
except AssertionError as failure:
    sys.exit(f"FAILED: {failure}")
