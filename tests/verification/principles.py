# SPDX-License-Identifier: MIT
"""What every solution obeys: no new extremes without a source, and mirrored problems have mirrored solutions."""
import numpy as np

from halotherm_runner import Case

ULPS = 4  # of the largest temperature; the sums of a step are rounded
RANDOM = np.random.default_rng(7)


def escapes(rows, lowest, highest):
    """How far any step's extremes are outside of the bounds [K]."""
    return max(lowest - rows["min_K"].min(), rows["max_K"].max() - highest)


class MaximumPrinciple(Case):
    """The temperature stays within those of the initial field and of the surroundings, by default and up to the monotone bound."""

    def rows(self, cells, sides, timing, precision="float64", conductivity=1.5):
        initial = self.data_set("initial", np.where(RANDOM.random(cells[::-1]) < 0.5, 300.0, 400.0))  # as rough as can be
        config = {"grid": {"cells": cells, "upper": [1] * len(cells), "precision": precision}, "initial": {"temperature": initial},
                  "materials": {"solid": {"conductivity": conductivity, "density": 2, "heat_capacity": 1}}, "sides": sides,
                  "time": {"steps": 150} | timing, "output": {"diagnostics": {"steps": 1}}}
        return self.run_program(config, ranks=2).diagnostics()

    def check(self, label, rows, lowest, highest, precision="float64"):
        outside = escapes(rows, lowest, highest)
        print(f"{label}: {rows['min_K'].min():.10g} .. {rows['max_K'].max():.10g} K of {lowest:g} .. {highest:g} K allowed")
        self.assertEqual(len(rows), 151)
        self.assertLess(outside, ULPS * np.finfo(precision).eps * highest)

    def test_extremes_of_every_step(self):
        fixed = {"x-": {"temperature": 290}, "x+": {"temperature": 410}}
        mixed = fixed | {"y-": {"convection": {"coefficient": 1e4, "ambient": 280}}, "y+": {"flux": 0}}
        hot = {axis: {"temperature": 420} for axis in "xyz"}
        cooled = {"x": {"convection": {"coefficient": "1e5*(1 + sin(1e6*t))", "ambient": 270}}}
        fire = {axis: {"radiation": {"emissivity": 0.9, "ambient": 3000}} for axis in "xyz"}
        night = {"x": {"radiation": {"emissivity": 1, "ambient": 0}, "convection": {"coefficient": 3, "ambient": 250}}}
        for cells, sides, lowest, highest in (([40], {}, 300, 400), ([12, 10, 9], fire, 300, 3000), ([40], night, 0, 400), ([40], fixed, 290, 410), ([20, 17], {"x": "periodic"}, 300, 400),
                                                 ([20, 17], mixed, 280, 410), ([12, 10, 9], mixed | {"z": "periodic"}, 280, 410),
                                                 ([40], {"x": hot["x"]}, 300, 420), ([20, 17], {axis: hot[axis] for axis in "xy"}, 300, 420),
                                                 ([12, 10, 9], hot, 300, 420), ([40], cooled, 270, 400)):
            for timing in ({}, {"safety": 1}):
                precision = "float32" if len(cells) == 2 and timing else "float64"
                with self.subTest(cells=cells, sides=sides, precision=precision, timing=timing):
                    label = f"{len(cells)}-D, {', '.join(sorted({word for side in sides.values() for word in ([side] if side == 'periodic' else side)})) or 'insulated'}, {precision}, {timing or 'default'}"
                    self.check(label, self.rows(cells, sides, timing, precision), lowest, highest, precision)

    def test_variable_conductivity(self):
        fixed = {"x-": {"temperature": 290}, "y+": {"temperature": 410}}
        rows = self.rows([20, 17], fixed, {"safety": 1}, conductivity="1 + 0.99*sin(40*x)*sin(30*y)")
        self.check("2-D, variable conductivity", rows, 290, 410)

    def test_check_can_fail(self):
        """Close to the stability bound a fixed side does overshoot, in the program too."""
        rows = self.rows([40], {"x": {"temperature": 300}}, {"bound": "stable", "safety": 1})
        self.assertGreater(escapes(rows, 300, 400), 1.0)


