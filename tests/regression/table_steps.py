# SPDX-License-Identifier: MIT
"""`dt: auto` follows K(T) and c(T): within the bound of the temperatures that each step meets, with the same bits however it is computed."""
import shutil

import numpy as np

from bits import BitsCase, step_of
from halotherm_runner import Results

CELLS, LENGTH = 60, 0.06
CONDUCTIVITY = {300: 1, 1500: 12}
CAPACITY = {250: 800, 320: 500, 1500: 400}
DENSITY = 1000
SAFETY, INTERVAL = 0.9, 64


def extreme(table, lowest, highest, of):
    """The largest or smallest value within a range of temperatures."""
    points = [lowest, highest, *(T for T in table if lowest < T < highest)]
    return of(np.interp(points, list(table), list(table.values())))


def bound(lowest, highest):
    """The monotone bound in 1-D with a fixed side, for cells and side temperatures within a range; ghost cells lie beyond it."""
    width = highest - lowest
    conductivity = extreme(CONDUCTIVITY, lowest - width, highest + width, np.max)
    return DENSITY * extreme(CAPACITY, lowest, highest, np.min) * (LENGTH / CELLS)**2 / (3 * conductivity)


def rod(**sections):
    config = {"title": "Steps that follow K(T)", "grid": {"cells": [CELLS], "upper": [LENGTH]},
              "materials": {"rod": {"conductivity": {"table": CONDUCTIVITY}, "density": DENSITY, "heat_capacity": {"table": CAPACITY}}},
              "initial": {"temperature": "300 + 10*sin(200*x)^2"},
              "sides": {"x-": {"temperature": "300 + t"}, "x+": {"convection": {"coefficient": 20, "ambient": 310}}},
              "time": {"steps": 200}, "output": {"diagnostics": {"steps": 1}}}
    for name, keys in sections.items():
        config[name] = {**config.get(name, {}), **keys} if isinstance(keys, dict) else keys
    return config


HEATED = {"regions": [{"source": "6e6*(1 + 0.2*sin(t))"}], "time": {"steps": 2000},
          "sides": {"x-": {"temperature": 300}, "x+": {"flux": 5e3, "radiation": {"emissivity": 0.8, "ambient": "400 + 2*t"}}}}


class TableSteps(BitsCase):
    def steps(self, results):
        """(lengths of the steps, lowest and highest temperature before each)"""
        rows = results.diagnostics()
        return np.diff(rows["time_s"]), rows["min_K"][:-1], rows["max_K"][:-1]

    def test_steps_are_those_of_the_temperatures_met(self):
        whole = SAFETY * bound(250, 1500)
        lengths, _, highest = self.steps(self.run_program(rod()))
        self.assertGreater(lengths[0], 6 * whole)
        self.assertGreater(lengths[0], 0.8 * SAFETY * bound(300, highest[0]), "no more is given away than the next steps may need")
        for first in range(0, len(lengths), INTERVAL):
            np.testing.assert_allclose(lengths[first:first + INTERVAL], lengths[first], rtol=1e-9)
        fixed, _, _ = self.steps(self.run_program(rod(time={"steps": 200, "bound": "stable", "safety": 0.6})))
        np.testing.assert_allclose(fixed, fixed[0], rtol=1e-9, err_msg="the stability bound is that of the whole tables")
        print(f"whole tables {whole:.3g} s, first {lengths[0]:.3g} s, last {lengths[-1]:.3g} s")

    def test_no_step_is_longer_than_the_bound_at_its_temperatures(self):
        for integrator in ("euler", "rk2"):
            config = rod(**HEATED)
            config["time"] = config["time"] | {"integrator": integrator}
            lengths, lowest, highest = self.steps(self.run_program(config))
            self.assertGreater(highest[-1], 600)
            self.assertLess(lengths[-1], 0.6 * lengths[0])
            # what sides impose meanwhile: 300 K, and the radiator
            times = np.concatenate([[0], np.cumsum(lengths)])[1:]
            longest = np.array([SAFETY * bound(min(low, 300), max(high, 400 + 2 * time)) for low, high, time in zip(lowest, highest, times)])
            print(f"{integrator}: {lengths[0]:.3g} to {lengths[-1]:.3g} s, at most {np.max(lengths / longest):.3f} of the bound at the time")
            self.assertTrue((lengths <= longest * (1 + 1e-9)).all())

    def test_one_answer(self):
        for precision in ("float64", "float32"):
            config = rod(**HEATED)
            config["time"] = {"steps": 150}
            config["grid"] = config["grid"] | {"precision": precision}
            config["output"] = {"diagnostics": {"steps": 10}, "checkpoint": {"steps": 16, "keep": 100}}
            whole = self.run_program(config)
            self.assert_same(self.run_program(config | {"parallel": {"halo": 2, "overlap": False}}, 3), whole, "three ranks")
            for step, ranks in ((16, 2), (64, 1), (112, 3), (128, 2)):
                with self.subTest(precision=precision, step=step):
                    folder = self.work / f"killed{precision}{step}"
                    shutil.copytree(whole.folder, folder)
                    for checkpoint in Results(folder).checkpoints():
                        if step_of(checkpoint) > step:
                            checkpoint.unlink()
                    self.assert_same(self.run_program(config, ranks, folder, ["--restart", "latest"]), whole, f"restart at step {step}")

    def test_a_restart_with_hotter_sides_has_shorter_steps_at_once(self):
        config = rod(output={"diagnostics": {"steps": 1}, "checkpoint": {"steps": 30}}, time={"steps": 30})
        folder = self.work / "hotter"
        before, _, _ = self.steps(self.run_program(config, 1, folder))
        config["sides"]["x-"] = {"temperature": 1400}
        config["time"] = {"steps": 40}
        after, _, _ = self.steps(self.run_program(config, 2, folder, ["--restart", "latest", "--allow-changes"]))
        self.assertLess(after[-1], 0.3 * before[-1])
        self.assertLessEqual(after[30], SAFETY * bound(300, 1400) * (1 + 1e-9))

    def test_what_is_not_known_beforehand_takes_the_whole_tables(self):
        """A source to which interval arithmetic gives no bound."""
        lengths, _, _ = self.steps(self.run_program(rod(regions=[{"source": "1e3/(t - 5 + abs(t - 5) + 1)"}], time={"steps": 5})))
        self.assertAlmostEqual(lengths[0] / (SAFETY * bound(250, 1500)), 1, delta=1e-9)
