# SPDX-License-Identifier: MIT
"""Steady states: the same bits for every cut and transport; what has no steady state is refused."""
import numpy as np

from bits import BitsCase, some_cuts

CONDUCTIVITIES = (1, 1.001, 10, 100, 1e3, 1e4, 0.01)


def labels(shape, cells):
    """Which of CONDUCTIVITIES each cell has, in the order z, y, x; no shape ends where joined cells do."""
    random = np.random.default_rng(1)
    z, y, x = np.meshgrid(*[np.arange(n) for n in cells[::-1]], indexing="ij")
    if shape == "layers":
        return np.select([z % 7 < 2, z % 7 == 4], [5, 6], 0)
    if shape == "rods":
        return np.where((x % 8 < 2) & (y % 8 < 2), 5, 0)
    if shape == "grains":
        return random.integers(0, 6, [n // 5 + 1 for n in cells[::-1]])[z // 5, y // 5, x // 5]
    spheres = np.zeros(z.shape, dtype=int)
    for _ in range(150):
        centre, radius = random.random(3) * cells[::-1], random.uniform(0.04, 0.1) * cells[0]
        spheres[(z - centre[0]) ** 2 + (y - centre[1]) ** 2 + (x - centre[2]) ** 2 < radius**2] = random.integers(1, 6)
    return spheres


def steady(name):
    """Problems of odd sizes that differ in what their levels are made of."""
    config = {
        "title": name,
        "grid": {"cells": [37, 51, 29], "lower": [-0.3] * 3, "upper": [1.1, 0.8, 0.7]},
        "materials": {"solid": {"conductivity": "1 + 0.7*sin(9*x + 2*y)*cos(5*z)", "density": 2, "heat_capacity": 0.9},
                      "metal": {"conductivity": 1e4, "density": 5, "heat_capacity": 1}},
        "regions": [{"material": "solid"}, {"material": "metal", "sphere": {"center": [0.4, 0.3, 0.2], "radius": 0.3}, "source": 2e3}],
        "initial": {"temperature": "300 + 80*sin(13*x + 1)*cos(7*y + 2)*sin(5*z + 3)"},
        "sides": {"x-": {"temperature": "300 + 40*sin(y) + 10*z"}, "y+": {"convection": {"coefficient": "5 + 4*cos(7*x)", "ambient": 280}},
                  "z+": {"flux": 5, "patches": [{"name": "plate", "box": {"lower": [0.1, -0.1, 0.7], "upper": [0.5, 0.4, 0.7]},
                                                 "temperature": 350}]}},
        "time": {"integrator": "steady"},
        "output": {"sensors": [{"name": "middle", "at": [0.37] * 3}]}}
    if name == "periodic":
        config["sides"] = {"x": "periodic", "y": "periodic", "z+": {"convection": {"coefficient": 3, "ambient": 280}}}
    if name == "void":
        config["regions"] += [{"material": "void", "box": {"lower": [0.2, -0.3, -0.3], "upper": [0.45, 0.2, 0.7]}}]
        config["sides"]["void"] = {"convection": {"coefficient": 20, "ambient": 250}}
    if name == "uneven":
        config["grid"] = {"x": {"lower": -0.3, "layers": [[0.01, 2], [0.4, 21], [0.99, 18]]},
                          "y": {"lower": -0.3, "upper": 0.8, "cells": 23}, "z": {"lower": -0.3, "layers": [[0.02, 1], [0.5, 12], [0.48, 4]]}}
    if name in ("constant", "constant periodic"):
        config["materials"] = {"solid": {"conductivity": [1, 2, 1.5], "density": 2, "heat_capacity": 0.9}}
        config["regions"] = [{"material": "solid"}, {"box": {"lower": [0, 0, 0], "upper": [0.4, 0.5, 0.3]}, "source": 2e3}]
        config["sides"] = {"x-": {"temperature": "300 + 40*sin(y) + 10*z"}, "y+": {"convection": {"coefficient": 5, "ambient": 280}},
                           "z+": {"flux": "5*x"}}
    if name == "constant periodic":
        config["sides"] = {"x": "periodic", "y": "periodic", "z-": {"convection": {"coefficient": 5, "ambient": 280}}}
    if name == "constant uneven":
        config = steady("constant")
        config["grid"] = {"x": {"lower": -0.3, "layers": [[0.4, 21], [0.01, 8], [0.99, 24]]},
                          "y": {"lower": -0.3, "upper": 0.8, "cells": 41}, "z": {"lower": -0.3, "layers": [[0.02, 8], [0.5, 16], [0.48, 9]]}}
    if name == "small":  # whose finest level each rank solves as a whole
        config = steady("constant")
        config["grid"]["cells"] = [9, 14, 11]
    if name == "plane":
        config["grid"] = {"cells": [97, 61], "lower": [-0.3] * 2, "upper": [1.1, 0.8]}
        config["materials"] = {"solid": {"conductivity": [1, 3], "density": 2, "heat_capacity": 0.9}}
        config["regions"] = [{"material": "solid", "source": "100*x"}]
        config["initial"] = {"temperature": 300}
        config["sides"] = {"x-": {"temperature": 300}, "y+": {"flux": 50}}
        config["output"] = {}
    if name == "radiating":
        config["regions"] += [{"material": "void", "box": {"lower": [0.2, -0.3, -0.3], "upper": [0.45, 0.2, 0.7]}}]
        config["sides"] |= {"x+": {"radiation": {"emissivity": "0.6 + 0.3*sin(5*y)", "ambient": 900}, "flux": 20},
                            "y-": {"radiation": {"emissivity": 0.9, "ambient": 200}}}
    if name == "tables":  # two materials, one of which melts
        config["grid"]["cells"] = [25, 31, 17]
        config["materials"] = {
            "solid": {"conductivity": {"table": {250: 1, 330: 4, 600: 2}}, "density": 2, "heat_capacity": {"table": {280: 0.9, 350: 2}}},
            "metal": {"conductivity": [{"table": {300: 90, 400: 40}}, 60, 50], "density": 5, "heat_capacity": 1, "latent_heat": 40,
                      "melting": [340, 345]}}
        config["sides"]["x+"] = {"radiation": {"emissivity": 0.7, "ambient": 700}, "convection": {"coefficient": 9, "ambient": 320}}
    return config


class Steady(BitsCase):
    def test_cuts(self):
        names = ("solid", "periodic", "void", "uneven", "constant", "constant periodic", "constant uneven", "small", "plane", "radiating", "tables")
        for turn, name in enumerate(names):
            reference = self.run_program(steady(name))
            solve = reference.report()["solve"]
            print(f"{name}: {solve['iterations']} iterations on {solve['levels']} levels, residuals {solve['residuals']}")
            self.assertLessEqual(solve["residuals"][-1], 1e-8)
            self.assertGreater(solve["setup_seconds"], 0)
            dimensions = 2 if name == "plane" else 3
            for ranks, cut in some_cuts(dimensions, turn):
                with self.subTest(name=name, ranks=ranks, cut=cut):
                    config = steady(name) | {"parallel": {"ranks": cut or "auto", "halo": 1 + ranks % 2}}
                    results = self.run_program(config, ranks)
                    self.assert_same(results, reference, f"{name}, {ranks} ranks")
                    self.assertEqual(results.report()["solve"]["residuals"], solve["residuals"])

    def test_transports_and_precision(self):
        for precision in ("float64", "float32"):
            config = steady("solid")
            config["grid"]["precision"] = precision
            reference = self.run_program(config)
            for transport in ("staged", "rma"):
                with self.subTest(precision=precision, transport=transport):
                    self.assert_same(self.run_program(config | {"parallel": {"transport": transport, "overlap": False}}, 3), reference, transport)

    def test_both_forms_of_the_matrix_have_one_solution(self):
        """A patch that conducts as its side but for rounding: its matrix is no product of factors along the axes."""
        results = []
        for coefficient in (50, 50.0000001):
            config = steady("constant")
            patch = {"name": "same", "box": {"lower": [-0.3, 0, 0], "upper": [-0.3, 0.3, 0.3]}, "convection": {"coefficient": coefficient, "ambient": 305}}
            config["sides"]["x-"] = {"convection": {"coefficient": 50, "ambient": 305}, "patches": [patch]}
            config["linear"] = {"tolerance": 1e-10}
            results.append(self.run_program(config, 2))
        product, faces = (result.report()["solve"]["iterations"] for result in results)
        print(f"cycles with a product {product}, with faces {faces}")
        self.assertLessEqual(product, 17)
        self.assertNotEqual(product, faces)
        one, other = (result.temperature() for result in results)
        self.assertLessEqual(abs(one - other).max(), 1e-6)

    def test_odd_numbers_of_cells_take_no_more_cycles(self):
        """The upper side of x alone holds the temperature, at the end where cells without a pair are."""
        for cells in ([32] * 3, [33] * 3, [47, 33, 17], [128, 128], [129, 129]):
            with self.subTest(cells=cells):
                config = steady("constant")
                config["grid"] = {"cells": cells, "upper": [1] * len(cells)}
                config["materials"]["solid"]["conductivity"] = 1
                config["regions"] = [{"material": "solid", "source": "2e3*x"}]
                config["sides"] = {"x+": {"temperature": 300}}
                config["output"] = {}
                solve = self.run_program(config, 2).report()["solve"]
                print(f"{cells}: {solve['iterations']} cycles")
                self.assertLessEqual(solve["iterations"], 11)

    def test_cells_of_any_widths_take_few_cycles(self):
        """Layers of thin cells along all axes, the thinnest 1/40 to 1/100 as wide as the widest."""
        graded = [[0.3, 6], [0.1, 6], [0.03, 6], [0.06, 12], [0.21, 7], [0.3, 3]]
        thin = [[0.5, 10], [0.002, 4], [0.498, 10]]
        even = {"cells": 20, "upper": 1}
        for axes, most in (((graded, graded, graded), 14), ((graded[::-1], thin, graded), 14), ((even, even, thin), 12), ((thin, even, thin), 12)):
            for parts in (1, 2):  # a material that conducts as well, but is another, so that each face has its number
                with self.subTest(axes=axes, parts=parts):
                    config = {"grid": {axis: along if along is even else {"layers": along} for axis, along in zip("xyz", axes)},
                              "materials": {name: {"conductivity": 2 + n * 1e-3, "density": 2, "heat_capacity": 0.9} for n, name in enumerate("ab"[:parts])},
                              "regions": [{"material": "a", "source": 100}, {"material": "ab"[parts - 1], "box": {"lower": [0.4] * 3, "upper": [0.7] * 3}}],
                              "initial": {"temperature": 300}, "time": {"integrator": "steady"}, "output": {},
                              "sides": {"x-": {"temperature": 300}, "y+": {"convection": {"coefficient": 3, "ambient": 280}}, "z-": {"temperature": 310}}}
                    solve = self.run_program(config, 2).report()["solve"]
                    print(f"{axes}, {parts} materials: {solve['iterations']} iterations, {solve['levels']} levels")
                    self.assertLessEqual(solve["iterations"], most if parts == 1 else 2 * most)

    def test_materials_of_any_shape_take_few_iterations(self):
        """Conductivities that jump by up to 10⁶ from cell to cell."""
        for shape, most in (("layers", 12), ("rods", 12), ("grains", 25), ("spheres", 40)):
            for cells in ([32, 32, 32], [37, 31, 29]):
                config = steady("constant")
                config["grid"] = {"cells": cells, "upper": [1, 1, 1]}
                here = labels(shape, cells)
                config["materials"] = {f"m{n}": {"conductivity": CONDUCTIVITIES[n], "density": 1, "heat_capacity": 1} for n in np.unique(here)}
                config["regions"] = [{"labels": self.data_set("labels", here), "materials": {name[1:]: name for name in config["materials"]}, "source": 100}]
                config["sides"] = {"x-": {"temperature": 300}, "x+": {"temperature": 400}, "y-": {"convection": {"coefficient": 3, "ambient": 280}}}
                config["output"] = {}
                reference = self.run_program(config)
                solve = reference.report()["solve"]
                print(f"{shape}, {cells}: {solve['iterations']} iterations on {solve['levels']} levels")
                self.assertLessEqual(solve["iterations"], most, f"{shape}, {cells}")
                for ranks, cut in ((2, [1, 2, 1]), (4, [2, 1, 2])):
                    with self.subTest(shape=shape, cells=cells, cut=cut):
                        results = self.run_program(config | {"parallel": {"ranks": cut}}, ranks)
                        self.assert_same(results, reference, f"{shape}, {cut}")
                        self.assertEqual(results.report()["solve"]["residuals"], solve["residuals"])

    def test_a_start_far_from_the_solution_costs_few_cycles(self):
        """Nothing but sides and a constant source makes the temperature: what a first cycle leaves shrinks with the cells."""
        for cells, most in (([64] * 3, 7), ([65] * 3, 7), ([128, 128], 6), ([129, 129], 6)):
            with self.subTest(cells=cells):
                config = steady("constant")
                config |= {"grid": {"cells": cells, "upper": [1] * len(cells)}, "initial": {"temperature": 300}, "output": {},
                           "materials": {"solid": {"conductivity": 1, "density": 1, "heat_capacity": 1}},
                           "regions": [{"material": "solid", "source": 100}],
                           "sides": {"x-": {"temperature": 300}, "x+": {"temperature": 400}, "y-": {"convection": {"coefficient": 3, "ambient": 280}}}}
                solve = self.run_program(config, 2).report()["solve"]
                print(f"{cells}: residuals {solve['residuals']}")
                self.assertLess(solve["residuals"][0], 2e-3)
                self.assertLessEqual(solve["iterations"], most)

    def test_thin_layers_in_single_precision(self):
        """Nearly nothing holds the temperature, and thin cells conduct well: a correction in single precision leaves as large
        a residual as there was, which the next one removes."""
        config = {
            "grid": {"x": {"cells": 8, "upper": 1.5e-4}, "z": {"layers": [[1e-4, 149], [2e-6, 32], [1e-4, 149], [2e-6, 32], [1e-4, 150]]},
                     "y": {"cells": 8, "upper": 1.5e-4}},
            "materials": {"silicon": {"conductivity": 130, "density": 2330, "heat_capacity": 700},
                          "bond": {"conductivity": 1, "density": 2000, "heat_capacity": 1000}},
            "regions": [{"material": "silicon"}, {"material": "bond", "layer": {"axis": "z", "from": 1e-4, "to": 1.02e-4}},
                        {"material": "bond", "layer": {"axis": "z", "from": 2.02e-4, "to": 2.04e-4}},
                        {"layer": {"axis": "z", "from": 0, "to": 1e-4}, "source": 1e9}],
            "initial": {"temperature": 300}, "sides": {"z+": {"convection": {"coefficient": 1e4, "ambient": 300}}},
            "time": {"integrator": "steady"}}
        temperature = self.run_program(config, 2).temperature()
        flux, through = 1e9 * 1e-4, 2 * 2e-6 / 1 + 2 * 1e-4 / 130
        top = 300 + flux / 1e4
        self.assertAlmostEqual(temperature.max(), top + flux * (through + 0.5e-4 / 130), delta=1e-5)
        self.assertAlmostEqual(temperature.min(), top, delta=1e-3)

    def test_a_finished_run_is_not_solved_again(self):
        folder = self.work / "chain"
        first = self.run_program(steady("solid"), 2, folder)
        again = self.run_program(steady("solid"), 1, folder, ["--restart", "latest"])
        self.assert_same(again, first, "a restart")
        self.assertIsNone(again.report()["solve"])

    def test_no_steady_state(self):
        floating = steady("solid")
        floating["sides"] = {"z+": {"flux": 5}}
        self.assertIn("nothing holds the temperature", self.run_program(floating, 2, expect=2).output)
        changing = steady("solid")
        changing["sides"]["x-"] = {"temperature": "300 + t"}
        self.assertIn("change with time", self.run_program(changing, 2, expect=2).output)
        # a part of the body that void cells cut off, and heat
        island = steady("plane")
        island["regions"] = [{"material": "solid"}, {"material": "void", "layer": {"axis": "x", "from": 0.3, "to": 0.5}},
                             {"source": 10, "layer": {"axis": "x", "from": 0.8, "to": 1.0}}]
        island["sides"] = {"x-": {"temperature": 300}}
        for ranks in (1, 3):
            refused = self.run_program(island, ranks, expect=2)
            self.assertIn("nothing holds the temperature of a part of the body", refused.output)
            self.assertRegex(refused.output, r"the part of solid from the cell \(55, 0, 0\), position .* on, 2562 cells and 0.6668 m3")
            self.assertIn("the flows into it, sources 2.22268 W, add up to 2.22268 W, and no temperature is steady", refused.output)
        island["time"] = {"end": 1e-6}
        self.assertIn("so that its mean rises by", self.run_program(island, 2).output)

    def test_few_iterations(self):
        config = steady("solid") | {"linear": {"iterations": 2}}
        self.assertIn("after 2 iterations", self.run_program(config, 2, expect=3).output)
        config = steady("tables") | {"linear": {"iterations": 5}}
        self.assertIn("residual over the first:", self.run_program(config, 2, expect=3).output)
