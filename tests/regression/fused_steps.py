# SPDX-License-Identifier: MIT
"""Several steps in one pass over memory: the bits of single steps, with outputs at the steps that were asked for."""
from bits import BitsCase, problem, same_bits, step_of

CUTS = {2: [(1, None, 3), (2, [1, 2], 4), (4, [2, 2], 2)],  # ranks, blocks, steps at once
        3: [(1, None, 4), (2, [2, 1, 1], 2), (2, [1, 1, 2], 3), (4, [1, 2, 2], 4)]}


def steady_sides(dimensions, precision="float64", steps="auto", **sections):
    """A problem whose sides and sources stay as they are, in cells that differ where `sections` say so."""
    sides = {"x-": {"temperature": 340}, "x+": {"flux": 50, "convection": {"coefficient": 7, "ambient": 280}}, "y": "periodic"}
    if dimensions > 2:
        sides |= {"z-": {"flux": 200}, "z+": {"convection": {"coefficient": 3, "ambient": 290}}}
    config = problem(dimensions, precision, **{"time": {"steps": 34}, "output": {"diagnostics": {"steps": 11}}, **sections})
    config["materials"]["solid"] = {"conductivity": [1.1, 0.9, 1.3][:dimensions], "density": "2 + cos(11*x)", "heat_capacity": 0.9}
    config["regions"] = [{"source": "500*exp(-20*(x^2 + y^2 + z^2))"}]
    config["sides"] = sections.get("sides", sides)
    config["time"]["fused_steps"] = steps
    return config


