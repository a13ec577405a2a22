# SPDX-License-Identifier: MIT
"""Implicit steps: the same bits for every cut and restart, a closed balance of heat, no oscillation far beyond the explicit bound."""
import numpy as np

from bits import BitsCase, some_cuts
from steady import steady

METHODS = ("backward-euler", "crank-nicolson", "tr-bdf2")
NONLINEAR = ("radiating", "tables")
PROBLEMS = {"tr-bdf2": ("solid", "periodic", "void", "uneven", "plane", "floating", *NONLINEAR),  # which has parts of both others
            "crank-nicolson": ("solid", "void", "tables"), "backward-euler": ("solid", "floating", "radiating")}


def implicit(name, method, **time):
    """The problems of steady states, where conditions change with time; `floating` has no side that holds the temperature."""
    config = steady("solid" if name == "floating" else name)
    config["sides"] = config["sides"] | {"x-": {"temperature": "300 + 40*sin(30*t + y)"},
                                         "x+": {"convection": {"coefficient": "5 + 100*t", "ambient": "280 + 100*t"}}}
    if name in NONLINEAR:
        config["sides"]["x+"]["radiation"] = {"emissivity": "0.5 + 5*t", "ambient": "500 + 900*t"}
    if name == "periodic":
        config["sides"] = {"x": "periodic", "y": "periodic", "z+": {"convection": {"coefficient": 3, "ambient": "280 + 500*t"}}}
    if name == "floating":
        config["sides"] = {"z+": {"flux": "50 + 900*t"}}
    config["time"] = {"integrator": method, "dt": 0.01, "steps": 5} | time
    config["output"] = config["output"] | {"diagnostics": {"steps": 1}}
    return config


class Implicit(BitsCase):
    def test_cuts_and_balance(self):
        for first, method in enumerate(METHODS):
            for turn, name in enumerate(PROBLEMS[method], first):
                reference = self.run_program(implicit(name, method))
                solve = reference.report()["solve"]
                balance = reference.report()["last"]["flows"]
                largest = max(abs(value) for value in [balance["stored_W"], balance["source_W"]])
                print(f"{method}, {name}: {solve['iterations'] / solve['solves']:.1f} iterations in "
                      f"{solve['corrections'] / solve['solves']:.1f} corrections a solve, missing {balance['missing_W'] / largest:.1e}")
                self.assertLess(abs(balance["missing_W"]), 1e-6 * largest)
                dimensions = 2 if name == "plane" else 3
                for ranks, cut in some_cuts(dimensions, turn):
                    with self.subTest(method=method, name=name, ranks=ranks, cut=cut):
                        config = implicit(name, method) | {"parallel": {"ranks": cut or "auto", "halo": 1 + ranks % 2}}
                        self.assert_same(self.run_program(config, ranks), reference, f"{method}, {name}, {ranks} ranks")

    def test_restarts(self):
        for method in METHODS:
            for name, first in (("solid", 1), ("solid", 2), ("solid", 3), ("tables", 3)):  # Crank-Nicolson damps two steps
                with self.subTest(method=method, name=name, first=first):
                    whole = self.run_program(implicit(name, method, steps=6))
                    folder = self.work / f"{method}_{name}_{first}"
                    self.run_program(implicit(name, method, steps=first), 2, folder)
                    self.assert_same(self.run_program(implicit(name, method, steps=6), 3, folder, ["--restart", "latest"]), whole, "a restart")

    def test_changing_lengths(self):
        """Outputs at times between the steps."""
        whole = implicit("plane", "crank-nicolson", dt=0.01)
        del whole["time"]["steps"]
        whole["time"]["end"] = 0.1
        whole["output"]["fields"] = {"every": 0.037}
        reference = self.run_program(whole)
        self.assertEqual(float(reference.state()[1]["time"]), 0.1)
        self.assert_same(self.run_program(whole, 3), reference, "3 ranks")

    def test_no_oscillation(self):
        """A jump at a side and rough cells, with a step of 10^4 times the explicit bound; tr-bdf2 may overshoot in the first step, by far
        less than crank-nicolson would."""
        cells = 100
        for method, first in (("backward-euler", 1e-6), ("tr-bdf2", 2.5)):
            config = {"grid": {"cells": [cells, 8], "upper": [1, 0.08]},
                      "materials": {"m": {"conductivity": 1, "density": 1, "heat_capacity": 1}},
                      "initial": {"temperature": "300 + 50*sin(300*x)"}, "sides": {"x-": {"temperature": 400}},
                      "time": {"integrator": method, "dt": 1e4 * 0.25 / cells**2, "steps": 3}}
            fields = [self.run_program(config | {"time": config["time"] | {"steps": steps}}).temperature()[0] for steps in (1, 2, 3)]
            rises = [float(np.diff(field).max()) for field in fields]
            print(f"{method}: rises of at most {rises} K from cell to cell")
            self.assertLessEqual(rises[0], first)
            self.assertLessEqual(max(rises[1:]), 1e-6)
            self.assertLessEqual(max(field.max() for field in fields), 400 + first)
            if method == "backward-euler":
                for before, field in zip(fields, fields[1:]):
                    self.assertTrue((field >= before - 1e-6).all())
