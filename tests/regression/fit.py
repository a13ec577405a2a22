# SPDX-License-Identifier: MIT
"""A restart that does not fit its checkpoint is refused, and results are never replaced by mistake."""
import os
import shutil
from pathlib import Path

import numpy as np

from bits import BitsCase, problem, step_of
from halotherm_runner import launch


class Fit(BitsCase):
    """Which changes of the configuration a restart takes."""

    def setUp(self):
        super().setUp()
        self.start = self.run_program(problem(2, time={"steps": 3}))
        self.reference = self.run_program(problem(2))

    def restart(self, config, expect, *arguments):
        folder = self.work / f"restart{self.count}"
        shutil.copytree(self.start.folder, folder)
        before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        results = self.run_program(config, 2, folder, ["--restart", "latest", *arguments], expect)
        if expect:
            self.assertEqual({file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}, before, "a refused restart wrote")
        return results

    def test_other_grids_and_physics_are_refused_by_name(self):
        side = {"x-": {"temperature": 999}}
        grid = {"grid.cells": {"grid": {"cells": [37, 30]}}, "grid.upper": {"grid": {"upper": [1.1, 0.9]}},
                "grid.precision": {"grid": {"precision": "float32"}}}
        physics = {"materials.solid.conductivity": {"material": {"conductivity": 2}}, "materials.solid.density": {"material": {"density": 2}},
                   "regions": {"regions": [{"source": 0}]}, "initial.temperature": {"initial": {"temperature": 300}}, "sides.x-": {"sides": side}, "time.dt": {"time": {"dt": 1e-5}}}
        for key, change in (grid | physics).items():
            with self.subTest(key=key):
                config = problem(2, material=change.pop("material", {}))
                for section, value in change.items():
                    config[section] = config[section] | value if isinstance(value, dict) else value
                refused = self.restart(config, 2).output
                message = next((line for line in refused.splitlines() if "does not fit" in line), refused)
                self.assertIn(key, message)
                for other in (grid | physics).keys() - {key}:
                    self.assertNotIn(other, message, "a key is named that does not differ")
                self.restart(config, 2 if key in grid else 0, "--allow-changes")
        print(f"refused by name: {', '.join(grid)} (always); {', '.join(physics)} (but for --allow-changes)")

    def test_several_keys_are_all_named(self):
        config = problem(2, material={"density": 3, "heat_capacity": 2}, time={"dt": 1e-5})
        refused = self.restart(config, 2).output
        for key in ("materials.solid.density", "materials.solid.heat_capacity", "time.dt"):
            self.assertIn(key, refused)

    def test_harmless_changes_are_taken(self):
        config = problem(2, parallel={"ranks": [1, 2], "overlap": False, "halo": 2, "transport": "staged"})
        config |= {"title": "Another title", "output": config["output"] | {"checkpoint": {"steps": 5, "keep": 7}}}
        results = self.restart(config, 0)
        self.assert_same(results, self.reference, "harmless changes")
        self.assertGreater(len(results.checkpoints()), 2)

    def test_input_files_that_changed_are_refused_by_name(self):
        values = 1 + np.random.default_rng(6).random((29, 37))
        config = problem(2, time={"steps": 3}, initial={"temperature": self.data_set("initial", 300 * values)},
                         material={"conductivity": self.data_set("conductivity", values)})
        config["regions"] = [{"source": self.data_set("source", values)}]
        self.start = self.run_program(config, 3)
        (self.work / "initial.h5").unlink()  # no restart reads it
        config["time"] = {"steps": 6}
        self.assertNotIn("inputs ", self.restart(config, 0).output)

        changed = values.copy()
        changed[28, 36] = np.nextafter(changed[28, 36], 2)
        self.data_set("conductivity", changed)
        self.assertIn("materials.solid.conductivity (/values of conductivity.h5)); put the old values back", self.restart(config, 2).output)
        taken = self.restart(config, 0, "--allow-changes")
        self.assertIn("inputs         changed since the checkpoint was written: materials.solid.conductivity (/val", taken.output)
        self.start = taken
        self.restart(config | {"time": {"steps": 7}}, 0)

        self.data_set("source", values[::-1])
        self.assertIn("(changed since it was written: regions[0].source (/values of source.h5))", self.restart(config, 2).output)
        self.data_set("source", values)
        code, text = launch(["check", str(taken.checkpoints()[-1])], 1, self.work)
        self.assertEqual(code, 0, text)
        for key in ("inputs         materials.solid.conductivity, checksum ", "regions[0].source, checksum ", "initial.temperature, checksum "):
            self.assertIn(key, text)

    def test_inputs_of_older_checkpoints_are_not_compared(self):
        old = Path(os.environ["HALOTHERM_SOURCE_DIR"]) / "tests/fuzz/corpus/checkpoint/two_axes.h5"
        material = {"conductivity": self.data_set("conductivity", np.full((4, 3), 400)), "density": 8960, "heat_capacity": 385}
        config = {"grid": {"cells": [3, 4], "upper": [1, 1], "precision": "float32"}, "materials": {"solid": material},
                  "initial": {"temperature": "300 + 10*x"}, "time": {"steps": 5}}
        results = self.run_program(config, arguments=["--restart", str(old), "--allow-changes"])
        self.assertIn("inputs         not compared with those of the run before (its checkpoint, of an older format", results.output)

    def test_later_end_is_taken(self):
        end = 1.5 * float(self.start.state()[1]["time"])
        config = problem(2)
        config["time"] = {"end": end}
        self.assertEqual(float(self.restart(config, 0).state()[1]["time"]), end)

    def test_a_checkpoint_under_the_name_of_another_step_is_set_aside(self):
        good = self.start.checkpoints()[-1]
        shutil.copy(good, good.with_name("checkpoint_0000000099.h5"))
        results = self.run_program(problem(2), 2, self.start.folder, ["--restart", "latest"])
        self.assertIn("its name says step 99, and it holds step 3", results.output)
        self.assert_same(results, self.reference, "after a wrongly named checkpoint")
        self.assertTrue(good.with_name("checkpoint_0000000099.h5.damaged").exists())

    def test_no_checkpoint(self):
        output = self.run_program(problem(2), folder=self.work / "empty", arguments=["--restart", "latest"], expect=4).output
        self.assertIn("no checkpoint in", output)
        self.run_program(problem(2), arguments=["--restart", str(self.work / "missing.h5")], expect=4)


class FreshRun(BitsCase):
    """A fresh run into a folder with results needs --overwrite, and then leaves nothing of the old ones."""

    def test_results_are_not_replaced_by_mistake(self):
        first = self.run_program(problem(1), 2)
        before = {file: file.read_bytes() for file in first.folder.rglob("*") if file.is_file()}
        other = problem(1, time={"steps": 5})
        refused = self.run_program(other, 2, first.folder, expect=2)
        self.assertIn("--overwrite", refused.output)
        self.assertEqual({file: file.read_bytes() for file in first.folder.rglob("*") if file.is_file()}, before)
        replaced = self.run_program(other, 2, first.folder, ["--overwrite"])
        self.assertEqual([step_of(checkpoint) for checkpoint in replaced.checkpoints()], [5])
        self.assertEqual(len(replaced.diagnostics()), 6)
        self.assert_same(replaced, self.run_program(other), "replaced")
