# SPDX-License-Identifier: MIT
"""Sources that depend on the temperature: exact solutions, orders in space and time, the step's bound, the balance of heat."""
import numpy as np

from halotherm_runner import Case
from orders import OrderCase, observed_orders
from solutions import OPEN, Problem

REQUIRED = 1.95


def rod(source, cells, initial, sides=None, conductivity=1.0, **time):
    """One metre of a material with rho c = 1."""
    temperatures = {} if "T^" not in source and "/" not in source else {"temperatures": [1, 2000]}
    return {"grid": {"cells": [cells], "upper": [1]}, "materials": {"solid": {"conductivity": conductivity, "density": 1, "heat_capacity": 1}},
            "regions": [{"source": source} | temperatures], "initial": {"temperature": initial}, "sides": sides or {}, "time": time,
            "output": {"diagnostics": {"steps": 1000000}}}


class Steady(OrderCase):
    """What explicit steps come to after a long time, and what is solved for: of second order in the cell size."""

    def measure_rod(self, label, source, sides, exact, end):
        return min((self.measure_by(f"{label}, {name}", source, sides, exact, time) for name, time in
                    (("steps", {"end": end, "integrator": "rkl2", "stages": 9}), ("steady", {"integrator": "steady"}))), key=lambda o: o[-1].min())

    def measure_by(self, label, source, sides, exact, time):
        cells, errors = (20, 40, 80), []
        for n in cells:
            results = self.run_program(rod(source, n, 300, sides, **time))
            x = (np.arange(n) + 0.5) / n
            difference = results.temperature() - exact(x)
            errors.append((np.abs(difference).max(), np.sqrt(np.mean(difference**2))))
        orders = observed_orders(np.array(errors), cells)
        print(f"| {label} | {', '.join(map(str, cells))} | {errors[-1][0]:.1e} | {', '.join(f'{o:.2f}' for o in orders[:, 0])} | "
              f"{', '.join(f'{o:.2f}' for o in orders[:, 1])} |")
        return orders

    def test_perfused_fin(self):
        """K T'' = k (T - 310) with a fixed and an insulated end: cosh."""
        def exact(x, m=3.0):
            return 310 + 60 * np.cosh(m * (1 - x)) / np.cosh(m)
        orders = self.measure_rod("1-D, perfused fin", "-9*(T - 310)", {"x-": {"temperature": 370}}, exact, 3)
        self.assertGreaterEqual(orders[-1].min(), REQUIRED)
        wrong = self.measure_by("1-D, 1 % off (must fail)", "-9.09*(T - 310)", {"x-": {"temperature": 370}}, exact, {"integrator": "steady"})
        self.assertLess(wrong[-1].min(), REQUIRED)

    def test_radiating_gas(self):
        """A rod between insulated ends loses a T⁴ and gains q: T = (q/a)^(1/4). The source alone holds the temperature, from far below."""
        config = rod("2e4 - 5.67e-7*(T^4 - 250^4)", 20, 20, integrator="steady")
        results = self.run_program(config)
        np.testing.assert_allclose(results.temperature(), (2e4 / 5.67e-7 + 250**4)**0.25, rtol=1e-9)

    def test_sources_that_nothing_holds(self):
        refused = self.run_program(rod("5*(T - 310)", 20, 300, {"x": {"flux": 0}}, integrator="steady"), expect=2)
        self.assertIn("nothing holds the temperature", refused.output)

    def test_a_source_that_runs_away(self):
        """Beyond n = pi heat grows faster than it leaves: no steady state, and exit code 3 with the history."""
        run = self.run_program(rod("3e3*(1 + 0.004*(T - 300))", 20, 300, {"x": {"temperature": 300}}, integrator="steady"), expect=3)
        self.assertIn("is not reached after", run.output)

    def test_a_value_that_is_not_finite(self):
        """Is named with its place, and is no solve that does not converge."""
        config = rod("T < 290 ? 1e200*1e200 : 5", 20, 300, {"x-": {"temperature": 300}, "x+": {"temperature": 280}}, integrator="steady")
        run = self.run_program(config, 2, expect=3)
        self.assertIn("regions[0].source: the value", run.output)

    def test_joule_heating(self):
        """K T'' + q (1 + a (T - 300)) = 0 between cold ends: cos. The feedback is positive, and below the one that runs away."""
        a, q = 0.004, 1500.0  # n² = q a = 6 < pi²
        n = np.sqrt(q * a)
        orders = self.measure_rod("1-D, Joule heating", f"{q}*(1 + {a}*(T - 300))", {"x": {"temperature": 300}},
                                  lambda x: 300 + (np.cos(n * (x - 0.5)) / np.cos(n / 2) - 1) / a, 8)
        self.assertGreaterEqual(orders[-1].min(), REQUIRED)