class BoundsCheck(Case):
    """The program reports temperatures that nothing explains, and only those."""

    ROUGH = {"x-": {"temperature": 300}, "x+": {"temperature": 400}}  # beside cells of 400 K and 300 K
    FIXED = {"x-": {"temperature": 290}, "y+": {"convection": {"coefficient": "5 + sin(3*t)", "ambient": {"table": {0: 300, 0.01: 410}}}}}

    def config(self, time, sides=None, source=0, precision="float64", steps=100):
        cells = [20, 17]
        initial = np.where(np.random.default_rng(1).random(cells[::-1]) < 0.5, 300.0, 400.0)
        return {"grid": {"cells": cells, "upper": [1, 1], "precision": precision}, "sides": self.FIXED if sides is None else sides,
                "initial": {"temperature": self.data_set("initial", initial)}, "regions": [{"source": source}],
                "materials": {"solid": {"conductivity": 1.5, "density": 2, "heat_capacity": 1}},
                "time": {"steps": steps} | time, "output": {"diagnostics": {"steps": 1}, "checkpoint": {"steps": 50}}}

    def found(self, config, ranks=1, **options):
        """What the report lists; log and summary have the same."""
        results = self.run_program(config, ranks, **options)
        found = results.report()["out_of_bounds"]
        self.assertEqual(results.output.count("initial field, sides and sources allow"), len(found), results.output)
        self.assertEqual(results.output.count("out of bounds  T ="), len(found), results.output)
        return found

    def test_overshoots_are_reported(self):
        """Once below and once above, with the first step that shows them, on any number of ranks."""
        for label, time in (("stable", {"bound": "stable", "safety": 1}), ("rkl2", {"integrator": "rkl2", "stages": 9})):
            with self.subTest(label):
                config = self.config(time, self.ROUGH)
                found = self.found(config)
                self.assertEqual({one["extreme"] for one in found}, {"min_K", "max_K"})
                for one in found:
                    low = one["extreme"] == "min_K"
                    self.assertEqual(one["bound_K"], 300 if low else 400)
                    self.assertGreater((one["bound_K"] - one["value_K"]) * (1 if low else -1), 1e-3)
                for ranks in (2, 3):
                    self.assertEqual(self.found(config, ranks), found, f"{ranks} ranks")
                print(f"{label}: {found}; the same on 1, 2 and 3 ranks")

    def test_what_patches_hide_does_not_count(self):
        """The side's own 500 K hold nowhere, on no number of ranks."""
        halves = [{"name": f"half{n}", "box": {"lower": [0, 0.5 * n], "upper": [0, 0.5 + 0.5 * n]}, "temperature": 300} for n in range(2)]
        config = self.config({"bound": "stable", "safety": 1}, {"x-": {"temperature": 500, "patches": halves}, "x+": {"temperature": 400}})
        found = self.found(config)
        self.assertEqual([one["bound_K"] for one in found], [300, 400])
        for blocks in ([1, 2], [2, 1], [1, 3]):
            config["parallel"] = {"ranks": blocks}
            self.assertEqual(self.found(config, blocks[0] * blocks[1]), found, blocks)

    def test_void_faces_count(self):
        hole = [{"material": "solid"}, {"material": "void", "box": {"lower": [0.2, 0.3], "upper": [0.5, 0.6]}}]
        for condition in ({"temperature": 250}, {"convection": {"coefficient": 1e3, "ambient": 250}}, {"flux": -5e3}):
            for ranks in (1, 3):
                with self.subTest(condition=condition, ranks=ranks):
                    config = self.config({}, {"void": condition}) | {"regions": hole}
                    results = self.run_program(config, ranks)
                    self.assertLess(results.report()["last"]["min_K"], 299)
                    self.assertEqual(results.report()["out_of_bounds"], [])

    def test_monotone_steps_are_not(self):
        gaussian = "5e3*exp(-(x - t)^2 - y^2)"
        fire = {"x": {"radiation": {"emissivity": 0.9, "ambient": 2000}}, "y-": {"flux": 50, "convection": {"coefficient": 4, "ambient": 310}}}
        for label, time, sides, source, precision in (
                ("euler", {"safety": 1}, None, 0, "float64"), ("rk2", {"integrator": "rk2", "safety": 1}, None, 0, "float64"),
                ("float32", {"safety": 1}, None, 0, "float32"), ("source", {}, {}, gaussian, "float64"), ("sink", {}, {"x-": {"flux": -10}}, -100, "float64"),
                ("radiation", {}, fire, 0, "float64")):
            with self.subTest(label):
                self.assertEqual(self.found(self.config(time, sides, source, precision), ranks=2), [])

    def test_only_the_other_bound_holds_beside_a_source(self):
        """A source hides what is too hot, not what is too cold."""
        time = {"bound": "stable", "safety": 1}
        for source, extremes in ((0, {"min_K", "max_K"}), (1e-3, {"min_K"}), (-1e-3, {"max_K"}), ("1e-3*sin(t*1e4)", set())):
            with self.subTest(source=source):
                self.assertEqual({one["extreme"] for one in self.found(self.config(time, self.ROUGH, source), ranks=2)}, extremes)

    def test_restarts_begin_with_the_loaded_field(self):
        config = self.config({"bound": "stable", "safety": 1}, self.ROUGH, steps=2)
        folder = self.work / "restarted"
        self.assertEqual({one["bound_K"] for one in self.found(config, 2, folder=folder)}, {300, 400})
        config["time"]["steps"] = 50  # no further outside
        self.assertEqual(self.found(config, 3, folder=folder, arguments=["--restart", "latest"]), [])


