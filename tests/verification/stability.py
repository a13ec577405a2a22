# SPDX-License-Identifier: MIT
"""The stability bound is the formula's, holds for the worst field there is, and nothing above it runs."""
import re

import numpy as np

from halotherm_runner import Case

GRIDS = (([20], [2.0]), ([12, 16], [1.0, 0.5]), ([8, 6, 10], [1.0, 1.0, 2.0]))
CONDUCTIVITY, DENSITY, HEAT_CAPACITY = [3.0, 2.0, 0.7], 5.0, 0.3


def bound(cells, upper):
    """rho c / (2 sum K/h²)"""
    return DENSITY * HEAT_CAPACITY / sum(2 * k * (n / length)**2 for k, n, length in zip(CONDUCTIVITY, cells, upper))


def checkerboard(cells):
    """The eigenvector of the largest eigenvalue."""
    return 300.0 + (-1.0)**np.indices(cells[::-1]).sum(axis=0)


def grows(history):
    """Whether the largest deviation from the mean is ever more than at first, beyond rounding."""
    history = np.asarray(history)
    return bool((history > history[0] * (1 + 1e-9)).any() or not np.isfinite(history).all())


class Stability(Case):
    def config(self, cells, upper, time, initial=300):
        return {"grid": {"cells": cells, "upper": upper}, "initial": {"temperature": initial}, "time": time,
                "materials": {"solid": {"conductivity": CONDUCTIVITY[:len(cells)], "density": DENSITY, "heat_capacity": HEAT_CAPACITY}},
                "sides": {axis: "periodic" for axis in "xyz"[:len(cells)]}, "output": {"diagnostics": {"steps": 1}}}

    def test_auto_is_the_formula(self):
        for cells, upper in GRIDS:
            for safety in (1.0, 0.9):
                _, about = self.run_program(self.config(cells, upper, {"steps": 1, "safety": safety})).state()
                print(f"{len(cells)}-D, safety {safety}: dt = {float(about['dt']):.12g} s, formula {safety * bound(cells, upper):.12g} s")
                np.testing.assert_allclose(float(about["dt"]), safety * bound(cells, upper), rtol=1e-14)

    def test_auto_with_fixed_sides(self):
        """In the corner cell one face across each axis counts double; the stability bound does not know sides."""
        for cells, upper in GRIDS:
            config = self.config(cells, upper, {"steps": 1, "safety": 1.0})
            config["sides"] = {axis + "-": {"temperature": 300} for axis in "xyz"[:len(cells)]}
            for kind, wanted in (("monotone", 2 / 3 * bound(cells, upper)), ("stable", bound(cells, upper))):
                config["time"]["bound"] = kind
                results = self.run_program(config)
                np.testing.assert_allclose(float(results.state()[1]["dt"]), wanted, rtol=1e-14)
                self.assertEqual("may overshoot" in results.output, kind == "stable", results.output)

    def test_checkerboard_does_not_grow(self):
        for cells, upper in GRIDS:
            initial = self.data_set(f"board{len(cells)}", checkerboard(cells))
            rows = self.run_program(self.config(cells, upper, {"steps": 1000, "safety": 1.0}, initial)).diagnostics()
            history = np.maximum(rows["max_K"] - 300, 300 - rows["min_K"])
            print(f"{len(cells)}-D: amplitude of the checkerboard after 1000 steps at the bound: {history[-1]:.15g} of {history[0]:g} K")
            self.assertEqual(len(history), 1001)
            self.assertFalse(grows(history))

    def test_check_notices_one_percent_too_much(self):
        """The same scheme in numpy, 1 % above the bound."""
        field, cells, history = checkerboard([20]) - 300, 20, []
        for _ in range(1000):
            history.append(np.abs(field).max())
            field = field + 0.5 * 1.01 * (np.roll(field, 1) - 2 * field + np.roll(field, -1))
        self.assertEqual(len(field), cells)
        self.assertTrue(grows(history))

    def test_above_the_bound_is_refused(self):
        for cells, upper in GRIDS:
            largest = bound(cells, upper)
            output = self.run_program(self.config(cells, upper, {"steps": 5, "dt": 1.01 * largest}), ranks=2, expect=3).output
            message = next(line for line in output.splitlines() if "time.dt" in line)
            named = [float(number) for number in re.findall(r"\d\.?\d*(?:e[-+]?\d+)?(?= s\b|\))", message)]
            print(message)
            for value in (1.01 * largest, largest):
                self.assertTrue(any(np.isclose(value, n, rtol=1e-5) for n in named), f"{value} is not in: {message}")
            self.assertFalse((self.work / f"run{self.count}" / "checkpoints").exists(), "it wrote results")
            self.run_program(self.config(cells, upper, {"steps": 5, "dt": largest}))

    def test_super_time_stepping(self):
        """rkl2 with s stages: the bound grows by (s² + s − 2)/4, at the bound nothing grows, and a longer step takes more stages."""
        for cells, upper in GRIDS:
            for stages in (3, 15, 99):
                longest = (stages**2 + stages - 2) / 4 * bound(cells, upper)
                initial = self.data_set(f"board{len(cells)}", checkerboard(cells))
                time = {"steps": 40, "safety": 1.0, "integrator": "rkl2", "stages": stages}
                results = self.run_program(self.config(cells, upper, time, initial))
                rows, about = results.diagnostics(), results.state()[1]
                np.testing.assert_allclose(float(about["dt"]), longest, rtol=1e-14)
                self.assertEqual(results.report()["stages_per_step"], stages)
                self.assertFalse(grows(np.maximum(rows["max_K"] - 300, 300 - rows["min_K"])))
            time = {"steps": 2, "safety": 1.0, "integrator": "rkl2", "dt": 1.001 * 59.5 * bound(cells, upper)}
            self.assertEqual(self.run_program(self.config(cells, upper, time)).report()["stages_per_step"], 17)
            time["dt"] = 1.001 * longest
            output = self.run_program(self.config(cells, upper, time), expect=3).output
            self.assertIn(f"takes more than 99 stages (rkl2's bound with so many and time.safety is {longest:.6g} s", output)

    def test_rk2_has_the_bound_of_euler(self):
        for cells, upper in GRIDS:
            initial = self.data_set(f"board{len(cells)}", checkerboard(cells))
            results = self.run_program(self.config(cells, upper, {"steps": 200, "safety": 1.0, "integrator": "rk2"}, initial))
            rows = results.diagnostics()
            np.testing.assert_allclose(float(results.state()[1]["dt"]), bound(cells, upper), rtol=1e-14)
            self.assertFalse(grows(np.maximum(rows["max_K"] - 300, 300 - rows["min_K"])))
            self.run_program(self.config(cells, upper, {"steps": 5, "integrator": "rk2", "dt": 1.01 * bound(cells, upper)}), expect=3)
