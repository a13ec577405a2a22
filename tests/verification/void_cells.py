# SPDX-License-Identifier: MIT
"""Void cells: the body that is left is the body itself, and its faces towards them are sides of it."""
import numpy as np

from halotherm_runner import Case

SOLID = {"conductivity": "3 + x", "density": 2, "heat_capacity": "1 + y"}
BALANCE = 1e-12  # of the largest flow: what may be missing from the balance of one step
CONDITIONS = {
    "temperature": {"temperature": 350},
    "convection": {"convection": {"coefficient": 7, "ambient": 280}},
    "flux and convection": {"flux": 40, "convection": {"coefficient": 7, "ambient": 280}},
    "flux": {"flux": 40},
    "insulated": None,
}
# flows that are a source of the cells beside the faces
HEATING = {
    "a temperature in time": {"temperature": "350 + 20*sin(90*t)"},
    "an ambient in time": {"flux": 40, "convection": {"coefficient": 7, "ambient": {"table": {0: 280, 0.015: 330}}}},
    "a flux in time": {"flux": "40*y*sin(90*t)"},
    "radiation": {"radiation": {"emissivity": 0.9, "ambient": 900}},
    "all together": {"flux": "40*cos(90*t)", "convection": {"coefficient": "5 + y + 100*t", "ambient": 290}, "radiation": {"emissivity": 0.7, "ambient": "600 + 100*y"}},
}
TABLES = {"conductivity": {"table": {250: 2, 450: 6}}, "density": 2, "heat_capacity": {"table": {290: 1, 320: 2}}}
HOLLOW = {
    "grid": {"cells": [18, 14, 11], "upper": [1.8, 1.2, 1.1]},
    "materials": {"solid": SOLID},
    "regions": [{"material": "solid", "source": "200*sin(40*t)"}, {"name": "hole", "material": "void", "sphere": {"center": [0.8, 0.6, 0.5], "radius": 0.35}},
                {"name": "notch", "material": "void", "box": {"lower": [1.2, 0, 0], "upper": [1.8, 0.5, 1.1]}}],
    "initial": {"temperature": "300 + 40*sin(5*x)*cos(4*y + z)"},
    "sides": {"z-": {"temperature": 310}, "y": "periodic", "x+": {"convection": {"coefficient": 20, "ambient": 250}},
              "void": {"flux": "30 + 10*z", "convection": {"coefficient": "5 + x", "ambient": 290}}},
    "time": {"steps": 60},
    "output": {"diagnostics": {"steps": 1}, "checkpoint": {"steps": 30}, "sensors": [{"name": "beside", "at": [0.8, 0.6, 0.95]}]},
}


def missing(rows):
    steps = rows[1:]
    names = [name for name in rows.dtype.names if name.startswith("flow_")] + ["source_W", "stored_W"]
    return (np.abs(steps["missing_W"]) / np.max([np.abs(steps[name]) for name in names], axis=0)).max()


