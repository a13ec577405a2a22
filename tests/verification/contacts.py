# SPDX-License-Identifier: MIT
"""Thermal resistances between materials: exact in series, of second order beside what is not linear, and conservative."""
import numpy as np

from halotherm_runner import Case
from orders import OrderCase, centres, observed_orders

REQUIRED = 1.95
EPS = np.finfo(float).eps


def material(conductivity, capacity=1.0):
    return {"conductivity": conductivity, "density": capacity, "heat_capacity": 1}


class Series(Case):
    """A die, paste that is too thin for cells, a spreader, a gap and a sink: steady temperatures by resistances in series."""
    LAYERS = (("die", 0.3, 148.0), ("spreader", 0.2, 401.0), ("sink", 0.5, 4.0))  # m, W/(m K)
    RESISTANCES = (2e-3, 5e-2)  # m2 K/W

    def config(self, axis, dimensions, grid):
        regions, low = [], 0.0
        for name, thickness, _ in self.LAYERS:
            ends = {"from": low - 0.01, "to": low + thickness + 1e-9}
            regions.insert(0, {"material": name, "layer": {"axis": axis} | ends})  # the lower ones lie on top
            low += thickness
        contacts = [{"between": ["spreader", "die"], "resistance": self.RESISTANCES[0]},
                    {"between": ["spreader", "sink"], "resistance": self.RESISTANCES[1]}]
        return {"grid": grid, "materials": {name: material(k) for name, _, k in self.LAYERS}, "regions": regions, "contacts": contacts,
                "initial": {"temperature": 350}, "sides": {f"{axis}-": {"temperature": 300}, f"{axis}+": {"temperature": 400}},
                "time": {"integrator": "steady"}, "linear": {"tolerance": 1e-14}}

    def expected(self, counts, factor=1.0):
        """Temperatures of the cells, of which layer n has counts[n], and the flux. `factor` changes the last resistance."""
        resistances = (self.RESISTANCES[0], factor * self.RESISTANCES[1])
        total = sum(t / k for _, t, k in self.LAYERS) + sum(resistances)
        flux, temperature, values = 100 / total, 300.0, []
        for (_, thickness, k), count, beyond in zip(self.LAYERS, counts, (*resistances, 0.0)):
            values += [temperature + flux * thickness / k * (n + 0.5) / count for n in range(count)]
            temperature += flux * (thickness / k + beyond)
        return np.array(values), flux

    def compare(self, label, config, axis, counts):
        results = self.run_program(config)
        field = np.moveaxis(results.temperature(), results.temperature().ndim - 1 - "xyz".index(axis), 0)
        rows = field.reshape(len(field), -1)
        values, flux = self.expected(counts)
        worst = np.abs(rows - values[:, None]).max()
        found = results.diagnostics()[-1]
        print(f"{label}: off by {worst:.1e} K of 300 to 400 K; flux {found[f'flow_{axis}+_W']:.10g} of {flux:.10g} W/m2")
        self.assertLess(worst, 1e-9)
        self.assertLess(abs(found[f"flow_{axis}+_W"] / flux - 1), 1e-8)
        self.assertGreater(np.abs(self.expected(counts, 1.001)[0] - values).max(), 1e-3, "the check would not notice another resistance")

    def test_even_cells(self):
        for dimensions, axis in ((1, "x"), (2, "y"), (3, "z")):
            cells = [3] * (dimensions - 1) + [20]
            config = self.config(axis, dimensions, {"cells": cells, "upper": [1] * dimensions})
            self.compare(f"{dimensions}-D", config, axis, (6, 4, 10))

    def test_uneven_cells(self):
        for dimensions, axis in ((1, "x"), (2, "x"), (3, "z")):
            others = {name: {"faces": [0, 0.2, 1]} for name in "xyz"[:dimensions] if name != axis}
            along = {axis: {"layers": [[thickness, n] for (_, thickness, _), n in zip(self.LAYERS, (3, 8, 5))]}}
            self.compare(f"{dimensions}-D, uneven", self.config(axis, dimensions, others | along), axis, (3, 8, 5))

    def test_conductivity_of_each_axis(self):
        config = self.config("y", 2, {"cells": [3, 20], "upper": [1, 1]})
        for value in config["materials"].values():
            value["conductivity"] = [7, value["conductivity"]]
        self.compare("2-D, K of each axis", config, "y", (6, 4, 10))


