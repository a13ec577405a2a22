# SPDX-License-Identifier: MIT
"""Implicit steps whose length follows from their errors: the same bits for every cut, jumps found, solves that fail taken again."""
import numpy as np

from bits import CUTS, BitsCase
from implicit import NONLINEAR, implicit


class ImplicitTolerance(BitsCase):
    def test_tolerance(self):
        """Steps that follow their errors: the same for every cut, some taken again, and no trace of these in the balance."""
        for method, tolerance in (("backward-euler", 0.5), ("tr-bdf2", 0.05)):
            for name in ("solid", *NONLINEAR):
                config = implicit(name, method, tolerance=tolerance, end=0.03)
                del config["time"]["dt"], config["time"]["steps"]
                config["grid"]["cells"] = [19, 25, 15]
                reference = self.run_program(config)
                report = reference.report()
                adaptive, balance = report["adaptive"], report["last"]["flows"]
                print(f"{method}, {name}: {report['steps']} steps, {adaptive}")
                self.assertGreater(adaptive["largest_dt_s"], 3 * adaptive["smallest_dt_s"])
                self.assertLess(abs(balance["missing_W"]), 1e-6 * max(abs(balance["stored_W"]), abs(balance["source_W"])))
                self.assertIn(f"{report['steps']} of", reference.output)
                for ranks, cuts in list(CUTS[3].items())[1:2]:
                    with self.subTest(method=method, name=name, ranks=ranks):
                        parallel = {"ranks": cuts[-1] or "auto", "halo": 1 + ranks % 2}
                        results = self.run_program(config | {"parallel": parallel}, ranks)
                        self.assert_same(results, reference, f"{method}, {name}, {ranks} ranks")
                        self.assertEqual(results.report()["adaptive"], adaptive)

    def jump(self, **time):
        """A side that jumps within the run, by which the steps have become long."""
        trace = {"table": {0: 300, 0.5: 300, 0.50001: 400, 2: 400}}
        return {"grid": {"cells": [50, 6], "upper": [1, 0.1]}, "materials": {"m": {"conductivity": 0.02, "density": 1, "heat_capacity": 1}},
                "initial": {"temperature": "300 + 20*cos(pi*x)"}, "sides": {"x-": {"temperature": trace}}, "time": {"end": 2} | time}

    def test_a_jump_is_found(self):
        exact = self.run_program(self.jump(integrator="rkl2", dt=1e-4)).temperature()
        for method, tolerance, off, steps in (("backward-euler", 0.1, 1.5, 400), ("tr-bdf2", 0.1, 0.3, 150)):
            run = self.run_program(self.jump(integrator=method, tolerance=tolerance))
            adaptive = run.report()["adaptive"]
            error = np.abs(run.temperature() - exact).max()
            print(f"{method}: {error:.2g} K off after {run.report()['steps']} steps, {adaptive}")
            self.assertLess(error, off)
            self.assertLess(run.report()["steps"], steps)
            self.assertGreater(adaptive["rejected_steps"], 0)
            self.assertLess(adaptive["smallest_dt_s"], 0.01 * adaptive["largest_dt_s"])

    def test_solves_that_do_not_converge(self):
        """Long steps are then taken again, shorter ones; an end without any is told."""
        few = {"linear": {"iterations": 8}}
        config = self.jump(integrator="tr-bdf2", tolerance=5) | {"sides": {"x-": {"radiation": {"emissivity": 1, "ambient": 2000}}}}
        config["materials"] = {"m": {"conductivity": {"table": {300: 0.02, 1000: 5, 3000: 20}}, "density": 1, "heat_capacity": 900}}
        config["time"]["end"] = 50
        easy, hard = self.run_program(config), self.run_program(config | few)
        print(f"rejected: {easy.report()['adaptive']}, with few iterations {hard.report()['adaptive']}")
        self.assertGreater(hard.report()["adaptive"]["rejected_steps"], easy.report()["adaptive"]["rejected_steps"])
        self.assertGreater(hard.report()["steps"], easy.report()["steps"])
        self.assertLess(np.abs(hard.temperature() - easy.temperature()).max(), 5)
        config["linear"] = {"iterations": 1, "tolerance": 1e-14}
        for ranks in (1, 2):
            none = self.run_program(config, ranks, expect=3)
            self.assertIn("still have no finite result", none.output)
