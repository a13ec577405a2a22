# SPDX-License-Identifier: MIT
"""Second order with coefficients that vary and with single precision."""
import json

import numpy as np

from orders import OrderCase, centres, observed_orders
from solutions import OPEN, WAVE, Mode, OfTemperature, Problem, evaluate

ISOTROPIC = "1 + 0.5*sin(2*x) + 0.4*y^2"


class Coefficients(OrderCase):
    def check(self, label, problem, cells, end):
        with self.subTest(label):
            self.require(self.measure(label, problem, cells, end))

    def test_conductivity(self):
        isotropic = [(ISOTROPIC, "cos(2*x)"), (ISOTROPIC, "0.8*y")]
        for kinds in (("temperature", "flux"), ("convection", "temperature"), ("flux", "convection")):
            self.check(f"2-D, conductivity formula, x {kinds[0]}, y {kinds[1]}", Problem([OPEN] * 2, kinds, isotropic), (12, 24, 48), 0.025)
        periodic = [("1.5 + cos(2*pi*x)", "-2*pi*sin(2*pi*x)"), ("0.5", "0")]
        self.check("2-D, conductivity per axis, formula and number, periodic", Problem([WAVE] * 2, ("periodic", "periodic"), periodic), (12, 24, 48), 0.02)

    def test_conductivity_of_each_axis(self):
        numbers = [(2.0, "0"), (1.0, "0"), (1.5, "0")]
        self.check("3-D, conductivity per axis, numbers", Problem([OPEN] * 3, ("convection", "temperature", "flux"), numbers),
                   (6, 12, 24), 0.04)
        formulas = [("1 + x*y", "y"), ("2 - y*x", "-x"), ("1.5", "0")]
        self.check("3-D, conductivity per axis, formulas", Problem([OPEN, OPEN, WAVE], ("temperature", "convection", "periodic"), formulas),
                   (6, 12, 24), 0.02)

    def test_density_and_heat_capacity(self):
        problem = Problem([OPEN] * 2, ("temperature", "convection"), [(ISOTROPIC, "cos(2*x)"), (ISOTROPIC, "0.8*y")], ("1 + 0.5*x", "2 - x*y"))
        self.check("2-D, conductivity, density, heat capacity formulas", problem, (12, 24, 48), 0.03)


    def test_properties_of_the_temperature(self):
        properties = ("1 + (T - 300)^2/5000", "(T - 300)/2500", "2 + 0.01*(T - 300)")
        for kinds in (("temperature", "flux"), ("convection", "temperature"), ("flux", "convection and radiation")):
            self.check(f"2-D, K(T), c(T), x {kinds[0]}, y {kinds[1]}", OfTemperature([OPEN] * 2, kinds, *properties), (24, 48, 96), 0.025)

    def test_conductivity_that_changes_with_time(self):
        problem = OfTemperature([OPEN] * 2, ("flux", "convection and radiation"), "1 + (T - 300)^2/5000", "(T - 300)/2500", "2",
                                factor="1 + 0.8*sin(60*t)")
        self.check("2-D, K(T) f(t)", problem, (24, 48, 96), 0.025)


class SteadyOrder(OrderCase):
    """Manufactured steady states whose equations are not linear."""

    def check(self, label, problem, cells):
        text = json.dumps(problem.config())
        for of_time, number in (("-3*sin(3*t)", "0"), ("cos(3*t)", "1"), ("sin(t)", "0.4"), ("cos(t)", "0.3")):
            text = text.replace(of_time, number)
        config = json.loads(text)
        rows = []
        for n in cells:
            shape, corner = [n] * problem.dimensions, [1.0] * problem.dimensions
            run = self.run_program(config | {"grid": {"cells": shape, "upper": corner}, "time": {"integrator": "steady"}})
            difference = run.temperature() - evaluate(problem.temperature(growth="1"), 0, *centres(shape, corner))
            rows.append((np.abs(difference).max(), np.sqrt(np.mean(difference**2))))
            self.forget(run)
        orders = observed_orders(np.array(rows), cells)
        print(f"| steady, {label} | {', '.join(map(str, cells))} | {rows[-1][0]:.1e} | {orders[:, 0]} | {orders[:, 1]} |")
        self.assertGreaterEqual(orders.min(), 1.95)

    def test_radiation_and_tables(self):
        tables = ("1 + (T - 300)^2/5000", "(T - 300)/2500", "1")
        self.check("2-D, radiation", Problem([OPEN] * 2, ("convection and radiation", "temperature")), (24, 48, 96))
        self.check("2-D, K(T), radiation", OfTemperature([OPEN] * 2, ("temperature", "convection and radiation"), *tables), (48, 96, 192))
        self.check("3-D, K(T), convection", OfTemperature([OPEN] * 3, ("temperature", "flux", "convection"), *tables), (20, 40))


class SinglePrecision(OrderCase):
    """Second order as long as rounding is smaller than the error of the method, and then no worse than rounding."""

    def test_order(self):
        for dimensions, cells, end in ((1, (16, 32, 64), 0.05), (2, (12, 24, 48), 0.03), (3, (12, 24, 48), 0.02)):
            with self.subTest(dimensions=dimensions):
                problem = Mode(dimensions, "temperature", base=1.0)  # 300 would drown the error in rounding
                self.require(self.measure(f"{dimensions}-D, float32, temperature", problem, cells, end, precision="float32"))

    def test_rounding(self):
        config = Mode(2, "temperature").config() | {"grid": {"cells": [40, 40], "upper": [1, 1]}, "time": {"steps": 400, "bound": "stable"}}
        exact, (rounded, about) = self.run_program(config).temperature(), self.single(config)
        worst = np.abs(rounded - exact).max() / np.abs(exact).max() / np.finfo(np.float32).eps
        steps = int(about["step"])
        print(f"float32 against float64 after {steps} steps: {worst:.1f} eps")
        self.assertEqual(rounded.dtype, np.float32)
        self.assertGreater(worst, 0, "float32 gives the bits of float64: is it used at all?")
        self.assertLess(worst, steps, "more than one rounding a step")

    def single(self, config):
        return self.run_program(config | {"grid": config["grid"] | {"precision": "float32"}}).state()
