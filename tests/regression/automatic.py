# SPDX-License-Identifier: MIT
"""time.integrator: auto: the error that is asked for, a method that fits the problem, one choice for restarts and ranks."""
import re

import numpy as np

from bits import BitsCase
from halotherm_runner import launch


def problem(name):
    """`stack`: a thin layer, where explicit steps are 1e8 times shorter than what changes; `short`: a run of few explicit steps."""
    config = {"title": name, "grid": {"cells": [24, 24], "upper": [1, 1]},
              "materials": {"solid": {"conductivity": 1, "density": 1, "heat_capacity": 1}},
              "initial": {"temperature": "300 + 50*sin(pi*x)*sin(pi*y)"},
              "sides": {"x-": {"temperature": 300}, "x+": {"convection": {"coefficient": 2, "ambient": "300 + 20*sin(20*t)"}}},
              "time": {"integrator": "auto", "end": 0.2, "tolerance": 0.2}}
    if name == "stack":
        config["grid"] = {"x": {"cells": 24, "upper": 1}, "y": {"layers": [[0.5, 12], [1e-6, 1], [0.5, 12]]}}
    if name == "short":
        config["time"] = {"integrator": "auto", "end": 5e-3, "tolerance": 1}
    return config


class Automatic(BitsCase):
    def method_of(self, results):
        return re.search(r"integrator: (\S+)", results.report()["config"]).group(1)

    def test_error_and_method(self):
        taken = {}
        for name in ("stack", "smooth", "short"):
            with self.subTest(name=name):
                results = self.run_program(problem(name), 2)
                taken[name] = self.method_of(results)
                print(name, taken[name])
                self.assertNotEqual(taken[name], "auto")
                self.assertIn("  taken", results.output)
                exact = problem(name) | {"time": {"integrator": "rkl2", "stages": 3, "end": problem(name)["time"]["end"]}}
                if name == "stack":
                    exact["time"] = {"integrator": "crank-nicolson", "dt": 0.2 / 2048, "end": 0.2}
                error = np.max(np.abs(results.temperature() - self.run_program(exact).temperature()))
                print(f"error {error:.2g} K, allowed {problem(name)['time']['tolerance']} K")
                self.assertLess(error, 1.5 * problem(name)["time"]["tolerance"])
        self.assertIn(taken["stack"], ("backward-euler", "crank-nicolson", "tr-bdf2"))
        self.assertIn(taken["short"], ("euler", "rk2", "rkl2"))

    def test_a_restart_keeps_the_method(self):
        folder = self.work / "chain"
        first = self.run_program(problem("short"), 1, folder)
        longer = problem("short")
        longer["time"] = {"integrator": "auto", "end": 0.2, "tolerance": 1}  # for which another method may be faster
        again = self.run_program(longer, 2, folder, ["--restart", "latest"])
        self.assertIn(f"{self.method_of(first)}, as in the run that wrote the checkpoint", again.output)
        self.assertEqual(self.method_of(again), self.method_of(first))

    def test_check_and_dry_run(self):
        file = self.work / "case.yaml"
        file.write_text(str(problem("short")).replace("'", '"'), encoding="utf-8")
        for words in (["check", str(file)], ["run", "--dry-run", str(file)]):
            code, text = launch(words, 2, self.work)
            self.assertEqual(code, 0, text)
            for part in ("auto: the shortest run", "crank-nicolson", "  taken", "predicted"):
                self.assertIn(part, text)
            for method in ("rkl2", "backward-euler", "tr-bdf2"):  # with equal steps, and by a tolerance
                self.assertEqual(len(re.findall(f"^  {method}[ ,]", text, re.M)), 2, text)

    def test_a_source_of_the_temperature(self):
        config = problem("short")
        config["regions"] = [{"material": "solid", "source": "100*(300 - T)"}]
        results = self.run_program(config)
        table = results.output[results.output.index("auto: the shortest run"):].splitlines()
        for method in ("crank-nicolson", "tr-bdf2", "backward-euler"):
            row = next(line for line in table if f" {method} " in line)
            self.assertRegex(row, r"\d+(\.\d+)? s", f"{method} is not considered: {row}")
        exact = config | {"time": {"integrator": "rkl2", "stages": 3, "end": config["time"]["end"]}}
        error = np.max(np.abs(results.temperature() - self.run_program(exact).temperature()))
        self.assertLess(error, 1.5 * config["time"]["tolerance"])

    def test_data_sets(self):
        config = problem("smooth")
        config["initial"] = {"temperature": self.data_set("start", np.full((24, 24), 300.0))}
        self.assertIn("a data set stands beside time.integrator: auto", self.run_program(config, 2, expect=2).output)
