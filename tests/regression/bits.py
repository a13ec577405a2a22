# SPDX-License-Identifier: MIT
"""Comparison to the bit, and the problem that every run of this suite solves in one of its shapes."""
import numpy as np

from halotherm_runner import Case

CELLS = {1: [61], 2: [37, 29], 3: [29, 23, 17]}  # no axis can be cut evenly
STEPS = 21

# For each number of ranks three cuts where there are that many; None lets the program choose.
CUTS = {3: {1: [None, [1, 1, 1]], 2: [None, [2, 1, 1], [1, 1, 2]], 3: [None, [3, 1, 1], [1, 3, 1]], 4: [None, [1, 2, 2], [4, 1, 1]],
            8: [None, [2, 2, 2], [1, 8, 1]]},
        2: {1: [None], 2: [None, [2, 1], [1, 2]], 3: [None, [3, 1], [1, 3]], 4: [None, [2, 2], [1, 4]], 8: [None, [2, 4], [8, 1]]},
        1: {1: [None], 2: [None, [2]], 3: [None], 4: [None], 8: [None, [8]]}}


def some_cuts(dimensions, turn):
    """(ranks, cut) for a problem that takes two numbers of ranks: in turn, so that five problems meet all of them and the most ranks,
    which share few cores, once."""
    numbers = ((2, 3), (4, 2), (3, 4), (8, 2), (3, 2))[turn % 5]
    return [(ranks, CUTS[dimensions][ranks][-1]) for ranks in numbers]


def same_bits(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def step_of(checkpoint):
    return int(checkpoint.stem.removeprefix("checkpoint_"))


def problem(dimensions, precision="float64", **sections):
    """Everything that could depend on how the grid is cut: all kinds of sides, coefficients that vary, values that change in time.
    `material` changes properties of the one material, other names keys of sections."""
    sides = {"x-": {"temperature": "300 + 40*sin(30*t + y) + 10*z"},
             "x+": {"convection": {"coefficient": "5 + 4*cos(7*y)", "ambient": "280 + 100*t"},
                    "radiation": {"emissivity": "0.5 + 0.3*cos(3*y)", "ambient": "400 + 900*t"}}}
    if dimensions > 1:
        sides["y"] = "periodic"
    if dimensions > 2:
        patches = [{"name": "plate", "box": {"lower": [0.1, -0.1, -0.3], "upper": [0.5, 0.4, -0.3]}, "temperature": "350 + 90*t"},
                   {"name": "lamp", "box": {"lower": [0.5, 0, -0.3], "upper": [0.8, 0.6, -0.3]}, "radiation": {"emissivity": 0.9, "ambient": 700}}]
        sides |= {"z-": {"flux": "200*sin(9*x)", "convection": {"coefficient": "3 + x", "ambient": 290}, "patches": patches},
                  "z+": {"radiation": {"emissivity": 0.4, "ambient": 310}}}
    config = {
        "title": "Bits",
        "grid": {"cells": CELLS[dimensions], "lower": [-0.3] * dimensions, "upper": [1.1, 0.8, 0.7][:dimensions], "precision": precision},
        "materials": {"solid": {"conductivity": "1 + 0.7*sin(9*x + 2*y)*cos(5*z)", "density": "2 + cos(11*x)", "heat_capacity": 0.9}},
        "regions": [{"source": "500*exp(-20*(x^2 + y^2 + z^2))*(1 + t)"}],
        "initial": {"temperature": "300 + 80*sin(13*x + 1)*cos(7*y + 2)*sin(5*z + 3)"},
        "sides": sides,
        "time": {"steps": STEPS},
        "output": {"diagnostics": {"steps": 1}, "checkpoint": {"steps": 1000000}, "sensors": [{"name": "middle", "at": [0.37] * dimensions},
                              {"name": "corner", "at": [1.09, -0.29, 0.69][:dimensions]}]}}
    config["materials"]["solid"] |= sections.pop("material", {})
    for name, keys in sections.items():
        config[name] = {**config.get(name, {}), **keys}
    return config


class BitsCase(Case):
    def assert_same(self, results, reference, label):
        """Field, step and time of the last checkpoint, and the diagnostics."""
        (field, about), (expected, wanted) = results.state(), reference.state()
        different = int((field != expected).sum()) if field.shape == expected.shape else "all"
        self.assertTrue(same_bits(field, expected), f"{label}: {different} of {expected.size} cells differ")
        for name in ("step", "time", "dt", "checksum"):
            self.assertEqual(about[name], wanted[name], f"{label}: {name}")
        self.assertEqual(results.diagnostics_text(), reference.diagnostics_text(), f"{label}: diagnostics.csv")


class Comparison(BitsCase):
    """The comparison itself: one flipped bit is noticed."""

    def test_flipped_bit(self):
        for dtype, bits in ((np.float64, np.uint64), (np.float32, np.uint32)):
            field = np.linspace(250, 400, 60).astype(dtype).reshape(3, 4, 5)
            for place in ((0, 0, 0), (1, 2, 3), (2, 3, 4)):
                other = field.copy()
                self.assertTrue(same_bits(field, other))
                other.view(bits)[place] ^= bits(1)
                self.assertFalse(same_bits(field, other))

    def test_sign_of_zero_shape_and_type(self):
        self.assertFalse(same_bits(np.array([0.0]), np.array([-0.0])))
        self.assertFalse(same_bits(np.zeros((2, 3)), np.zeros((3, 2))))
        self.assertFalse(same_bits(np.zeros(4), np.zeros(8, np.float32)))
        self.assertTrue(same_bits(np.array([np.nan]), np.array([np.nan])))

    def test_another_problem_has_other_bits(self):
        """The last digit of one coefficient is seen in the field and in the diagnostics. With `dt: auto` it would cancel in dt/(rho c)."""
        run = self.run_program(problem(2, time={"dt": 1e-4}))
        other = self.run_program(problem(2, time={"dt": 1e-4}, material={"heat_capacity": 0.9 + 2e-16}))
        self.assertFalse(same_bits(run.temperature(), other.temperature()))
        self.assertRaises(AssertionError, self.assert_same, other, run, "another material")