class Symmetry(Case):
    """Mirrored problems give mirrored bits: no axis has a preferred direction, no rank order either."""

    CELLS = [14, 11, 9]
    SIDES = ({"temperature": 310}, {"flux": 9, "convection": {"coefficient": 40, "ambient": 280}})
    OTHERS = ({"flux": 20}, {"flux": 0})

    def setUp(self):
        super().setUp()
        shape = self.CELLS[::-1]
        self.fields = {"initial": RANDOM.uniform(280, 400, shape), "conductivity": RANDOM.uniform(0.5, 3, shape),
                       "source": RANDOM.uniform(-100, 100, shape)}

    def solve(self, mirrored, ranks, precision="float64"):
        """/T of the problem that is mirrored along an axis (none: None)."""
        sides = {}
        for axis, name in enumerate("xyz"):
            pair = self.SIDES if axis == 0 else self.OTHERS if axis == 1 else ({"flux": 5}, self.SIDES[0])
            sides |= {name + sign: side for sign, side in zip("+-" if axis == mirrored else "-+", pair)}
        data = {}
        for name, values in self.fields.items():
            data[name] = self.data_set(f"{name}{mirrored}", values if mirrored is None else np.flip(values, 2 - mirrored))
        config = {"grid": {"cells": self.CELLS, "upper": [1.4, 1.1, 0.9], "precision": precision}, "sides": sides,
                  "materials": {"solid": {"conductivity": data["conductivity"], "density": 2, "heat_capacity": 1}}, "regions": [{"source": data["source"]}],
                  "initial": {"temperature": data["initial"]}, "time": {"steps": 40}}
        return self.run_program(config, ranks).temperature()

    def test_mirrored_along_each_axis(self):
        for ranks, precision in ((1, "float64"), (3, "float64"), (4, "float32")):
            plain = self.solve(None, ranks, precision)
            for axis in range(3):
                with self.subTest(ranks=ranks, axis="xyz"[axis], precision=precision):
                    mirrored = np.flip(self.solve(axis, ranks, precision), 2 - axis)
                    self.assertEqual(mirrored.tobytes(), plain.tobytes(), f"{(mirrored != plain).sum()} cells differ")
                    self.assertNotEqual(np.flip(plain, 2 - axis).tobytes(), plain.tobytes(), "symmetric anyway: it shows nothing")
        print("3-D, each axis, on 1, 3 and 4 ranks, float64 and float32: mirrored to the bit")