class Space(OrderCase):
    def test_manufactured(self):
        """A known temperature, towards which the source draws, beside K that varies, with x, y, t and T in one formula."""
        conductivity = [("1 + 0.5*sin(2*x) + 0.4*y^2", "cos(2*x)"), ("1 + 0.5*sin(2*x) + 0.4*y^2", "0.8*y")]
        problem = Problem([OPEN] * 2, ("temperature", "flux"), conductivity)
        config, exact = problem.config(), problem.temperature()
        problem.config = lambda: config | {"regions": [{"source": f"{problem.source()} + 5*(1 + x)*({exact} - T)"}]}
        orders = self.measure("2-D, a source with x, y, t and T", problem, (12, 24, 48), 0.02)
        self.assertGreaterEqual(orders[-1].min(), REQUIRED)


class Time(Case):
    """Uniform temperatures, which follow an ordinary differential equation."""
    CASES = (("decay", "-3*(T - 280)", 400, lambda t: 280 + 120 * np.exp(-3 * t)),
             ("growth", "2*(T - 280)", 300, lambda t: 280 + 20 * np.exp(2 * t)),
             ("square", "-0.01*T^2", 400, lambda t: 400 / (1 + 4 * t)),
             ("with time", "-2*(T - 300) + 100*t", 300, lambda t: 300 + 50 * t - 25 * (1 - np.exp(-2 * t))))

    def test_orders(self):
        for name, source, initial, exact in self.CASES:
            for integrator, order in (("euler", 0.95), ("rk2", REQUIRED), ("rkl2", REQUIRED), ("backward-euler", 0.95), ("crank-nicolson", REQUIRED),
                                      ("tr-bdf2", REQUIRED)):
                steps, errors = (64, 128), []
                for n in steps:
                    time = {"end": 1, "dt": 1 / n, "integrator": integrator, "bound": "stable"}
                    field = self.run_program(rod(source, 4, initial, conductivity=1e-3, **time) | {"linear": {"tolerance": 1e-10}}).temperature()
                    self.assertLess(np.ptp(field), 1e-6 if "-" in integrator else 1e-10)
                    errors.append([abs(field[0] - exact(1.0))])
                orders = observed_orders(np.array(errors), steps)[:, 0]
                print(f"{name}, {integrator}: off by {errors[-1][0]:.1e} K after 128 steps, orders {', '.join(f'{o:.2f}' for o in orders)}")
                self.assertGreaterEqual(orders[-1], order)