class Mode:
    """The slowest decaying mode of two layers with a resistance between them, fixed at both ends: X(x) exp(-w² t), in 2-D times cos(pi y)."""
    INTERFACE, RESISTANCE = 0.4, 0.3
    CONDUCTIVITY, CAPACITY = (2.0, 0.5), (3.0, 0.75)  # of the same diffusivity

    def __init__(self, dimensions, resistance=None):
        self.dimensions = dimensions
        self.resistance = self.RESISTANCE if resistance is None else resistance
        self.number = self.slowest()
        a, b = self.INTERFACE, 1 - self.INTERFACE
        p, q = self.wave_numbers(self.number)
        k, m = self.CONDUCTIVITY
        self.amplitude = -k * p * np.cos(p * a) / (m * q * np.cos(q * b))
        self.p, self.q = p, q
        self.rate = self.number**2 + (np.pi**2 * k / self.CAPACITY[0] if dimensions > 1 else 0)

    def wave_numbers(self, number):
        return [number * np.sqrt(c / k) for k, c in zip(self.CONDUCTIVITY, self.CAPACITY)]

    def mismatch(self, number):
        """K1 X1' R = X2 - X1 and K1 X1' = K2 X2' at the interface, with X1 = sin(p x) and X2 = A sin(q (1 - x))."""
        (p, q), (k, m), a, b = self.wave_numbers(number), self.CONDUCTIVITY, self.INTERFACE, 1 - self.INTERFACE
        flux = k * p * np.cos(p * a)
        return flux * np.sin(q * b) + m * q * np.cos(q * b) * (np.sin(p * a) + self.resistance * flux)

    def slowest(self):
        numbers = np.linspace(1e-3, 10, 20001)
        values = self.mismatch(numbers)
        n = int(np.argmax(values[:-1] * values[1:] < 0))
        low, high = numbers[n], numbers[n + 1]
        for _ in range(100):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.mismatch(low) * self.mismatch(middle) > 0 else (low, middle)
        return low

    def temperature(self, time, x, y=0.0):
        shape = np.where(x < self.INTERFACE, np.sin(self.p * x), self.amplitude * np.sin(self.q * (1 - x)))
        return 300 + 50 * np.exp(-self.rate * time) * shape * np.cos(np.pi * y)

    def config(self, grid):
        shape = f"(x < {self.INTERFACE} ? sin({self.p!r}*x) : {self.amplitude!r}*sin({self.q!r}*(1 - x)))".replace("np.float64", "")
        return {"grid": grid, "materials": {name: material(k, c) for name, k, c in zip("ab", self.CONDUCTIVITY, self.CAPACITY)},
                "regions": [{"material": "a"}, {"material": "b", "layer": {"axis": "x", "from": self.INTERFACE, "to": 2}}],
                "contacts": [{"between": ["a", "b"], "resistance": self.RESISTANCE}],
                "initial": {"temperature": f"300 + 50*{shape}*cos(pi*y)"}, "sides": {"x": {"temperature": 300}}}


