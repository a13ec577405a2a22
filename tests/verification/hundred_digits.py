# SPDX-License-Identifier: MIT
"""SIAM 100-digit challenge, problem 8: the time at which a square's centre reaches 1, by forward Euler and Richardson extrapolation.

The centre's temperature at a fixed time is a series in h² on even numbers of cells with dt = h²/8: each mode of the discrete problem has a
wave number, a decay and a value in the centre that are such series, and high modes have decayed. Times are multiples of 1/512 s, which all
grids meet without rounding."""
import numpy as np

from cases import FOLDER
from halotherm_runner import Case, Results, launch

KNOWN = 0.42401138703368836  # s; Bornemann, Laurie, Wagon & Waldvogel 2004, The SIAM 100-Digit Challenge, appendix A
GRIDS = (16, 32, 64, 128)  # cells an axis
EVERY = 1 / 512  # s between the times that are compared


def extrapolated(values):
    """Of rows for ever half the cell width: Richardson's table in h² (Romberg), its last entry."""
    rows = [np.asarray(row) for row in values]
    power = 1
    while len(rows) > 1:
        power *= 4
        rows = [fine + (fine - coarse) / (power - 1) for coarse, fine in zip(rows, rows[1:])]
    return rows[0]


def crossing(times, values, level=1.0, points=12):
    """The time at which a smooth function passes the level: the inverse function's polynomial through the nearest points (Neville)."""
    first = max(0, int(np.searchsorted(values, level)) - points // 2)
    x, y = values[first:first + points], list(times[first:first + points])
    for length in range(1, len(y)):
        for n in range(len(y) - length):
            y[n] = ((level - x[n + length]) * y[n] + (x[n] - level) * y[n + 1]) / (x[n] - x[n + length])
    return y[0]


class HundredDigits(Case):
    def history(self, cells):
        """(times, temperatures of the centre) from 0.39 s on."""
        folder, dt = self.work / f"cells{cells}", (2 / cells)**2 / 8
        every = round(EVERY / dt)
        settings = {"grid.cells": f"[{cells}, {cells}]", "time.dt": repr(dt), "time.end": repr(round(0.4375 / EVERY) * EVERY),
                    "output.diagnostics.steps": every, "output.directory": folder}
        overrides = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        code, text = launch(["run", str(FOLDER / "siam_problem_8.yaml"), *overrides], 1, self.work)
        self.assertEqual(code, 0, text)
        rows = Results(folder, text).diagnostics()
        late = rows["time_s"] >= 0.39
        return rows["time_s"][late], rows["centre_K"][late]

    def test_time(self):
        histories = [self.history(cells) for cells in GRIDS]
        times = histories[0][0]
        for other, _ in histories:
            np.testing.assert_array_equal(other, times, "times are compared to the last bit")
        values = [value for _, value in histories]
        found = [crossing(times, row) for row in values]
        errors = [abs(time - KNOWN) for time in found]
        for cells, time, error in zip(GRIDS, found, errors):
            print(f"{cells:4d} x {cells} cells: t = {time:.15f} s, off by {error:.2e} s")
        orders = [np.log2(coarse / fine) for coarse, fine in zip(errors, errors[1:])]
        print("orders " + ", ".join(f"{order:.3f}" for order in orders))
        for order in orders:
            self.assertAlmostEqual(order, 2, delta=0.05)
        best = crossing(times, extrapolated(values))
        error = abs(best - KNOWN)
        print(f"extrapolated: t = {best:.15f} s, off by {error:.2e} s: {-np.log10(error / KNOWN):.1f} digits")
        self.assertLess(error, 1e-12, "twelve digits")
        self.assertGreater(abs(crossing(times, extrapolated([row * (1 + 1e-9) for row in values])) - KNOWN), 1e-10, "it can fail")
