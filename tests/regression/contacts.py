# SPDX-License-Identifier: MIT
"""Thermal resistances between materials: the same bits for every cut, transport, integrator and restart."""
import numpy as np

from bits import BitsCase, problem, same_bits, some_cuts

CONTACTS = [{"between": ["solid", "metal"], "resistance": 0.02}, {"between": ["solid", "foam"], "resistance": 0.3}]


def touching(dimensions, precision="float64", contacts=None, **sections):
    """The problem of the other tests with three materials, whose faces lie in and between blocks, and across a periodic side."""
    config = problem(dimensions, precision, **sections)
    config["materials"] |= {"metal": {"conductivity": 40, "density": 5, "heat_capacity": 1}, "foam": {"conductivity": 0.1, "density": 1, "heat_capacity": 0.4}}
    config["regions"] = [{"material": "solid"}, {"material": "metal", "formula": "sin(11*x + 2)*cos(9*y) > 0.2"},
                         {"material": "foam", "formula": "cos(7*x - 3*y)*cos(8*z) > 0.6"}, {"source": "500*exp(-20*(x^2 + y^2))*(1 + t)"}]
    config["contacts"] = CONTACTS if contacts is None else contacts
    return config


class Contacts(BitsCase):
    def compare(self, config_of, dimensions, label, turn):
        reference = self.run_program(config_of({"overlap": False}))
        for ranks, cut in some_cuts(dimensions, turn):
            with self.subTest(label=label, ranks=ranks, cut=cut):
                results = self.run_program(config_of({"ranks": cut or "auto", "halo": 1 + ranks % 2}), ranks)
                self.assert_same(results, reference, f"{label}, {ranks} ranks")
                self.forget(results)
        print(f"{label}: the same field and diagnostics for two cuts")
        return reference

    def test_cuts(self):
        for turn, (dimensions, precision) in enumerate(((1, "float64"), (2, "float32"), (3, "float64"), (3, "float64"), (3, "float32"))):
            self.compare(lambda parallel, d=dimensions, p=precision: touching(d, p, parallel=parallel), dimensions, f"{dimensions}-D, {precision}", turn)

    def test_integrators_and_spacing(self):
        for turn, integrator in enumerate(("rkl2", "crank-nicolson", "steady")):
            def config_of(parallel, integrator=integrator):
                config = touching(3, parallel=parallel)
                config["sides"]["x+"] = {"convection": {"coefficient": 5, "ambient": 280}}
                config["sides"]["x-"] = {"temperature": "300 + 40*y"}
                config["sides"]["z+"], config["sides"]["z-"] = {"flux": 3}, {"flux": "200*sin(9*x)"}
                config["regions"][-1] = {"source": 500}
                config["time"] = {"integrator": integrator} | ({} if integrator == "steady" else {"steps": 4})
                if integrator == "crank-nicolson":
                    config["time"]["dt"] = 0.01
                if integrator != "rkl2":
                    config["grid"] = {"x": {"lower": -0.3, "layers": [[0.02, 1], [0.9, 22], [0.48, 6]]}, "y": {"lower": -0.3, "upper": 0.8, "cells": 23},
                                      "z": {"lower": -0.3, "upper": 0.7, "cells": 17}}
                return config
            self.compare(config_of, 3, integrator, turn)

    def test_few_kinds_of_cells_in_all_blocks_or_in_some(self):
        """Blocks whose cells are of few kinds keep tables, others fields of coefficients and faces."""
        shapes = [{"material": "solid"}, {"material": "metal", "box": {"lower": [0.3, -0.3, -0.3], "upper": [1.1, 0.8, 0.7]}, "source": 300},
                  {"material": "foam", "formula": "x > 0.4 && cos(7*x - 3*y)*cos(8*z) > 0.2"}]
        both = [CONTACTS[0], {"between": ["metal", "foam"], "resistance": 0.3}]
        for turn, (few, contacts, steps) in enumerate(((True, both, 2), (False, both, 1), (False, [], 2), (True, [], 2))):
            def config_of(parallel, few=few, contacts=contacts, steps=steps):
                material = {"conductivity": 2, "density": 3} if few else {}
                config = touching(3, ("float64", "float32")[turn % 2], contacts, parallel=parallel, material=material)
                config["regions"] = shapes
                config["sides"] = {"x-": {"temperature": 300}, "y": "periodic", "z+": {"temperature": 350}}
                config["time"] = {"steps": 12, "fused_steps": steps}
                config["output"]["diagnostics"] = {"steps": 6}
                return config
            self.compare(config_of, 3, f"{'few' if few else 'some'} kinds, {len(contacts)} contacts", turn)

    def test_void_cells_and_transports(self):
        def config_of(parallel):
            config = touching(3, parallel=parallel)
            config["regions"].insert(3, {"material": "void", "box": {"lower": [0.2, -0.3, -0.3], "upper": [0.45, 0.2, 0.3]}})
            config["sides"]["void"] = {"convection": {"coefficient": 20, "ambient": 250}}
            config["output"]["sensors"] = []
            return config
        reference = self.compare(config_of, 3, "void", 3)
        for transport in ("staged", "rma"):
            results = self.run_program(config_of({"transport": transport, "halo": 2}), 3)
            self.assert_same(results, reference, transport)

    def test_tables_void_cells_and_uneven_spacing_together(self):
        """K and rho c that depend on the temperature, contacts, void faces and cells of different widths in one problem."""
        for turn, (integrator, precision) in enumerate((("euler", "float64"), ("euler", "float32"), ("rkl2", "float64"),
                                                        ("crank-nicolson", "float64"), ("steady", "float64"))):
            def config_of(parallel, integrator=integrator, precision=precision):
                config = touching(3, precision, parallel=parallel)
                config["grid"] = {"x": {"lower": -0.3, "layers": [[0.02, 1], [0.9, 22], [0.48, 6]]}, "y": {"lower": -0.3, "upper": 0.8, "cells": 23},
                                  "z": {"lower": -0.3, "upper": 0.7, "cells": 17}, "precision": precision}
                config["materials"]["solid"] = {"conductivity": {"table": {250: 1, 320: 2, 400: 1.5}}, "density": 2,
                                                "heat_capacity": {"table": {250: 0.5, 310: 0.9, 312: 2, 330: 0.7}}}
                config["regions"].insert(3, {"material": "void", "box": {"lower": [0.2, -0.3, -0.3], "upper": [0.45, 0.2, 0.3]}})
                config["sides"]["void"] = {"flux": "20 + 30*x", "convection": {"coefficient": 20, "ambient": "250 + 40*z"}}
                config["output"]["sensors"] = [{"name": "beside", "at": [0.47, 0, 0]}]
                config["time"] = {"steps": 12 if integrator == "euler" else 3, "integrator": integrator}
                if integrator in ("crank-nicolson", "steady"):
                    config["regions"][-1] = {"source": 500}
                if integrator == "crank-nicolson":
                    config["time"]["dt"] = 0.002
                if integrator == "steady":
                    config["time"] = {"integrator": integrator}
                    config["sides"] |= {"x-": {"temperature": "300 + 40*sin(y)"}, "z-": {"flux": "200*sin(9*x)"},
                                        "x+": {"convection": {"coefficient": 5, "ambient": 280}, "radiation": {"emissivity": 0.5, "ambient": 400}}}
                return config
            reference = self.compare(config_of, 3, f"tables, {integrator}, {precision}", turn)
            rows = reference.diagnostics()
            flows = np.abs([rows[name] for name in rows.dtype.names if name.startswith("flow_") or name in ("source_W", "stored_W")])
            self.assertGreater(np.abs(rows["flow_void_W"][-1]), 1)
            missing = np.abs(rows["missing_W"][-1]) / flows.max(axis=0)[-1]
            print(f"{integrator}, {precision}: {missing:.1e} of the largest flow is missing")
            self.assertLess(missing, {"euler": 1e-11 if precision == "float64" else 2e-3, "rkl2": 1e-10}.get(integrator, 1e-6))
            if integrator == "euler" and precision == "float64":
                folder = self.work / "tables"
                first = config_of({})
                self.run_program({**first, "time": {"steps": 5}}, 2, folder)
                self.assert_same(self.run_program(config_of({}), 3, folder, ["--restart", "latest"]), reference, "a restart")

    def test_restart(self):
        whole, folder = self.run_program(touching(3)), self.work / "chain"
        self.run_program(touching(3, time={"steps": 8}), 2, folder)
        self.assert_same(self.run_program(touching(3), 3, folder, ["--restart", "latest"]), whole, "a restart")
        other = touching(3, contacts=CONTACTS[:1], time={"steps": 30})
        self.assertIn("contacts", self.run_program(other, 1, folder, ["--restart", "latest"], expect=2).output)

    def test_a_resistance_of_zero_has_the_bits_of_none(self):
        none = touching(2, contacts=[])
        zero = touching(2, contacts=[{"between": ["solid", "metal"], "resistance": 0}])
        small = touching(2, contacts=[{"between": ["solid", "metal"], "resistance": 1e-3}])
        reference = self.run_program(none)
        self.assertTrue(same_bits(self.run_program(zero).temperature(), reference.temperature()))
        self.assertFalse(np.allclose(self.run_program(small).temperature(), reference.temperature(), rtol=1e-9))