class Decay(OrderCase):
    """The largest and the root-mean-square error of a decaying mode fall with the square of the cell size."""

    def errors_of(self, mode, grids, end, **time):
        rows = []
        for grid, faces in grids:
            config = mode.config(grid) | {"time": {"end": end, "bound": "stable"} | time, "output": {"diagnostics": {"steps": 1000000}}}
            results = self.run_program(config)
            x = (faces[1:] + faces[:-1]) / 2
            y = centres([1, len(x)], [1, 1])[1] if mode.dimensions > 1 else 0.0
            difference = results.temperature() - mode.temperature(end, x, y)
            rows.append((np.abs(difference).max(), np.sqrt(np.mean(difference**2))))
            self.forget(results)
        return np.array(rows)

    def measure_mode(self, label, mode, grids, cells, end, **time):
        errors = self.errors_of(mode, grids, end, **time)
        orders = observed_orders(errors, cells)
        print(f"| {label} | {', '.join(map(str, cells))} | {errors[-1, 0]:.1e} | {', '.join(f'{o:.2f}' for o in orders[:, 0])} | "
              f"{', '.join(f'{o:.2f}' for o in orders[:, 1])} |")
        return orders

    @staticmethod
    def even(cells, dimensions):
        return [({"cells": [n] * dimensions, "upper": [1] * dimensions}, np.linspace(0, 1, n + 1)) for n in cells]

    def test_order(self):
        for dimensions, cells in ((1, (20, 40, 80)), (2, (10, 20, 40))):
            orders = self.measure_mode(f"{dimensions}-D, contact", Mode(dimensions), self.even(cells, dimensions), cells, 0.1)
            self.assertGreaterEqual(orders[-1].min(), REQUIRED)

    def test_order_with_uneven_cells(self):
        cells = (8, 16, 32)
        grids = []
        for n in cells:
            faces = np.concatenate([np.linspace(0, 0.4, n + 1), np.linspace(0.4, 1, n // 2 + 1)[1:]])
            grids.append(({"x": {"layers": [[0.4, n], [0.6, n // 2]]}}, faces))
        orders = self.measure_mode("1-D, contact, cells of 1 : 3", Mode(1), grids, cells, 0.1)
        self.assertGreaterEqual(orders[-1].min(), REQUIRED)

    def test_integrators(self):
        """They are off by what the grid is off, 5.4e-3 K, and not by more than forward Euler."""
        for time in ({"integrator": "rkl2", "stages": 7}, {"integrator": "rk2"}, {"integrator": "crank-nicolson", "dt": 1e-3, "bound": "monotone"}):
            errors = self.errors_of(Mode(1), self.even((80,), 1), 0.1, **time)
            print(f"{time['integrator']}: off by {errors[0, 0]:.1e} K")
            self.assertLess(errors[0, 0], 7e-3)

    def test_another_resistance_is_noticed(self):
        wrong = Mode(1, resistance=0.303)
        right = Mode(1)
        wrong.config = right.config
        orders = self.measure_mode("1-D, 1 % off", wrong, self.even((20, 40, 80), 1), (20, 40, 80), 0.1)
        self.assertLess(orders.min(), 1)


class Balance(Case):
    def test_heat_balance(self):
        """Random blocks of three materials: what one cell loses through a contact its neighbour gains."""
        labels = np.random.default_rng(7).integers(1, 4, (7, 8, 9))
        config = {"grid": {"cells": [9, 8, 7], "upper": [0.9, 0.8, 0.7]}, "materials": {"a": material(1), "b": material([5, 4, 3], 2), "c": material(0.2)},
                  "regions": [{"labels": self.data_set("labels", labels), "materials": {1: "a", 2: "b", 3: "c"}}],
                  "contacts": [{"between": ["a", "b"], "resistance": 0.1}, {"between": ["c", "b"], "resistance": 1e-3}],
                  "initial": {"temperature": "300 + 50*sin(9*x)*cos(8*y)*sin(7*z + 1)"}, "sides": {"y": "periodic"},
                  "time": {"steps": 50}, "output": {"diagnostics": {"steps": 1}}}
        rows = self.run_program(config, 2).diagnostics()
        drift = np.abs(rows["heat_J"] / rows["heat_J"][0] - 1).max()
        print(f"closed: the heat content changes by {drift:.1e}")
        self.assertLess(drift, 20 * EPS)
        open_sides = config | {"sides": {"x-": {"temperature": 300}, "z+": {"flux": 50, "convection": {"coefficient": 4, "ambient": 290}}}}
        steps = self.run_program(open_sides, 3).diagnostics()[1:]
        missing = np.abs(steps["missing_W"] / steps["flow_z+_W"]).max()
        print(f"open: at most {missing:.1e} of the flow is missing")
        self.assertLess(missing, 1e-11)
