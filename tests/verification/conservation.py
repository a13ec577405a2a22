# SPDX-License-Identifier: MIT
"""Heat neither appears nor vanishes: its change is what source and sides brought, to rounding."""
import numpy as np

from halotherm_runner import Case

# Every step rounds every cell's temperature once or twice, each time by up to eps/2. Where these errors are independent, the heat of N
# cells is off by some eps sqrt(steps/N) after so many steps, and by eps from its own rounding and that of the coefficients.
BOUND = 4.0
EPS = {"float64": np.finfo(np.float64).eps, "float32": np.finfo(np.float32).eps}
BALANCE = 1e-12  # of the largest flow, source or change of the heat content: what may be missing from the balance of one step
RANDOM = np.random.default_rng(20240229)


def drift(heat, brought, cells, precision="float64"):
    """Largest |heat - heat at the start - brought| of any step, in units of eps (1 + sqrt(steps so far / cells)) of the heat."""
    allowed = EPS[precision] * (1 + np.sqrt(np.arange(len(heat)) / cells)) * np.abs(heat).max()
    return (np.abs(heat - heat[0] - brought) / allowed).max()


class Conservation(Case):
    STEPS = 200

    def rows(self, cells, material, sides, ranks=2, **more):
        config = {"grid": {"cells": cells, "upper": [1] * len(cells), "precision": more.pop("precision", "float64")}, "materials": {"solid": material},
                  "initial": {"temperature": self.data_set("initial", RANDOM.uniform(250, 400, cells[::-1]))}, "sides": sides,
                  "time": {"steps": self.STEPS, "bound": "stable"}, "output": {"diagnostics": {"steps": 1}, **more.pop("output", {})}, **more}
        results = self.run_program(config, ranks)
        self.dt = float(results.state()[1]["dt"])  # exact, unlike differences of times
        return results.diagnostics()

    def check(self, label, rows, cells, brought=0.0, precision="float64"):
        found = drift(rows["heat_J"], brought, np.prod(cells), precision)
        print(f"{label}: heat drifts by at most {found:.2g} eps (1 + sqrt(steps/cells))")
        self.assertEqual(len(rows), self.STEPS + 1)
        self.assertLess(found, BOUND)
        leaking = rows["heat_J"] * (1 - 20 * BOUND * EPS[precision] * np.linspace(0, 1, len(rows)))
        if precision == "float64":
            self.check_balance(label, rows)
        self.assertGreater(drift(leaking, brought, np.prod(cells), precision), BOUND, "the check would not notice a leak")

    def check_balance(self, label, rows):
        """The columns of heat flows agree with each other, with the heat content, and are not empty."""
        steps = rows[1:]
        sides = [name for name in rows.dtype.names if name.startswith("flow_")]
        flows = sum((steps[name] for name in sides), np.zeros(len(steps)))
        largest = np.max([np.abs(steps[name]) for name in (*sides, "source_W", "stored_W")], axis=0)
        # a closed domain has no flow: rounding alone, of the heat that a step moves inside
        largest = np.maximum(largest, 1e-3 * np.abs(rows["heat_J"][1:]) / np.diff(rows["time_s"]))
        missing = np.abs(steps["missing_W"] / largest).max()
        print(f"{label}: at most {missing:.2g} of the largest flow is missing from a step's balance")
        self.assertLess(missing, BALANCE)
        np.testing.assert_allclose(steps["missing_W"], steps["stored_W"] - steps["source_W"] - flows, atol=1e-14 * largest.max())
        np.testing.assert_allclose(steps["stored_W"] * self.dt, np.diff(rows["heat_J"]), atol=1e-14 * np.abs(rows["heat_J"]).max())

    def test_closed_domains(self):
        insulated, periodic = {}, {"x": "periodic", "y": "periodic", "z": "periodic"}
        plain = {"conductivity": 2, "density": 3, "heat_capacity": 0.7}
        varying = {"conductivity": "1 + 0.8*sin(5*x)*cos(3*y)", "density": "2 + x", "heat_capacity": "1 + y*y"}
        cases = [("1-D insulated", [50], plain, insulated), ("2-D insulated", [30, 23], plain, insulated),
                 ("3-D insulated", [17, 13, 11], plain, insulated), ("3-D periodic", [17, 13, 11], plain, periodic),
                 ("1-D insulated, variable material", [50], varying, insulated), ("3-D insulated, variable material", [17, 13, 11], varying, insulated),
                 ("3-D periodic, variable material", [17, 13, 11], varying, periodic)]
        for label, cells, material, sides in cases:
            with self.subTest(label):
                sides = {axis: sides[axis] for axis in "xyz"[:len(cells)] if axis in sides}
                self.check(label, self.rows(cells, material, sides), cells)

    def test_single_precision(self):
        material = {"conductivity": "1 + 0.8*sin(5*x)", "density": "2 + x", "heat_capacity": 1}
        rows = self.rows([17, 13, 11], material, {}, precision="float32")
        self.check("3-D insulated, float32", rows, [17, 13, 11], precision="float32")

    def test_tables(self):
        """K(T), c(T) and latent heat: what sides and source bring is stored, also by cells that melt."""
        wax = {"conductivity": {"table": {280: 1, 300: 3, 350: 2}}, "density": 1, "heat_capacity": "1 + T/1000", "temperatures": [250, 450],
               "latent_heat": 30, "melting": [310, 312]}
        metal = {"conductivity": [5, "4 + (T - 300)^2/1e4", 6], "density": 2, "heat_capacity": 0.5, "temperatures": [250, 450]}
        sides = {"x-": {"temperature": "300 + 20*t"}, "x+": {"radiation": {"emissivity": 0.8, "ambient": 500}},
                 "y+": {"flux": "500*cos(9*t)", "convection": {"coefficient": 7, "ambient": 280}}, "z-": {"flux": {"table": {0: 100, 0.01: 2000}}}}
        for integrator in ("euler", "rk2", "rkl2"):
            rows = self.rows([17, 13, 11], metal, sides, materials={"wax": wax, "metal": metal}, time={"steps": 40, "integrator": integrator},
                             regions=[{"material": "wax"}, {"material": "metal", "box": {"lower": [0.3, 0.3, 0], "upper": [0.7, 1, 1]}, "source": "1e4*t*x"}])
            self.check_balance(f"tables, {integrator}", rows)
            self.assertGreater(np.abs(rows["flow_x-_W"][1:]).min(), 0)

    def test_integrators(self):
        """Of several stages: the flows of all of them, with their weights, are what a step stores."""
        material = {"conductivity": "1 + 0.8*sin(5*x)*cos(3*y)", "density": "2 + x", "heat_capacity": "1 + y*y"}
        sides = {"x-": {"temperature": "300 + 20*t"}, "y+": {"flux": "500*cos(9*t)", "convection": {"coefficient": 7, "ambient": 280}}}
        for integrator in ("rk2", "rkl2"):
            rows = self.rows([17, 13, 11], material, sides, regions=[{"source": "1e4*t*x"}], time={"steps": 20, "integrator": integrator})
            self.check_balance(integrator, rows)
            self.assertGreater(np.abs(rows["flow_x-_W"][1:]).min(), 0)

    def test_tolerance(self):
        """Steps that are tried again leave no trace in the balance."""
        material = {"conductivity": "1 + 0.8*sin(5*x)*cos(3*y)", "density": "2 + x", "heat_capacity": "1 + y*y"}
        sides = {"x-": {"temperature": "300 + 20*t"}, "y+": {"flux": "500*cos(9*t)", "radiation": {"emissivity": 0.8, "ambient": 500}}}
        for integrator in ("rk2", "rkl2"):
            rows = self.rows([17, 13, 11], material, sides, regions=[{"source": "1e4*t*x"}],
                             time={"steps": 40, "integrator": integrator, "tolerance": 0.5})
            lengths = np.diff(rows["time_s"])
            self.assertGreater(lengths.max(), 1.2 * lengths.min())
            self.dt = lengths
            self.check_balance(f"{integrator}, tolerance 0.5 K", rows)

    def test_source_and_fluxes(self):
        """Unequal spacing: 1 m x 1 m x 1 m in 12 x 10 x 8 cells; q = 1000 (1 + t) x, mean of x is 1/2 exactly."""
        material = {"conductivity": 2, "density": 3, "heat_capacity": "1 + 0.5*z"}
        sides = {"x-": {"flux": 700}, "y+": {"flux": "-300*(1 + 2*t)"}}
        rows = self.rows([12, 10, 8], material, sides, regions=[{"source": "1000*(1 + t)*x"}])
        start = rows["time_s"][:-1]
        power = 500 * (1 + start) + 700 - 300 * (1 + 2 * start)  # forward Euler takes the values at each step's start
        self.check("3-D source and fluxes that change", rows, [12, 10, 8], np.append(0, np.cumsum(self.dt * power)))
        np.testing.assert_allclose(rows["source_W"][1:], 500 * (1 + start), rtol=1e-14)
        np.testing.assert_allclose(rows["flow_x-_W"][1:], 700, rtol=1e-11)  # a difference of temperatures
        np.testing.assert_allclose(rows["flow_y+_W"][1:], -300 * (1 + 2 * start), rtol=1e-11)

    def test_held_power(self):
        """A power that is held between points of time: its heat is exact, wherever within steps it changes."""
        points = {0: 400, 0.0101: -100, 0.0103: 900, 0.05: 250}
        times = np.array([*points, 1e3])
        heats = np.append(0, np.cumsum(np.array(list(points.values())) * np.diff(times)))
        for integrator in ("euler", "rk2", "rkl2"):
            rows = self.rows([17, 13, 11], {"conductivity": 2, "density": 3, "heat_capacity": 0.7}, {}, regions=[
                {"box": {"lower": [0.3, 0.2, 0], "upper": [0.7, 1, 1]}, "power": {"steps": points}}], time={"steps": self.STEPS, "integrator": integrator})
            brought = np.interp(rows["time_s"], times, heats)
            np.testing.assert_allclose(rows["heat_J"] - rows["heat_J"][0], brought, atol=1e-12 * rows["heat_J"].max())
            if integrator != "rkl2":  # whose stages round more often
                self.check(f"held power, {integrator}", rows, [17, 13, 11], brought)

    def test_fixed_and_convective_sides(self):
        """1-D, where a probe at each end tells what flows through the side."""
        n, k, film, ambient, wall = 40, 2.0, 50.0, 280.0, 420.0
        probes = [{"name": "first", "at": [0.5 / n]}, {"name": "last", "at": [1 - 0.5 / n]}]
        sides = {"x-": {"temperature": wall}, "x+": {"convection": {"coefficient": film, "ambient": ambient}}}
        rows = self.rows([n], {"conductivity": k, "density": 3, "heat_capacity": 1}, sides, output={"sensors": probes})
        half_cell = 0.5 / n / k
        power = (wall - rows["first_K"]) / half_cell + (ambient - rows["last_K"]) / (half_cell + 1 / film)
        self.check("1-D temperature and convection", rows, [n], np.append(0, np.cumsum(self.dt * power[:-1])))
        into_wall = (wall - rows["first_K"]) / half_cell  # at the beginning of the next step
        np.testing.assert_allclose(rows["flow_x-_W"][1:], into_wall[:-1], rtol=1e-11)
