# SPDX-License-Identifier: MIT
"""Grid convergence of the published cases: each at ever smaller cells, with steps that fall with the square of their size, so that one order
says how the whole error falls. Errors against the exact solution where there is one, else differences between successive grids."""
import math

import numpy as np

from cases import FOLDER, ICE
from halotherm_runner import Case, Results, launch


def roots(function, count):
    """The positive roots of z tan z = Bi, one in each branch, by bisection."""
    found = []
    for n in range(count):
        low, high = n * math.pi + 1e-12, (n + 0.5) * math.pi - 1e-12
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if function(middle) < 0 else (low, middle)
        found.append(0.5 * (low + high))
    return np.array(found)


def cooling_slab(biot, position, fourier):
    """Temperature over the initial one: half a slab that is insulated at position 0 and cools by convection at 1 (Carslaw & Jaeger 1959,
    section 3.11)."""
    z = roots(lambda x: x * math.tan(x) - biot, 60)
    return float(np.sum(4 * np.sin(z) / (2 * z + np.sin(2 * z)) * np.cos(z * position) * np.exp(-z**2 * fourier)))


def quenched_slab(share, fourier):
    """The same between two faces at 0; position and Fourier number in units of the thickness."""
    n = np.arange(1, 400, 2)
    return float(np.sum(4 / (n * math.pi) * np.sin(n * math.pi * share) * np.exp(-(n * math.pi)**2 * fourier)))


def slab_cooling():
    return {"insulated": [1000 * cooling_slab(1, 0, t / 1000) for t in range(60, 1801, 60)]}


def square_cooling():
    return {"centre": [1000 * cooling_slab(1, 0, t / 10)**2 for t in range(1, 11)]}


def orthotropic_plate():
    diffusivity = np.array([1.319, 0.659]) / 1899.1
    fourier = diffusivity * 4320 / np.array([3, 6])**2
    middle = quenched_slab(0.5, fourier[1])
    # the file gives whole thousandths of a kelvin
    return {name: [255.372 - ICE + 16.667 * quenched_slab(x / 3, fourier[0]) * middle] for name, x in zip("abcde", (0.3, 0.6, 0.9, 1.2, 1.5))}


def oscillating_bar():
    """T3: the quasi-steady part x/L 100 sin(w t) and sine modes that its rate excites, integrated in closed form."""
    length, x, t, w = 0.1, 0.08, 32.0, math.pi / 40
    a = 35 / (7200 * 440.5)
    n = np.arange(1, 4000)
    rate = a * (n * math.pi / length)**2
    excited = 100 * w * 2 / (n * math.pi) * (-1.0)**n  # of -100 w cos(w t) x/L
    integral = (rate * np.cos(w * t) + w * np.sin(w * t) - rate * np.exp(-rate * t)) / (rate**2 + w**2)
    return {"inside": [float(100 * x / length * math.sin(w * t) + np.sum(excited * integral * np.sin(n * math.pi * x / length)))]}


def melting_front():
    """Neumann's solution (Carslaw & Jaeger 1959, section 11.2)."""
    solid, liquid, front, latent = (210, 3e6), (95, 2.58e6), 660, 1.08048e9
    a, b = (k / c for k, c in (solid, liquid))
    ratio = math.sqrt(a / b)

    def excess(x):
        return (solid[1] * (front - 580) * math.exp(-x * x) / math.erf(x)
                - liquid[0] / math.sqrt(b) * math.sqrt(a) * solid[1] / solid[0] * (740 - front) * math.exp(-(x * ratio)**2) / math.erfc(x * ratio)
                - x * latent * math.sqrt(math.pi))
    low, high = 1e-6, 2.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)

    def at(x, t):
        if x < 2 * low * math.sqrt(a * t):
            return 580 + (front - 580) * math.erf(x / (2 * math.sqrt(a * t))) / math.erf(low)
        return 740 - (740 - front) * math.erfc(x / (2 * math.sqrt(b * t))) / math.erfc(low * ratio)
    return {f"at_{x}_mm": [at(x / 1000, 0.5 * n) for n in range(1, 13)] for x in (5, 10)}