class FusedSteps(BitsCase):
    def compare_all(self, dimensions, precision):
        reference = self.run_program(steady_sides(dimensions, precision, 1))
        self.assertEqual(reference.report()["steps_at_once"], 1)
        for ranks, cut, steps in CUTS[dimensions]:
            with self.subTest(steps=steps, cut=cut, dimensions=dimensions, precision=precision):
                config = steady_sides(dimensions, precision, steps, parallel={"ranks": cut or "auto", "overlap": steps != 3})
                results = self.run_program(config, ranks)
                self.assertEqual(results.report()["steps_at_once"], steps)
                self.assert_same(results, reference, f"{steps} steps at once, cut {cut}")
                self.forget(results)

    def test_two_dimensions(self):
        self.compare_all(2, "float64")
        self.compare_all(2, "float32")

    def test_three_dimensions(self):
        self.compare_all(3, "float64")
        self.compare_all(3, "float32")

    def test_conductivity_that_varies(self):
        configs = [steady_sides(3, steps=steps) for steps in (1, 2, 4)]
        for config in configs:
            config["materials"]["solid"]["conductivity"] = "1 + 0.7*sin(9*x + 2*y)*cos(5*z)"
            config["sides"] = {"y": "periodic", "z-": {"temperature": 340}}
        reference = self.run_program(configs[0])
        for config, ranks in zip(configs[1:], (2, 4)):
            self.assert_same(self.run_program(config, ranks), reference, "K from cell to cell")

    def test_uneven_cells(self):
        sections = {"grid": {"x": {"layers": [[0.1, 5], [0.4, 8], [0.9, 16]]}, "y": {"cells": 23, "upper": 0.8}, "z": {"cells": 17, "upper": 0.7}}}
        for key in ("cells", "lower", "upper"):
            sections["grid"][key] = None
        configs = [steady_sides(3, steps=steps, **sections) for steps in (1, 3)]
        for config in configs:
            config["grid"] = {key: value for key, value in config["grid"].items() if value is not None}
            config["output"]["sensors"] = []
        reference = self.run_program(configs[0])
        self.assert_same(self.run_program(configs[1], 2), reference, "uneven cells")

    def test_outputs_at_their_steps(self):
        """Checkpoints and diagnostics in the middle of a pass, and an end that no number of passes reaches."""
        output = {"diagnostics": {"steps": 10}, "checkpoint": {"steps": 7, "keep": 10}}
        runs = [self.run_program(steady_sides(3, steps=steps, output=output), ranks) for steps, ranks in ((1, 1), (4, 2))]
        steps = [[step_of(file) for file in run.checkpoints()] for run in runs]
        self.assertEqual(steps, [[7, 14, 21, 28, 34]] * 2)
        self.assert_same(runs[1], runs[0], "outputs")

    def test_restart_with_another_number(self):
        whole = self.run_program(steady_sides(3, steps=1))
        folder = self.work / "chain"
        self.run_program(steady_sides(3, steps=3, time={"steps": 13}), 2, folder)
        results = self.run_program(steady_sides(3, steps=4), 4, folder, ["--restart", "latest"])
        self.assertTrue(same_bits(results.temperature(), whole.temperature()))

    def test_auto_measures_in_long_runs(self):
        config = steady_sides(3, time={"steps": 520}, output={"diagnostics": {"steps": 100}})
        one = self.run_program(steady_sides(3, steps=1, time={"steps": 520}, output={"diagnostics": {"steps": 100}}))
        results = self.run_program(config, 2)
        self.assertEqual(len(results.report()["steps_at_once_trials_s"]), 4)
        self.assert_same(results, one, "auto")
        self.assertEqual(self.run_program(steady_sides(3)).report()["steps_at_once"], 1)  # short

    def test_submitted_steps(self):
        """Steps that the host submits many at a time: the same bits, outputs at their steps, and an end that no submission reaches."""
        output = {"diagnostics": {"steps": 50}, "checkpoint": {"steps": 35, "keep": 10}}
        sides = {"x-": {"temperature": "340 + 5*y"}, "y+": {"flux": 50}}
        for dimensions in (2, 3):
            runs = [self.run_program(steady_sides(dimensions, steps=fused, sides=sides, output=output,
                                                  time={"steps": 131, "submitted_steps": submitted}))
                    for fused, submitted in ((1, 1), (1, 32), (3, 70), (2, 8))]
            runs.append(self.run_program(steady_sides(dimensions, steps=1, sides=sides, output=output,
                                                      time={"steps": 131, "submitted_steps": 32}), 2))
            self.assertEqual([run.report()["steps_submitted"] for run in runs], [1, 32, 24, 4, 32])
            for run in runs[1:]:
                self.assertEqual([step_of(file) for file in run.checkpoints()], [35, 70, 105, 131])
                self.assert_same(run, runs[0], "submitted steps")
        self.refuse(steady_sides(3, steps=1, sides={"x-": {"temperature": "300 + t"}}, time={"steps": 9, "submitted_steps": 8}), "stay as they are")

    def test_sides_that_differ_from_cell_to_cell(self):
        sides = {"x-": {"temperature": "340 + 5*y"}, "y": "periodic"}
        del sides["y"]  # across a periodic side the block is its own neighbour
        alone = [self.run_program(steady_sides(3, steps=steps, sides=sides)) for steps in (1, 4)]
        self.assert_same(alone[1], alone[0], "sides of formulas on one rank")
        patch = {"name": "plate", "box": {"lower": [-0.3, -0.1, -0.3], "upper": [-0.3, 0.4, 0.1]}, "temperature": 350}
        with_patch = {"x-": {"temperature": 340, "patches": [patch]}}  # in one of two blocks alone
        self.refuse(steady_sides(3, steps=2, sides=with_patch, parallel={"ranks": [1, 1, 2]}), "the conditions of a side differ", ranks=2)
        self.refuse(steady_sides(3, steps=4, sides=sides), "the conditions of a side differ from cell to cell where blocks meet", ranks=2)

    def test_refusals(self):
        self.refuse(steady_sides(3, steps=2, sides={"x-": {"temperature": "300 + t"}}), "changes with time or with the temperature")
        self.refuse(steady_sides(3, steps=2, time={"steps": 9, "integrator": "rk2"}), "only steps of euler")
        config = steady_sides(3, steps=2)
        config["materials"]["solid"] |= {"conductivity": {"table": {200: 1, 500: 2}}, "density": 2}
        self.refuse(config, "where properties depend on the temperature")
        config = steady_sides(3, steps=8, parallel={"split_points": [[25], [], []]})
        self.refuse(config, "thinner than so many cells", ranks=2)

    def refuse(self, config, text, ranks=1):
        self.assertIn(text, self.run_program(config, ranks, expect=2).output.replace("\n", " "))
