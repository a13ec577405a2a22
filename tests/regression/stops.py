# SPDX-License-Identifier: MIT
"""A run that is asked to stop leaves a checkpoint from which it goes on as if nothing had happened."""
import json
import os
import shutil
import signal
import subprocess
import time

from bits import BitsCase, problem, same_bits, step_of
from halotherm_runner import TIMEOUT, Results, command, environment

LONG = {"steps": 40000}  # far more than are reached before a signal arrives
NEVER = {"steps": 1000000}
SLOW = {"diagnostics": {"steps": 50}, "checkpoint": NEVER}


class Stop(BitsCase):
    def start(self, config, folder, ranks=3, *arguments, rows=4):
        file = self.work / "stop.yaml"
        file.write_text(json.dumps(config), encoding="utf-8")
        job = subprocess.Popen([*command(ranks), "run", str(file), "--set", f"output.directory={folder}", *arguments], text=True,
                               env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.kill)
        diagnostics = folder / "diagnostics.csv"
        self.wait_for(lambda: diagnostics.exists() and diagnostics.read_text(encoding="utf-8").count("\n") >= rows, job)
        return job

    def wait_for(self, condition, job):
        """Ranks look for requests after a number of steps that takes 0.2 s as a rule, and a hundred times that where other programs
        take the cores meanwhile."""
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            self.assertLess(time.monotonic(), deadline, "waited for nothing")
            self.assertIsNone(job.poll(), "the run ended early")
            time.sleep(0.02)

    def stopped(self, job, folder, reason):
        """Exit code 75, the reason in the output, and one checkpoint; its step."""
        output, _ = job.communicate(timeout=TIMEOUT)
        self.assertEqual(job.returncode, 75, output)
        self.assertIn(f"({reason})", output)
        checkpoints = Results(folder).checkpoints()
        self.assertTrue(checkpoints, output)
        return step_of(checkpoints[-1])

    def assert_goes_on(self, folder, step):
        """A few steps more give what an undisturbed run gives."""
        config = problem(3, time={"steps": step + 40}, output=SLOW)
        again = self.run_program(config, 2, folder, ["--restart", "latest"])
        whole = self.run_program(config, 1)
        self.assert_same(again, whole, f"after the stop at step {step}")

    def test_signals(self):
        for name in ("SIGUSR2", "SIGTERM"):
            with self.subTest(signal=name):
                folder = self.work / name
                job = self.start(problem(3, time=LONG, output=SLOW), folder)
                ranks = self.ranks_of(job.pid)
                self.assertEqual(len(ranks), 3)
                os.kill(ranks[-1], getattr(signal, name))  # one rank alone
                step = self.stopped(job, folder, name)
                self.assert_goes_on(folder, step)
                print(f"{name} to one rank: stopped after step {step} with a checkpoint, went on to the same bits")

    @staticmethod
    def ranks_of(launcher):
        pids = subprocess.run(["pgrep", "-P", str(launcher)], capture_output=True, text=True, check=False).stdout.split()
        return [int(pid) for pid in pids]

    def test_files(self):
        folder = self.work / "files"
        job = self.start(problem(3, time=LONG, output=SLOW), folder)
        (folder / "checkpoint").touch()
        self.wait_for(lambda: Results(folder).checkpoints(), job)
        self.assertFalse((folder / "checkpoint").exists())
        (folder / "stop").touch()
        step = self.stopped(job, folder, "the file 'stop'")
        self.assertFalse((folder / "stop").exists())
        self.assert_goes_on(folder, step)

    def test_wall_limit(self):
        folder = self.work / "limit"
        began = time.monotonic()
        job = self.start(problem(3, time=LONG, output=SLOW), folder, 2, "--walltime", "8s", rows=1)
        step = self.stopped(job, folder, "the job's time is nearly up")
        self.assertLess(time.monotonic() - began, 8)
        self.assert_goes_on(folder, step)

    def test_auto_restart_and_damage(self):
        """Nothing there: a fresh start. The newest checkpoint damaged: the one before."""
        output = problem(3)["output"] | {"checkpoint": {"steps": 3, "keep": 3}}
        folder = self.work / "auto"
        config = problem(3, output=output)
        whole = self.run_program(config, 3, folder, ["--restart", "auto"])
        newest = whole.checkpoints()[-1]
        reference = Results(shutil.copytree(folder, self.work / "whole"))
        for place in (-300, 3000):  # of the values, and of the description
            damaged = bytearray(newest.read_bytes())
            damaged[place] ^= 1
            newest.write_bytes(damaged)
            again = self.run_program(config, 2, folder, ["--restart", "auto"])
            self.assertIn("damaged" if place < 0 else "", again.output)
            self.assertTrue(newest.with_name(newest.name + ".damaged").exists())
            self.assert_same(again, reference, "after going back past a damaged checkpoint")

    def test_conversion(self):
        """Another precision and another grid are taken only when asked for, into a folder of their own, and keep the heat."""
        start = self.run_program(problem(2, material={"density": 2}, time={"steps": 3}))
        file = start.checkpoints()[-1]
        fine = problem(2, material={"density": 2}, time={"steps": 3})
        fine["grid"] |= {"cells": [74, 87], "precision": "float32"}
        self.run_program(fine, 2, arguments=["--restart", str(file)], expect=2)
        refused = self.run_program(fine, 2, start.folder, ["--restart", str(file), "--convert", "--overwrite"], expect=2)
        self.assertIn("own output directory", refused.output)
        one = self.run_program(fine, 1, arguments=["--restart", str(file), "--convert"])
        three = self.run_program(fine, 3, arguments=["--restart", str(file), "--convert"])
        self.assertTrue(same_bits(one.temperature(), three.temperature()))
        self.assertEqual(one.temperature().shape, (87, 74))
        before, after = start.diagnostics()["heat_J"][-1], one.diagnostics()["heat_J"][-1]
        self.assertAlmostEqual(after / before, 1, delta=1e-6)
        wrong = problem(2, material={"density": 2}, time={"steps": 3})
        wrong["grid"] |= {"cells": [75, 87]}
        self.assertIn("whole multiples", self.run_program(wrong, 1, arguments=["--restart", str(file), "--convert"], expect=2).output)

    def test_a_rank_that_stands_still_is_named(self):
        """The first of the others reports for their node; when it goes on, nothing was lost."""
        folder = self.work / "still"
        alone = {"diagnostics": NEVER, "checkpoint": NEVER}  # no call of all ranks, in which nobody would know for whom they wait
        config = problem(3, time=LONG, output=alone, parallel={"ranks": [1, 1, 3]}, watchdog=NEVER | {"seconds": 1})
        job = self.start(config, folder, rows=2)
        time.sleep(0.5)
        still = self.ranks_of(job.pid)[1]
        for _ in range(3):  # the ranks may be just meeting, where nobody knows for whom they wait: on a busy machine, often
            os.kill(still, signal.SIGSTOP)
            time.sleep(2)
            os.kill(still, signal.SIGCONT)
            time.sleep(0.5)
        (folder / "stop").touch()
        output, _ = job.communicate(timeout=TIMEOUT)
        self.assertEqual(job.returncode, 75, output)
        stalls = [line for line in output.splitlines() if line.startswith("halotherm: rank 0 ") and " 2 of 3 ranks of its node have stalled" in line]
        named = [line for line in stalls if "exchanging ghost cells with rank 1 (" in line]
        self.assertTrue(named, output)
        self.assertIn(f"process {still}) does not run", named[0])
        self.assertIn("continues: taking steps after step", output)