class Study(Case):
    def found(self, name, cells, dt, between, end):
        """The sensors' temperatures in degrees Celsius each `between` s until `end`."""
        folder = self.work / f"{name}{cells}"
        dimensions = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8").split("cells: [")[1].split("]")[0].count(",") + 1
        settings = {"grid.cells": f"[{', '.join([str(cells)] * dimensions)}]", "time.dt": repr(dt), "time.end": "null",
                    "time.steps": round(end / dt), "output.diagnostics.steps": round(between / dt), "output.directory": folder}
        overrides = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        code, text = launch(["run", str(FOLDER / f"{name}.yaml"), *overrides], 1, self.work)
        self.assertEqual(code, 0, text)
        rows = Results(folder, text).diagnostics()[1:]
        np.testing.assert_allclose(rows["time_s"], between * np.arange(1, len(rows) + 1), rtol=1e-9)
        sensors = [column for column in rows.dtype.names[7:] if column.endswith(("_K", "_degC")) and column.rsplit("_", 1)[0] not in ("max_rate",)]
        return {column.rsplit("_", 1)[0]: rows[column] - (ICE if column.endswith("_K") else 0) for column in sensors}

    def study(self, name, grids, first_dt, between, end, exact=None, order=None):
        """`grids`: cells an axis; `first_dt`: of the first [s]. `order`: least one of the finest pair."""
        results = [self.found(name, cells, first_dt * (grids[0] / cells)**2, between, end) for cells in grids]
        if exact:
            pairs = [(result, exact) for result in results]
        else:
            pairs = list(zip(results, results[1:]))
        errors = [max(np.abs(one[sensor] - np.asarray(other[sensor])).max() for sensor in (exact or one)) for one, other in pairs]
        sizes = grids if exact else grids[:-1]
        orders = [math.log(errors[n] / errors[n + 1]) / math.log(sizes[n + 1] / sizes[n]) for n in range(len(errors) - 1)]
        print(f"| {name} | {', '.join(map(str, grids))} | {'exact' if exact else 'next grid'} | "
              f"{', '.join(f'{error:.2g}' for error in errors)} | {', '.join(f'{value:.2f}' for value in orders)} |")
        self.assertTrue(all(fine < coarse for coarse, fine in zip(errors, errors[1:])), errors)
        if order is not None:
            self.assertGreater(orders[-1], order)
        return results[-1]


class Convergence(Study):
    """Cases with an exact solution."""

    def test_nafems_t3(self):
        exact = oscillating_bar()
        self.assertAlmostEqual(exact["inside"][0], 36.60312, delta=1e-5)
        self.study("nafems_t3", (25, 50, 100), 0.32, 32, 32, exact, 1.95)

    def test_slab_cooling(self):
        exact = slab_cooling()
        np.testing.assert_allclose(np.array(exact["insulated"])[[0, 4, 9, 14, 19, 24, 29]], [999.3, 891.8, 717.7, 574.9, 460.4, 368.7, 295.3], atol=0.06)
        self.study("slab_cooling", (10, 20, 40), 2.4, 60, 1800, exact, 1.95)

    def test_square_cooling(self):
        exact = square_cooling()
        np.testing.assert_allclose(np.array(exact["centre"])[[0, 1, 3, 5, 7, 9]], [986.264, 903.720, 690.479, 515.060, 383.195, 285.006], atol=6e-4)
        self.study("square_cooling", (15, 27, 51), 0.1 / 25, 0.1, 1, exact, 1.95)

    def test_orthotropic_plate(self):
        exact = orthotropic_plate()
        np.testing.assert_allclose([exact[name][0] for name in "abcde"], [-17.5742, -17.3905, -17.2448, -17.1515, -17.1189], atol=1e-3)
        self.study("orthotropic_plate", (20, 40, 80), 8.0, 4320, 4320, exact, 1.95)

    def test_another_exact_solution_is_noticed(self):
        """Errors that stay with the wrong solution have no order."""
        wrong = {"inside": [oscillating_bar()["inside"][0] + 0.01]}
        with self.assertRaises(AssertionError):
            self.study("nafems_t3", (25, 50, 100), 0.32, 32, 32, wrong, 1.95)


class ConvergenceOfFires(Study):
    """Cases that radiate, melt, or have properties that change with the temperature: minutes."""

    def test_sfpe_case_1(self):
        last = self.study("sfpe_case_1", (4, 8, 16), 0.25, 300, 1800, order=1.8)
        print("finest at the surface:", " ".join(f"{value:.2f}" for value in last["surface"]), "for 97.8 234.4 390.2 539.7 662.9 751.9")

    def test_sfpe_case_7(self):
        last = self.study("sfpe_case_7", (10, 20, 40, 80), 60.0, 1800, 10800, order=1.8)
        print("finest in the centre:", " ".join(f"{value:.2f}" for value in last["centre"]), "for 9 127 315 492 640 757")

    def test_sfpe_case_13(self):
        last = self.study("sfpe_case_13", (10, 20, 40, 80), 60.0, 1800, 10800)
        print("finest in the centre:", " ".join(f"{value:.2f}" for value in last["centre"]), "for 31 85 147 272 393 500")

    def test_melting_front(self):
        self.study("melting_front", (125, 250, 500), 0.5 / 320, 0.5, 6, melting_front())
