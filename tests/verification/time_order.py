# SPDX-License-Identifier: MIT
"""Order in time on one grid: how fast the results of ever shorter steps approach each other, with sides and sources that change with
time. Differences between successive refinements contain no error of the grid."""
import numpy as np

from halotherm_runner import Case
from solutions import OPEN, WAVE, OfTemperature, Problem

CELLS, END, REQUIRED = 12, 0.4, 1.95
VARYING = ([("1 + 0.5*x", "0.5"), ("1.5 + cos(y)", "-sin(y)")], ("1 + 0.3*x", "2 - y"))
PROBLEMS = {
    "temperature, convection": Problem([OPEN, OPEN], ["temperature", "convection"]),
    "flux, periodic": Problem([OPEN, WAVE], ["flux", "periodic"]),
    "temperature, flux and convection, varying coefficients": Problem([OPEN, OPEN], ["temperature", "flux and convection"], *VARYING),
    "convection and radiation, temperature": Problem([OPEN, OPEN], ["convection and radiation", "temperature"]),
    "K(T), c(T), convection, flux": OfTemperature([OPEN, OPEN], ["convection", "flux"], "1 + (T - 300)^2/5000", "(T - 300)/2500",
                                                  "1.5 + 0.005*(T - 300)"),
    "K(T) f(t), c(T), convection, flux": OfTemperature([OPEN, OPEN], ["convection", "flux"], "1 + (T - 300)^2/5000", "(T - 300)/2500",
                                                       "1.5 + 0.005*(T - 300)", factor="0.6 + 0.3*sin(9*t)"),
}


class TimeOrder(Case):
    def fields(self, problem, integrator, counts):
        """The field at the end after each of so many equal steps, and the stages of each: the same number, as `safety` shrinks with dt."""
        results = []
        for count in counts:
            config = problem.config() | {"grid": {"cells": [CELLS] * 2, "upper": [1, 1]},
                                         "time": {"end": END, "dt": END / count, "integrator": integrator, "safety": counts[0] / count},
                                         "output": {"diagnostics": {"steps": 1000000}}}
            run = self.run_program(config)
            self.assertEqual(run.report()["steps"], count)
            results.append((run.temperature(), run.report()["stages_per_step"]))
            self.forget(run)
        return results

    def measure(self, label, problem, integrator, counts):
        """The observed order, in the maximum norm, and the field of the shortest steps."""
        results = self.fields(problem, integrator, counts)
        first, second = (np.abs(b[0] - a[0]).max() for a, b in zip(results, results[1:]))
        order = np.log(first / second) / np.log(counts[1] / counts[0])
        print(f"| {integrator} | {label} | {', '.join(map(str, counts))} | {', '.join(str(stages) for _, stages in results)} | "
              f"{second:.1e} | {order:.2f} |")
        return order, results[-1][0]

    def test_second_order(self):
        for label, problem in PROBLEMS.items():
            with self.subTest(label):
                order, by_rk2 = self.measure(label, problem, "rk2", (500, 1000, 2000))
                self.assertGreaterEqual(order, REQUIRED)
                order, by_rkl2 = self.measure(label, problem, "rkl2", (32, 64, 128))
                self.assertGreaterEqual(order, REQUIRED)
                difference = np.abs(by_rk2 - by_rkl2).max()
                print(f"{label}: rk2 and rkl2 differ by {difference:.1e} K")
                self.assertLess(difference, 0.02)

    def test_implicit(self):
        """Steps of about the explicit bound to some times as long."""
        for label, problem in PROBLEMS.items():
            fields = {}
            for integrator, required in (("backward-euler", 0.95), ("crank-nicolson", REQUIRED), ("tr-bdf2", REQUIRED)):
                with self.subTest(label, integrator=integrator):
                    order, fields[integrator] = self.measure(label, problem, integrator, (64, 128, 256))
                    self.assertGreaterEqual(order, required)
            with self.subTest(label):
                ((expected, _),) = self.fields(problem, "rkl2", (256,))
                for integrator in ("crank-nicolson", "tr-bdf2"):
                    difference = np.abs(fields[integrator] - expected).max()
                    print(f"{label}: {integrator} and rkl2 differ by {difference:.1e} K")
                    self.assertLess(difference, 0.02)

    def adaptive(self, problem, integrator, tolerance):
        """The field at the end, the number of steps, and what the report has on them."""
        config = problem.config() | {"grid": {"cells": [CELLS] * 2, "upper": [1, 1]},
                                     "time": {"end": END, "integrator": integrator, "tolerance": tolerance},
                                     "output": {"diagnostics": {"steps": 1000000}}}
        run = self.run_program(config)
        report = run.report()
        self.assertEqual(float(run.state()[1]["time"]), END)
        results = run.temperature(), report["steps"], report["adaptive"]
        self.forget(run)
        return results

    def test_tolerance(self):
        """The method's order in the number of steps. Against the tolerance the error falls by its power of 2/3 with rkl2 and tr-bdf2,
        though more or less where few steps are limited by their growth; with rk2 in proportion, with backward-euler by the power of 1/2."""
        methods = (("rkl2", (1e-2, 1e-4, 1e-6), (0.45, 1), REQUIRED), ("rk2", (3e-5, 3e-6, 2e-7), (0.9, 1.1), REQUIRED),
                   ("tr-bdf2", (1e-2, 1e-4, 1e-6), (0.45, 1), REQUIRED), ("backward-euler", (3e-2, 3e-3, 1e-4), (0.35, 0.7), 0.9))
        for label, problem in list(PROBLEMS.items())[::2]:
            for integrator, tolerances, powers, required in methods:
                with self.subTest(label, integrator=integrator):
                    results = [self.adaptive(problem, integrator, tolerance) for tolerance in tolerances]
                    (first, steps), (second, more) = ((np.abs(results[n][0] - results[-1][0]).max(), results[n][1]) for n in (0, 1))
                    order = np.log(first / second) / np.log(more / steps)
                    found = np.log(first / second) / np.log(tolerances[0] / tolerances[1])
                    print(f"| {integrator} | {label} | {tolerances[0]}, {tolerances[1]} K | {steps}, {more} steps | {results[0][2]['stages']}, "
                          f"{results[1][2]['stages']} stages | {first:.1e}, {second:.1e} | {order:.2f} | {found:.2f} |")
                    self.assertGreaterEqual(order, required)
                    self.assertGreater(found, powers[0])
                    self.assertLess(found, powers[1])

    def test_can_fail(self):
        order, _ = self.measure("temperature, convection (must fail)", PROBLEMS["temperature, convection"], "euler", (500, 1000, 2000))
        self.assertLess(order, 1.1)
