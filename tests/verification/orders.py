# SPDX-License-Identifier: MIT
"""Observed orders of accuracy: the program on three grids against a solution that is known."""
import numpy as np

from halotherm_runner import Case
from solutions import evaluate

REQUIRED = 1.9


def centres(cells, upper):
    """Coordinates of the cells' centres in the shape of /T, that is (z, y, x), for x, y, z."""
    axes = [(np.arange(n) + 0.5) * length / n for n, length in zip(cells, upper)]
    return np.meshgrid(*reversed(axes), indexing="ij")[::-1]


def observed_orders(errors, cells):
    cells = np.array(cells, float)[:, None]
    return np.log(errors[:-1] / errors[1:]) / np.log(cells[1:] / cells[:-1])


class OrderCase(Case):
    """`measure` runs the grids, `require` judges: two functions, so that tests can show that the judge says no."""

    def errors(self, problem, cells, end, upper=1.0, ranks=1, exact=None, **grid):
        """Maximum and root-mean-square errors [K] at the end for each number of cells an axis."""
        rows = []
        for n in cells:
            shape, corner = [n] * problem.dimensions, [upper] * problem.dimensions
            config = problem.config() | {"grid": {"cells": shape, "upper": corner, **grid}, "time": {"end": end, "bound": "stable"},
                                         "output": {"diagnostics": {"steps": 1000000}}}
            results = self.run_program(config, ranks)
            difference = results.temperature().astype(float) - evaluate(exact or problem.temperature(), end, *centres(shape, corner))
            rows.append((np.abs(difference).max(), np.sqrt(np.mean(difference**2))))
            self.forget(results)
        return np.array(rows)

    def measure(self, label, problem, cells, end, **options):
        """Observed orders, one row for each refinement, in the maximum and the root-mean-square norm; prints a table's row."""
        errors = self.errors(problem, cells, end, **options)
        orders = observed_orders(errors, cells)
        print(f"| {label} | {', '.join(map(str, cells))} | {errors[-1, 0]:.1e} | "
              f"{', '.join(f'{o:.2f}' for o in orders[:, 0])} | {', '.join(f'{o:.2f}' for o in orders[:, 1])} |")
        return orders

    def require(self, orders):
        self.assertGreaterEqual(orders.min(), REQUIRED, f"orders {orders}")