class VoidCells(Case):
    def layer(self, condition, beyond, upper_y, cells=20, solid=SOLID, uneven=False):
        """A plate that ends at x = 1, at a side or, with cells beyond, at a void layer."""
        sides = {"x-": {"temperature": 300}, "y+": {"flux": 25, "convection": {"coefficient": 2, "ambient": 320}}}
        regions = [{"material": "solid", "source": "50*y"}]
        if beyond:
            regions.append({"material": "void", "layer": {"axis": "x", "from": 1, "to": 2}})
        if condition is not None:
            sides["void" if beyond else "x+"] = condition
        grid = {"cells": [cells + beyond, 8], "upper": [(cells + beyond) / cells, upper_y]}
        if uneven:
            layers = [[0.3, 9], [0.6, 8], [0.1, 3]] + ([[0.3, beyond]] if beyond else [])
            grid = {"x": {"lower": 0, "layers": layers}, "y": {"lower": 0, "upper": upper_y, "cells": 8}}
        return {"grid": grid, "materials": {"solid": solid}, "regions": regions, "initial": {"temperature": "300 + 20*sin(4*x + y)"}, "sides": sides,
                "time": {"steps": 200, "dt": 1e-4}, "output": {"diagnostics": {"steps": 50}}}

    def compare_layers(self, name, plain, cut):
        T, T_cut = plain.temperature(), cut.temperature()[..., :20]
        worst = np.abs(T_cut / T - 1).max()
        rows, rows_cut = plain.diagnostics()[1:], cut.diagnostics()[1:]
        flows = np.abs(rows_cut["flow_void_W"] - rows["flow_x+_W"]).max()
        print(f"{name}: {worst:.1e} relative, heat flows {flows:.1e} W off")
        self.assertLess(worst, 1e-12)
        self.assertLess(flows, 1e-9)
        for column in ("heat_J", "mean_K", "min_K", "max_K", "source_W", "flow_y+_W"):
            np.testing.assert_allclose(rows_cut[column], rows[column], rtol=1e-10, err_msg=f"{name}: {column}")
        self.assertLess(missing(cut.diagnostics()), BALANCE)

    def test_a_void_layer_is_a_side(self):
        for name, condition in {**CONDITIONS, **HEATING}.items():
            for upper_y in (0.4, 0.7):  # cells that are cubic, and others
                plain = self.run_program(self.layer(condition, 0, upper_y))
                cut = self.run_program(self.layer(condition, 3, upper_y))
                self.compare_layers(f"{name}, spacing ratio {upper_y / 0.4:g}", plain, cut)

    def test_a_void_layer_is_a_side_of_uneven_cells(self):
        for name, condition in {**CONDITIONS, **HEATING}.items():
            plain, cut = (self.run_program(self.layer(condition, beyond, 0.4, uneven=True)) for beyond in (0, 3))
            self.compare_layers(f"{name}, uneven cells", plain, cut)

    def test_a_void_layer_is_a_side_of_materials_with_tables(self):
        """Exactly where K is the same at all temperatures, else to second order: half a cell has K of its centre, beside a side that of its
        half."""
        same = {"conductivity": {"table": {250: 3, 350: 3}}, "density": 2, "heat_capacity": {"table": {290: 1, 320: 2}}}
        rising = {**same, "conductivity": {"table": {250: 2, 450: 6}}}
        for name, condition in CONDITIONS.items():
            for uneven in (False, True):
                plain, cut = (self.run_program(self.layer(condition, beyond, 0.4, solid=same, uneven=uneven)) for beyond in (0, 3))
                self.compare_layers(f"tables, {name}, {'un' if uneven else ''}even cells", plain, cut)
            apart = []
            for cells in (10, 20, 40):
                plain, cut = (self.run_program({**self.layer(condition, beyond, 0.4, cells, rising), "time": {"end": 0.03, "dt": 2e-5}})
                              for beyond in (0, 3))
                apart.append(np.abs(cut.temperature()[..., :cells] - plain.temperature()).max())
            print(f"K(T), {name}: " + ", ".join(f"{a:.1e}" for a in apart) + " K apart")
            if name in ("temperature", "convection", "flux and convection"):
                self.assertGreater(apart[1] / apart[2], 3.2)
            else:
                self.assertLess(max(apart), 0.05)

    def test_faces_that_heat_are_sides_of_materials_with_tables(self):
        """Exactly: both have the mean of K on either side of the face."""
        for name, condition in {**HEATING, "a coefficient in space": {"convection": {"coefficient": "5 + y", "ambient": 280}}}.items():
            plain, cut = (self.run_program(self.layer(condition, beyond, 0.4, solid=TABLES)) for beyond in (0, 3))
            self.compare_layers(f"K(T), {name}", plain, cut)

    def test_faces_that_heat_by_steps_of_all_methods(self):
        """The same equations, solved to their tolerance; the bound of explicit steps is that of a side."""
        for integrator, time, tolerance in (("rk2", {"steps": 100}, 1e-12), ("rkl2", {"steps": 40}, 1e-12), ("backward-euler", {"steps": 8, "dt": 2e-3}, 1e-8),
                                            ("crank-nicolson", {"steps": 8, "dt": 2e-3}, 1e-8), ("tr-bdf2", {"steps": 8, "dt": 2e-3}, 1e-8)):
            for solid in (SOLID, TABLES):
                results = []
                for beyond in (0, 3):
                    config = self.layer(HEATING["all together"], beyond, 0.4, solid=solid)
                    results.append(self.run_program({**config, "time": {"dt": 1e-4, **time, "integrator": integrator}, "linear": {"tolerance": 1e-11}}))
                plain, cut = results
                apart = np.abs(cut.temperature()[..., :20] / plain.temperature() - 1).max()
                print(f"{integrator}, {'tables' if solid is TABLES else 'numbers'}: {apart:.1e} apart")
                self.assertLess(apart, tolerance)
                flows = cut.diagnostics()["flow_void_W"][-1] / plain.diagnostics()["flow_x+_W"][-1]
                self.assertLess(abs(flows - 1), 1e3 * tolerance)
                self.assertLess(missing(cut.diagnostics()), 1e-9 if time["steps"] == 8 else BALANCE)

    def test_a_steady_state_with_faces_that_radiate(self):
        """NAFEMS T2: a bar at 1000 K that radiates to 300 K at the other end, here towards void."""
        config = {"grid": {"cells": [110], "upper": [0.11]}, "materials": {"bar": {"conductivity": 55.6, "density": 7850, "heat_capacity": 460}},
                  "regions": [{"material": "bar"}, {"material": "void", "layer": {"axis": "x", "from": 0.1, "to": 0.11}}], "initial": {"temperature": 900},
                  "sides": {"x-": {"temperature": 1000}, "void": {"radiation": {"emissivity": 0.98, "ambient": 300}}}, "time": {"integrator": "steady"}}
        T = self.run_program(config).temperature().ravel()[:100]
        low, high = 300.0, 1000.0
        for _ in range(60):  # where as much is radiated as conducted
            middle = 0.5 * (low + high)
            conducted = 55.6 * (1000 - middle) / 0.1
            low, high = (middle, high) if conducted > 0.98 * 5.670374419e-8 * (middle**4 - 300**4) else (low, middle)
        self.assertAlmostEqual(low, 927.0, delta=0.05)  # as published
        self.assertAlmostEqual(1.5 * T[99] - 0.5 * T[98], low, delta=5e-5)  # T is linear

    def test_one_answer_and_closed_balance(self):
        for integrator, void in (("euler", {}), ("rkl2", {}), ("euler", HEATING["all together"])):
            config = {**HOLLOW, "time": {**HOLLOW["time"], "integrator": integrator}}
            if void:
                config["sides"] = {**config["sides"], "void": void}
            one = self.run_program(config)
            lost = missing(one.diagnostics())
            print(f"{integrator}: at most {lost:.1e} of the largest flow is missing from a step's balance")
            self.assertLess(lost, BALANCE)
            for ranks, more in ((2, ()), (3, ("--set", "parallel.ranks=[1, 3, 1]")), (4, ("--set", "parallel.halo=2"))):
                other = self.run_program(config, ranks, arguments=more)
                np.testing.assert_array_equal(other.temperature(), one.temperature())
                self.assertEqual(other.diagnostics_text(), one.diagnostics_text())
        restarted = self.run_program(config, 2, arguments=["--restart", str(one.checkpoints()[0])])
        np.testing.assert_array_equal(restarted.temperature(), other.temperature())

    def test_single_precision(self):
        rows = self.run_program({**HOLLOW, "grid": {**HOLLOW["grid"], "precision": "float32"}}, 2).diagnostics()
        exact = self.run_program(HOLLOW).diagnostics()
        np.testing.assert_allclose(rows["mean_K"], exact["mean_K"], rtol=1e-5)
        np.testing.assert_allclose(rows["flow_void_W"][1:], exact["flow_void_W"][1:], rtol=1e-3)
        for condition in CONDITIONS.values():
            plain = self.run_program({**self.layer(condition, 0, 0.7)})
            config = self.layer(condition, 3, 0.7)
            cut = self.run_program({**config, "grid": {**config["grid"], "precision": "float32"}})
            np.testing.assert_allclose(cut.temperature()[..., :20], plain.temperature(), rtol=2e-6)

    def test_void_cells_keep_their_temperature_and_count_nowhere(self):
        results = self.run_program(HOLLOW)
        z, y, x = np.meshgrid(*((np.arange(n) + 0.5) * (length / n) for n, length in zip((11, 14, 18), (1.1, 1.2, 1.8))), indexing="ij")
        void = ((x - 0.8)**2 + (y - 0.6)**2 + (z - 0.5)**2 < 0.35**2) | ((x >= 1.2) & (y < 0.5))
        T, row = results.temperature(), results.diagnostics()[-1]
        np.testing.assert_allclose(T[void], (290 + (30 + 10 * z) / (5 + x))[void], rtol=1e-14)  # where flux and convection balance
        np.testing.assert_allclose([row["min_K"], row["max_K"], row["mean_K"]], [T[~void].min(), T[~void].max(), T[~void].mean()], rtol=1e-13)
        volume = 1.1 * 1.2 * 1.8 / T.size
        np.testing.assert_allclose(row["heat_J"], (2 * (1 + y) * T)[~void].sum() * volume, rtol=1e-13)
        i, j = 8, 7
        self.assertGreater(row["beside_K"], min(T[8:11, j - 2:j + 2, i - 2:i + 2].min(), 291))

    def test_steady_fluxes_between_fixed_void_faces(self):
        """Between a side at 300 K and a void layer at 400 K, 1-D: T is linear."""
        config = {"grid": {"cells": [24], "upper": [1.2]}, "materials": {"solid": {"conductivity": 2, "density": 1, "heat_capacity": 1}},
                  "regions": [{"material": "void", "layer": {"axis": "x", "from": 1, "to": 1.2}}], "initial": {"temperature": 300},
                  "sides": {"x-": {"temperature": 300}, "void": {"temperature": 400}}, "time": {"end": 8}}
        T = self.run_program(config).temperature().ravel()
        np.testing.assert_allclose(T[:20], 300 + 100 * (np.arange(20) + 0.5) / 20, rtol=1e-12)

    def test_refusals_that_need_the_cells(self):
        def refused(text, regions=None, **more):
            config = {**HOLLOW, **more, "regions": HOLLOW["regions"] + (regions or [])}
            results = self.run_program(config, 2, expect=2)
            self.assertIn(text, results.output)
        refused("regions: leave no cell of the body", [{"material": "void", "box": {"lower": [0, 0, 0], "upper": [2, 2, 2]}}],
                output={"directory": "x"}, sides={})
        refused("regions[3]: heats no cell", [{"box": {"lower": [1.3, 0, 0], "upper": [1.7, 0.4, 1]}, "source": 1}])
        refused("\"lost\" is in a void cell", output={"sensors": [{"name": "lost", "at": [0.8, 0.6, 0.5]}]})
