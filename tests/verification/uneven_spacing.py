# SPDX-License-Identifier: MIT
"""Cells of different widths along an axis: second order on smooth spacings, exact flows through layers, heat conserved to rounding."""
import numpy as np

from conservation import BALANCE, BOUND, RANDOM, drift
from halotherm_runner import Case
from orders import OrderCase, observed_orders
from solutions import OPEN, WAVE, Mode, Problem, evaluate

REQUIRED = 1.95
CONDUCTIVITY = "1 + 0.5*sin(2*x) + 0.4*y^2"


def stretched(cells, length=1.0):
    """Faces whose distances differ by a factor of up to 4.4, smoothly, also from one end to the other."""
    along = np.arange(cells + 1) / cells
    return length * (along + 0.1 * np.sin(2 * np.pi * along))


def centres(*faces):
    """Coordinates of the cells' centres in the shape of /T, that is (z, y, x), for x, y, z."""
    return np.meshgrid(*reversed([(axis[1:] + axis[:-1]) / 2 for axis in faces]), indexing="ij")[::-1]


def grid_of(*faces, **more):
    return {axis: {"faces": list(along)} for axis, along in zip("xyz", faces)} | more


class Orders(OrderCase):
    def orders(self, label, problem, cells, end, axes=None):
        """Of the maximum and the root-mean-square error on grids whose first `axes` axes are stretched, the others even."""
        rows = []
        for n in cells:
            faces = [stretched(n) if axis < (axes or problem.dimensions) else np.linspace(0, 1, n + 1) for axis in range(problem.dimensions)]
            config = problem.config() | {"grid": grid_of(*faces), "time": {"end": end, "bound": "stable"},
                                         "output": {"diagnostics": {"steps": 1000000}}}
            results = self.run_program(config)
            difference = results.temperature() - evaluate(problem.temperature(), end, *centres(*faces))
            rows.append((np.abs(difference).max(), np.sqrt(np.mean(difference**2))))
            self.forget(results)
        orders = observed_orders(np.array(rows), cells)
        print(f"| {label} | {', '.join(map(str, cells))} | {rows[-1][0]:.1e} | {', '.join(f'{o:.2f}' for o in orders[:, 0])} | "
              f"{', '.join(f'{o:.2f}' for o in orders[:, 1])} |")
        self.assertGreaterEqual(orders[-1].min(), REQUIRED, f"{label}: orders {orders}")

    def test_one_dimension(self):
        for kind in ("temperature", "flux", "convection", "periodic"):
            with self.subTest(kind=kind):
                self.orders(f"1-D, stretched, {kind}", Mode(1, kind), (32, 64, 128), 0.05)

    def test_conductivity_that_varies(self):
        isotropic = [(CONDUCTIVITY, "cos(2*x)"), (CONDUCTIVITY, "0.8*y")]
        problem = Problem([OPEN] * 2, ("temperature", "convection"), isotropic, ("1 + 0.5*x", "2 - x*y"))
        self.orders("2-D, stretched, K and rho c formulas", problem, (12, 24, 48), 0.02)

    def test_three_dimensions(self):
        problem = Problem([OPEN, OPEN, WAVE], ("temperature", "convection", "periodic"), [(2.0, "0"), ("1 + 0.4*x*y", "0.4*x"), (0.5, "0")])
        self.orders("3-D, x and y stretched, K of axes number and formula", problem, (8, 16, 32), 0.02, axes=2)


