# SPDX-License-Identifier: MIT
"""The same bits from another build of the program, such as one for GPUs beside one for CPUs."""
import os

import numpy as np

from bits import STEPS, BitsCase, problem

CELLS = {1: [300001], 2: [700, 431], 3: [97, 64, 49]}
MATERIALS = {"constant": {"conductivity": 0.8, "density": 1.1}, "per axis": {"conductivity": [0.5, 0.8, 0.7]}, "varying": {},
             "varying per axis": {"conductivity": ["0.5 + 0.3*sin(9*x)", "0.8 + 0.1*cos(5*y)", "0.7 + 0.2*sin(4*z)"]}}


def units_in_the_last_place(field, reference):
    return np.abs((field - reference) / np.spacing(reference)).max()


class Devices(BitsCase):
    """Both programs run on one host: formulas call its C library, whose last digits differ from one version to the next."""

    def setUp(self):
        super().setUp()
        if not os.environ.get("HALOTHERM_REFERENCE"):
            self.skipTest("no other build to compare with: HALOTHERM_REFERENCE names none")

    def run_reference(self, config):
        program, os.environ["HALOTHERM"] = os.environ["HALOTHERM"], os.environ["HALOTHERM_REFERENCE"]
        try:
            return self.run_program(config)
        finally:
            os.environ["HALOTHERM"] = program

    def pairs(self, precision):
        """(label, results, results of the reference) for each number of dimensions and kind of material."""
        for dimensions, cells in CELLS.items():
            for label, material in MATERIALS.items():
                if "per axis" in label:
                    material = {"conductivity": material["conductivity"][:dimensions]}
                config = problem(dimensions, precision, grid={"cells": cells}, material=material)
                config["output"]["diagnostics"] = {"steps": STEPS}
                with self.subTest(dimensions=dimensions, precision=precision, conductivity=label):
                    yield f"{dimensions}-D, K {label}, {precision}", self.run_program(config, 2), self.run_reference(config)

    def test_float64(self):
        """Where K varies, a GPU takes the neighbour of some reciprocals (ADR 3)."""
        for label, results, reference in self.pairs("float64"):
            if "varying" in label:
                (field, _), (expected, _) = results.state(), reference.state()
                self.assertLessEqual(units_in_the_last_place(field, expected), 2, label)
                print(f"{label}: {(field != expected).mean():.2%} of the cells differ")
            else:
                self.assert_same(results, reference, label)

    def test_float32(self):
        for label, results, reference in self.pairs("float32"):
            self.assert_same(results, reference, label)
