# SPDX-License-Identifier: MIT
"""Where the discrete equations have an exact solution, the program gives it to rounding."""
import numpy as np

from halotherm_runner import Case
from orders import OrderCase, centres
from solutions import Mode

EPS = np.finfo(float).eps


class SineMode(OrderCase):
    """With periodic sides a sine mode is an eigenvector of the discrete Laplacian."""

    CONDUCTIVITY, CAPACITY, STEPS = 3.0, 2.0, 200

    def decay(self, cells, upper, waves):
        """(numerical amplitude at a probe for each step, the discrete factor of a step)"""
        phases = [f"2*pi*{k}*{x}/{length}" for k, x, length in zip(waves, "xyz", upper)]
        config = {"grid": {"cells": cells, "upper": upper}, "materials": {"solid": {"conductivity": self.CONDUCTIVITY, "density": self.CAPACITY,
                                                                           "heat_capacity": 1}},
                  "initial": {"temperature": "*".join(f"sin({phase})" for phase in phases)},
                  "sides": {axis: "periodic" for axis in "xyz"[:len(cells)]}, "time": {"steps": self.STEPS},
                  "output": {"diagnostics": {"steps": 1},
                             "sensors": [{"name": "crest", "at": [length / (4 * k) * 1.001 for k, length in zip(waves, upper)]}]}}
        results = self.run_program(config, ranks=2)
        field, about = results.state()
        rate = sum(4 * self.CONDUCTIVITY * np.sin(np.pi * k / n)**2 / (length / n)**2 for k, n, length in zip(waves, cells, upper))
        factor = 1 - float(about["dt"]) * rate / self.CAPACITY
        start = np.prod([np.sin(2 * np.pi * k * x / length) for k, x, length in zip(waves, centres(cells, upper), upper)], axis=0)
        return results.diagnostics()["crest_K"], factor, field, start

    @staticmethod
    def deviation(crest, factor):
        """Largest relative deviation of any step from the exact decay."""
        return np.abs(crest / (crest[0] * factor**np.arange(len(crest))) - 1).max()

    def test_discrete_decay_of_every_step(self):
        for cells, upper, waves in (([48], [1.5], [2]), ([40, 30], [1, 2], [1, 2]), ([24, 20, 16], [1, 1, 2], [1, 1, 2])):
            with self.subTest(cells=cells):
                crest, factor, field, start = self.decay(cells, upper, waves)
                worst = self.deviation(crest, factor)
                whole = np.abs(field - start * factor**self.STEPS).max() / (factor**self.STEPS)
                print(f"{len(cells)}-D: factor {factor:.6f} a step; a probe deviates by {worst:.1e} in {self.STEPS} steps, the field by {whole:.1e}")
                self.assertEqual(len(crest), self.STEPS + 1)
                self.assertLess(worst, 1e-12)
                self.assertLess(whole, 1e-12)
                self.assertGreater(self.deviation(crest, factor * (1 + 1e-13)), 1e-12, "the check would not notice a wrong factor")

    def test_convergence_to_the_continuous_decay(self):
        self.require(self.measure("1-D, sine mode, periodic", Mode(1, "periodic", base=0.0), (32, 64, 128), 0.02))


class Layers(Case):
    """Steady heat flow through layers of different conductivity: the harmonic mean makes it exact, wherever cells end at the interface."""

    def steady(self, dimensions, axis, k):
        """Temperatures along the axis after a long time, with 300 K below and 400 K above."""
        cells = [3] * dimensions
        cells[axis] = len(k)
        shape = [1] * dimensions
        shape[dimensions - 1 - axis] = len(k)
        values = np.broadcast_to(np.reshape(k, shape), cells[::-1])
        side = "xyz"[axis]
        config = {"grid": {"cells": cells, "upper": [1] * dimensions}, "initial": {"temperature": 350},
                  "materials": {"solid": {"conductivity": self.data_set("k", values), "density": 1, "heat_capacity": 1}},
                  "sides": {side + "-": {"temperature": 300}, side + "+": {"temperature": 400}},
                  "time": {"steps": 20000, "bound": "stable"}, "output": {"diagnostics": {"steps": 10000}}}
        field = self.run_program(config).temperature()
        rows = np.moveaxis(field, dimensions - 1 - axis, 0).reshape(len(k), -1)
        self.assertTrue((rows == rows[:, :1]).all(), "differs across the layers")
        return rows[:, 0]

    @staticmethod
    def expected(k):
        """By resistances in series."""
        half = 0.5 / len(k) / k
        below = np.cumsum(2 * half) - half
        return 300 + 100 * below / np.sum(2 * half)

    def test_layers(self):
        k = np.repeat([401.0, 4.0, 130.0], [5, 4, 3])
        for dimensions, axis in ((1, 0), (2, 1), (3, 2)):
            with self.subTest(dimensions=dimensions):
                worst = np.abs(self.steady(dimensions, axis, k) - self.expected(k)).max()
                print(f"{dimensions}-D: copper, interface material, silicon: {worst:.1e} K from the exact temperatures of 300 to 400 K")
                # a change below half a last digit is lost, and the stiffest layer sets dt: the softest then stops that much sooner
                self.assertLess(worst, k.max() / k.min() * len(k) * EPS * 400)

    def test_check_notices_another_mean(self):
        k = np.repeat([401.0, 4.0, 130.0], [5, 4, 3])
        self.assertGreater(np.abs(self.expected(k) - self.expected(np.repeat([401.0, 4.01, 130.0], [5, 4, 3]))).max(), 1e-3)