class Exact(Case):
    """Discrete equations that straight and broken lines solve: they stay as they are."""

    def stays(self, label, config, expected):
        config |= {"time": {"steps": 300}, "output": {"diagnostics": {"steps": 10}}}
        results = self.run_program(config)
        worst = np.abs(results.temperature() - expected).max() / np.abs(expected).max()
        print(f"{label}: off by {worst:.1e} of the largest temperature after 300 steps")
        self.assertLess(worst, 1e-13)
        return results.diagnostics()[-1]

    def test_line_on_any_spacing(self):
        x = np.concatenate([[0], np.cumsum(RANDOM.uniform(0.1, 2, 23))])
        for conductivity in (3, "3 + 0*x"):
            sides = {"x-": {"temperature": 300}, "x+": {"flux": 7.0}}
            config = {"grid": grid_of(x), "materials": {"solid": {"conductivity": conductivity, "density": 1, "heat_capacity": 1}},
                      "initial": {"temperature": "300 + 7/3*x"}, "sides": sides}
            self.stays(f"line, K = {conductivity}", config, 300 + 7 / 3 * centres(x)[0])

    def test_flux_through_layers(self):
        """10 W/cm2 through 2 um of glue between silicon and copper, cells from 2 to 25 um."""
        flux, layers = 1e5, [(100e-6, 4, 148.0), (2e-6, 1, 0.3), (48e-6, 6, 401.0)]
        edges, profile = [0.0], [300.0]
        for thickness, _, k in layers:
            edges.append(edges[-1] + thickness)
            profile.append(profile[-1] + flux * thickness / k)
        faces = np.concatenate([[0.0], *(low + (np.arange(n) + 1) * t / n for low, (t, n, _) in zip(edges, layers))])
        names = {f"layer{n}": {"conductivity": k, "density": 2000, "heat_capacity": 700} for n, (_, _, k) in enumerate(layers)}
        regions = [{"material": f"layer{n}", "layer": {"axis": "z", "from": edges[n] - 1e-7 * (n == 0), "to": edges[n + 1]}} for n in range(3)]
        expected = np.interp((faces[1:] + faces[:-1]) / 2, edges, profile)
        config = {"grid": {"x": {"cells": 2, "upper": 1e-3}, "y": {"faces": [0, 1e-3, 3e-3]}, "z": {"layers": [[t, n] for t, n, _ in layers]}},
                  "materials": names, "regions": regions, "sides": {"z-": {"temperature": 300}, "z+": {"flux": flux}},
                  "initial": {"temperature": self.data_set("line", np.broadcast_to(expected[:, None, None], (len(expected), 2, 2)))}}
        last = self.stays("layers of 148, 0.3 and 401 W/(m K)", config, expected[:, None, None])
        area = 1e-3 * 3e-3
        for flow in (last["flow_z+_W"], -last["flow_z-_W"]):  # temperatures of 300 K are rounded, and differ by mK
            self.assertAlmostEqual(flow / (flux * area), 1, delta=1e-9)


class Conservation(Case):
    """The heat content, a sum over cells of different volumes, changes by what sources and sides bring."""

    def test_heat_balance(self):
        faces = [np.concatenate([[0], np.cumsum(RANDOM.uniform(0.5, 1.5, n))]) for n in (14, 11, 9)]
        volume = np.prod([axis[-1] for axis in faces])
        for label, conductivity in (("K = 2", 2), ("K varies", "2 + sin(x)*cos(y + z)"), ("K of each axis", [1, "2 + sin(x*y)", 3])):
            closed = {"grid": grid_of(*faces), "materials": {"solid": {"conductivity": conductivity, "density": 3, "heat_capacity": 1}},
                      "initial": {"temperature": self.data_set("initial", RANDOM.uniform(250, 400, (9, 11, 14)))},
                      "sides": {"y": "periodic"}, "time": {"steps": 100, "bound": "stable"}, "output": {"diagnostics": {"steps": 1}}}
            rows = self.run_program(closed, 2).diagnostics()
            found = drift(rows["heat_J"], 0.0, 14 * 11 * 9)
            print(f"{label}: heat drifts by at most {found:.2g} eps (1 + sqrt(steps/cells))")
            self.assertLess(found, BOUND)
            np.testing.assert_allclose(rows["heat_J"], rows["mean_K"] * 3 * volume, rtol=1e-13)
            heated = closed | {"sides": {"y": "periodic", "x-": {"temperature": 320}, "z+": {"flux": 50, "convection": {"coefficient": 4, "ambient": 290}}},
                               "regions": [{"box": {"lower": [0, 0, 0], "upper": [5, 5, 5]}, "power": 400}]}
            rows = self.run_program(heated, 2).diagnostics()
            steps = rows[1:]
            largest = np.maximum(np.abs(steps["flow_x-_W"]), 1e-3 * rows["heat_J"][1:] / np.diff(rows["time_s"]))
            missing = np.abs(steps["missing_W"] / largest).max()
            print(f"{label}: at most {missing:.1e} of the largest flow is missing")
            self.assertLess(missing, BALANCE)
            np.testing.assert_allclose(steps["source_W"], 400, rtol=1e-13)