class Bound(Case):
    def dt_of(self, source, **time):
        return float(self.run_program(rod(source, 10, 300, steps=1, safety=1, **time)).state()[1]["dt"])

    def test_step(self):
        """1/dt = sum of G/(rho c) + the fall of q, of the stable bound half of it; a rise does not count."""
        diffusion = 2 * 100.0
        self.assertAlmostEqual(self.dt_of("-50*(T - 310)") * (diffusion + 50), 1, delta=1e-12)
        self.assertAlmostEqual(self.dt_of("-50*(T - 310)", bound="stable") * (diffusion + 25), 1, delta=1e-12)
        self.assertAlmostEqual(self.dt_of("50*(T - 310)") * diffusion, 1, delta=1e-12)
        self.assertAlmostEqual(self.dt_of("-1e-3*T^2") * (diffusion + 4), 1, delta=1e-12)  # at the upper end of its range, 2000 K

    def test_strong_sink(self):
        """A thousand times faster than diffusion: no overshoot at the bound, and a longer step is refused."""
        source = "-1e5*(T - 310)"
        for integrator in ("euler", "rk2"):
            config = rod(source, 10, "400 + 50*sin(9*x)", steps=200, safety=1, integrator=integrator) | {"output": {"diagnostics": {"steps": 1}}}
            rows = self.run_program(config).diagnostics()
            self.assertGreaterEqual(rows["min_K"].min(), 310 - 1e-9)
            self.assertLessEqual(rows["max_K"].max(), 450)
        refused = self.run_program(rod(source, 10, 400, steps=5, dt=2.1e-5), expect=3)
        self.assertIn("is unstable", refused.output)
        self.run_program(rod(source, 10, 400, steps=5, dt=1.9e-5))

    def test_range(self):
        """Beyond `temperatures` the source keeps the value of the end: a run from there begins with a straight line."""
        config = rod("-0.01*T^2", 4, 900, end=1, dt=1 / 64, integrator="rk2")
        config["regions"][0]["temperatures"] = [100, 300]
        field = self.run_program(config).temperature()
        rest = 1 - (900 - 300) / (0.01 * 300**2)  # s after 300 K are reached, from where on the source follows T
        self.assertAlmostEqual(field[0], 300 / (1 + 0.01 * 300 * rest), delta=0.5)


class Balance(Case):
    def test_heat_balance(self):
        """What sources make is what each stage evaluated: nothing is missing, with tables, in void cells' neighbours, on uneven grids."""
        hot = {"box": {"lower": [0.2, 0, 0], "upper": [0.9, 0.8, 0.6]}, "source": "5e3*(1 + 0.004*(T - 300)) - 30*x*(T - 310) + 100*sin(40*t)"}
        solid = {"conductivity": 2, "density": 3, "heat_capacity": 1}
        base = {"grid": {"cells": [10, 9, 8], "upper": [1, 0.9, 0.8]}, "materials": {"solid": solid}, "regions": [{"material": "solid"}, hot],
                "initial": {"temperature": "300 + 50*sin(9*x)*cos(8*y)"},
                "sides": {"x-": {"temperature": 320}, "z+": {"flux": 50, "convection": {"coefficient": 4, "ambient": 290}}},
                "output": {"diagnostics": {"steps": 1}}}
        tables = {"materials": {"solid": solid | {"conductivity": {"table": {250: 1, 400: 3}}, "heat_capacity": {"table": {300: 1, 350: 2}}}}}
        hole = {"regions": [*base["regions"], {"material": "void", "box": {"lower": [0.4, 0.3, 0.2], "upper": [0.6, 0.5, 0.5]}}]}
        hole["sides"] = base["sides"] | {"void": {"flux": 20}}
        uneven = {"grid": {"x": {"faces": [0, 0.1, 0.15, 0.3, 0.6, 1]}, "y": {"cells": 9, "upper": 0.9}, "z": {"cells": 8, "upper": 0.8}}}
        for label, change in (("numbers", {}), ("tables", tables), ("void", hole), ("uneven", uneven)):
            for integrator in ("euler", "rk2", "rkl2", "backward-euler", "crank-nicolson", "tr-bdf2"):
                implicit = "-" in integrator
                config = base | change | {"time": {"steps": 20, "integrator": integrator} | ({"dt": 0.02} if implicit else {})}
                steps = self.run_program(config, 2).diagnostics()[1:]
                missing = np.abs(steps["missing_W"] / steps["source_W"]).max()
                print(f"{label}, {integrator}: at most {missing:.1e} of the source is missing")
                self.assertLess(missing, 1e-7 if implicit else 1e-11)
