# SPDX-License-Identifier: MIT
"""What lets runs share cores with other programs: short spins, and no more threads than the grid has work for."""
import json
import os
import subprocess

from halotherm_runner import Case, command, environment, launch


class SharedCores(Case):
    def settings(self, **variables):
        """(how often OpenMP has started, its number of spins in the end)"""
        code, text = launch(["info"], 1, self.work, {"OMP_DISPLAY_ENV": "verbose"} | variables)
        self.assertEqual(code, 0, text)
        if "Cuda" in text:
            self.skipTest("kernels run on devices")
        spins = [line.split("'")[1] for line in text.splitlines() if "GOMP_SPINCOUNT" in line]
        if not spins:
            self.skipTest("another OpenMP than GCC's")
        return len(spins), spins[-1]

    def test_threads_that_wait_go_to_sleep(self):
        self.assertEqual(self.settings(), (2, "1000"))
        for name, value in {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "77"}.items():
            starts, spins = self.settings(**{name: value})
            self.assertEqual(starts, 1, f"{name} is the user's")
            self.assertNotEqual(spins, "1000")

    def test_threads_are_no_more_than_cells_warrant(self):
        cores = min(4, len(os.sched_getaffinity(0)))
        for cells, threads in (([20000], 1), ([512, 512], cores)):
            config = self.work / "problem.yaml"
            config.write_text(json.dumps({"grid": {"cells": cells, "upper": [1] * len(cells)}, "time": {"steps": 1}, "initial": {"temperature": 300},
                                 "materials": {"solid": {"conductivity": 1, "density": 1, "heat_capacity": 1}}}),
                              encoding="utf-8")
            for words, expected in ((["-u", "OMP_NUM_THREADS"], threads), (["OMP_NUM_THREADS=2"], 2)):
                *launcher, program = command(1)
                job = subprocess.run([*launcher, "env", *words, program, "run", config, "--dry-run"], cwd=self.work, env=environment(),
                                     capture_output=True, text=True, timeout=60, check=True)
                self.assertIn(f"{expected} OpenMP thread" + ("s" if expected > 1 else "") + "\n", job.stdout, f"{cells} {words}")
