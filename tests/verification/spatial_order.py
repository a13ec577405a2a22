# SPDX-License-Identifier: MIT
"""Second order in 1-D, 2-D and 3-D for every kind of side, given by numbers and by formulas of position and time."""
import numpy as np

from orders import OrderCase, observed_orders
from solutions import OPEN, WAVE, Mode, Moving, Problem

KINDS = ("temperature", "flux", "convection", "flux and convection", "periodic")


class Orders(OrderCase):
    dimensions = 0
    cells = ()         # an axis, where values are numbers
    cells_formula = ()  # where they are formulas, which cost more
    end = 0.0          # s

    def test_numbers(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.require(self.measure(f"{self.dimensions}-D, {kind}, numbers", Mode(self.dimensions, kind), self.cells, self.end))

    def test_formulas_of_position_and_time(self):
        for kind in (*KINDS, "convection and radiation"):
            with self.subTest(kind=kind):
                profile = WAVE if kind == "periodic" else OPEN
                problem = Problem([profile] * self.dimensions, [kind] * self.dimensions)
                self.require(self.measure(f"{self.dimensions}-D, {kind}, formulas", problem, self.cells_formula, self.end))


class OneDimension(Orders):
    dimensions, cells, cells_formula, end = 1, (16, 32, 64), (16, 32, 64), 0.05


class TwoDimensions(Orders):
    dimensions, cells, cells_formula, end = 2, (12, 24, 48), (12, 24, 48), 0.03


class ThreeDimensions(Orders):
    dimensions, cells, cells_formula, end = 3, (12, 24, 48), (6, 12, 24), 0.03


class MovingSources(OrderCase):
    """A source of position and time, formed by the step's kernel or evaluated in each cell."""

    def test_orders(self):
        for dimensions, cells in ((2, (12, 24, 48)), (3, (12, 24, 48))):
            for as_sum in (False, True):
                with self.subTest(dimensions=dimensions, as_sum=as_sum):
                    label = f"{dimensions}-D, moving source, a {'sum' if as_sum else 'product'}"
                    self.require(self.measure(label, Moving(dimensions, as_sum), cells, 0.03))

    def test_both_ways_agree_to_rounding(self):
        """By all integrators, each of whose stages has a time of its own."""
        for time in ({"steps": 40}, {"steps": 40, "integrator": "rk2"}, {"steps": 5, "integrator": "rkl2", "stages": 7}):
            with self.subTest(**time):
                by_product, by_sum = (self.run_program(Moving(3, as_sum).config() | {"grid": {"cells": [10, 12, 8], "upper": [1, 1, 1]}, "time": time})
                                      for as_sum in (False, True))
                difference = np.abs(by_product.temperature() - by_sum.temperature()).max()
                self.assertGreater(difference, 0, "both were formed in the same way")
                self.assertLess(difference, 1e-11)


class CanFail(OrderCase):
    """The same judge says no to a solution that is 0.1 % wrong, and to a boundary that is met with first order only."""

    def test_wrong_solution(self):
        problem = Mode(1, "temperature")
        wrong = problem.temperature().replace("50*", "50.05*")
        orders = self.measure("wrong solution (must fail)", problem, (16, 32, 64), 0.05, exact=wrong)
        self.assertRaises(AssertionError, self.require, orders)

    def test_first_order_boundary(self):
        """Fixed temperatures of the outermost cells' centres instead of the faces': a mistake by half a cell."""
        cells, errors = (16, 32, 64), []
        for n in cells:
            problem = Mode(1, "temperature")
            problem.side = lambda axis, end, n=n: {"temperature": 300 + 40 * (0.5 / n if end == 0 else 1 - 0.5 / n)}
            errors.append(self.errors(problem, (n,), 0.05)[0])
        orders = observed_orders(np.array(errors), cells)
        print(f"mistake by half a cell (must fail): orders {orders[:, 0]}")
        self.assertRaises(AssertionError, self.require, orders)


del Orders
