# SPDX-License-Identifier: MIT
"""Runs the program as a user does, on any machine: configurations are Python dicts, results are numpy arrays.

The program is $HALOTHERM (or --binary), the launcher $HALOTHERM_LAUNCHER (or --launcher), a command in which {ranks} stands for the
number of ranks; without it, "$MPIEXEC -n {ranks}" for several ranks and nothing for one.
"""
import argparse
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

TIMEOUT = float(os.environ.get("HALOTHERM_TIMEOUT", "120"))  # s of one run


def variables_of(name):
    """What stands in scripts/NAME.env, each as NAME=VALUE."""
    lines = (Path(__file__).parents[2] / f"scripts/{name}.env").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and line[0] != "#"]


def command(ranks):
    """What starts the program on some ranks: a launcher, which one rank does not need."""
    if launcher := os.environ.get("HALOTHERM_LAUNCHER"):
        words = shlex.split(launcher.format(ranks=ranks))
    elif ranks == 1:
        words = ["env", *variables_of("one_rank")]
    else:
        words = [*shlex.split(os.environ.get("MPIEXEC", "mpirun")), "-n", str(ranks)]
    return [*words, os.environ["HALOTHERM"]]


def environment():
    """The variables of one machine (scripts/one_machine.env); what the caller has set wins, and a launcher of the caller's may need the
    networks of a cluster."""
    wanted = {"OMP_NUM_THREADS": "1"} | dict(line.split("=") for line in variables_of("one_machine"))
    if os.environ.get("HALOTHERM_LAUNCHER"):
        del wanted["OMPI_MCA_pml"]
    return wanted | os.environ


def standing(session):
    """Where the threads of a session's processes are: their state, CPU time, and the call of the kernel that they sleep in."""
    lines = []
    for thread in sorted(Path("/proc").glob("[0-9]*/task/[0-9]*")):
        try:
            name, fields = (thread / "stat").read_text(encoding="utf-8").rsplit(")", 1)
            state, _, _, of_session, *others = fields.split()
            if int(of_session) == session:
                seconds = (int(others[7]) + int(others[8])) / os.sysconf("SC_CLK_TCK")
                lines.append(f"{thread.parents[1].name} {name}) {state} {seconds:g} s {(thread / 'wchan').read_text(encoding='utf-8')}")
        except OSError:
            pass  # it has ended
    return "\n".join(lines)


def launch(arguments, ranks, folder, variables=None):
    """(exit code, what it printed). `variables` are added to the environment of the program, not of its launcher. The whole job ends
    when its time is over."""
    *launcher, program = command(ranks)
    words = ["env", *(f"{name}={value}" for name, value in (variables or {}).items())]
    with subprocess.Popen([*launcher, *words, program, *arguments], cwd=os.environ.get("HALOTHERM_CWD", folder), env=environment(),
                          text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as job:
        try:
            text, _ = job.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            threads = standing(job.pid)
            os.killpg(job.pid, signal.SIGTERM)  # mpirun passes it on to its ranks
            try:
                text, _ = job.communicate(timeout=10)
            except subprocess.TimeoutExpired as late:
                text = (late.stdout or b"").decode(errors="replace") + "\n(it did not end when it was asked to)"
                os.killpg(job.pid, signal.SIGKILL)
            raise AssertionError(f"still running after {TIMEOUT:g} s: {arguments}\n{threads}\n{text}") from None
        return job.returncode, text


class Results:
    """What a run left in its output directory."""

    def __init__(self, folder, output=""):
        self.folder = Path(folder)
        self.output = output

    def checkpoints(self):
        return sorted((self.folder / "checkpoints").glob("checkpoint_*.h5"))

    def state(self, checkpoint=None):
        """(/T, attributes) of a checkpoint, the last one unless given."""
        with h5py.File(checkpoint or self.checkpoints()[-1], "r") as file:
            return file["T"][...], dict(file.attrs)

    def temperature(self):
        return self.state()[0]

    def report(self):
        return json.loads((self.folder / "report.json").read_text(encoding="utf-8"))

    def diagnostics_text(self):
        return (self.folder / "diagnostics.csv").read_bytes()

    def diagnostics(self):
        """Columns by name: step, time_s, heat_J, flow_x-_W, ..."""
        return np.genfromtxt(self.folder / "diagnostics.csv", delimiter=",", names=True, ndmin=1, dtype=np.float64, deletechars="")


class Case(unittest.TestCase):
    """Tests that run the program in a temporary directory of their own."""

    def setUp(self):
        work = tempfile.TemporaryDirectory(prefix="halotherm-")
        self.addCleanup(work.cleanup)
        self.work = Path(work.name)
        self.count = 0

    def run_program(self, config, ranks=1, folder=None, arguments=(), expect=0):
        """Runs a configuration, into a folder of its own unless given."""
        code, results = self.try_program(config, ranks, folder, arguments)
        self.assertEqual(code, expect, f"{ranks} ranks, {json.dumps(config)} {' '.join(arguments)}\n{results.output}")
        return results

    def try_program(self, config, ranks=1, folder=None, arguments=()):
        """The same, with any exit code, which is returned before the results."""
        self.count += 1
        folder = Path(folder or self.work / f"run{self.count}")
        file = self.work / f"run{self.count}.yaml"
        file.write_text(json.dumps(config, indent=1), encoding="utf-8")  # JSON is YAML
        code, text = launch(["run", str(file), "--set", f"output.directory={folder}", *arguments], ranks, self.work)
        return code, Results(folder, text)

    def data_set(self, name, values):
        """A quantity that is given cell by cell; `values` in the order (z, y, x)."""
        with h5py.File(self.work / f"{name}.h5", "w") as file:
            file["values"] = values
        return {"file": f"{name}.h5", "dataset": "/values"}

    def forget(self, results):
        shutil.rmtree(results.folder)


def main(groups):
    """Runs the named groups (name -> unittest name), or all; the command line of run.py."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("group", nargs="*", help=f"all unless given: {' '.join(groups)}")
    parser.add_argument("--binary", help="the program, instead of $HALOTHERM")
    parser.add_argument("--launcher", help="such as 'srun -n {ranks}', instead of $HALOTHERM_LAUNCHER")
    options = parser.parse_args()
    if unknown := set(options.group) - set(groups):
        parser.error(f"unknown group: {', '.join(sorted(unknown))}; there are: {', '.join(groups)}")
    if options.binary:
        os.environ["HALOTHERM"] = str(Path(options.binary).resolve())
    if options.launcher:
        os.environ["HALOTHERM_LAUNCHER"] = options.launcher
        os.environ["HALOTHERM_CWD"] = os.getcwd()  # a launcher may be a path relative to here
    if "HALOTHERM" not in os.environ:
        parser.error("no program: give --binary or set HALOTHERM")
    names = [groups[name] for name in options.group or groups]
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    sys.stdout.reconfigure(line_buffering=True)
    sys.exit(not unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite).wasSuccessful())
