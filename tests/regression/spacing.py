# SPDX-License-Identifier: MIT
"""Cells of different widths: the same bits for every cut, transport and restart; equal widths are the grid of before."""
import numpy as np

from bits import CELLS, CUTS, BitsCase, problem


def faces_of(cells, lower, upper):
    along = np.arange(cells + 1) / cells
    return [float(face) for face in lower + (upper - lower) * (along + 0.1 * np.sin(2 * np.pi * along))]


def uneven(dimensions, precision="float64", **sections):
    """The problem of the other tests on stretched axes; the last of three is made of layers."""
    config = problem(dimensions, precision, **sections)
    grid = config["grid"]
    axes = {"xyz"[axis]: {"faces": faces_of(CELLS[dimensions][axis], -0.3, grid["upper"][axis])} for axis in range(dimensions)}
    if dimensions == 3:
        axes["z"] = {"lower": -0.3, "layers": [[0.02, 1], [0.5, 12], [0.48, 4]]}
    config["grid"] = axes | {"precision": precision}
    return config


class Spacing(BitsCase):
    def test_cuts(self):
        for dimensions, precision in ((1, "float64"), (2, "float32"), (3, "float64"), (3, "float32")):
            reference = self.run_program(uneven(dimensions, precision), arguments=["--set", "parallel.overlap=false"])
            for ranks, cuts in CUTS[dimensions].items():
                cut = cuts[-1]
                with self.subTest(dimensions=dimensions, precision=precision, ranks=ranks, cut=cut):
                    config = uneven(dimensions, precision, parallel={"ranks": cut or "auto", "halo": 1 + ranks % 2})
                    self.assert_same(self.run_program(config, ranks), reference, f"{ranks} ranks, cut {cut or 'auto'}")

    def test_constant_conductivity_power_and_integrators(self):
        region = {"box": {"lower": [-0.2] * 3, "upper": [0.5] * 3}, "power": 123}
        for integrator in ("euler", "rk2", "rkl2"):
            with self.subTest(integrator=integrator):
                sections = {"material": {"conductivity": [1, 2, 0.5], "density": 2}, "time": {"integrator": integrator}}
                configs = [uneven(3, **{key: dict(value) for key, value in sections.items()}, parallel=parallel)
                           for parallel in ({}, {"ranks": [2, 1, 2]}, {"ranks": [1, 3, 1], "transport": "staged", "halo": 2})]
                for config in configs:
                    config["regions"] = [region]
                reference = self.run_program(configs[0])
                self.assert_same(self.run_program(configs[1], 4), reference, integrator)
                self.assert_same(self.run_program(configs[2], 3), reference, integrator)

    def test_restart(self):
        whole, folder = self.run_program(uneven(3)), self.work / "chain"
        self.run_program(uneven(3, time={"steps": 8}), 2, folder)
        results = self.run_program(uneven(3, time={"steps": 21}), 3, folder, ["--restart", "latest"])
        self.assert_same(results, whole, "a restart")
        other = uneven(3, time={"steps": 30})
        other["grid"]["z"] = {"lower": -0.3, "layers": [[0.02, 1], [0.51, 12], [0.47, 4]]}
        refused = self.run_program(other, 2, folder, ["--restart", "latest"], expect=2)
        self.assertIn("another grid: grid.z", refused.output)
        refused = self.run_program(other, 2, self.work / "converted", ["--restart", str(results.checkpoints()[-1]), "--convert"], expect=2)
        self.assertIn("of equal width", refused.output)

    def test_equal_widths_are_the_grid_of_before(self):
        wanted = problem(3, grid={"cells": [16, 12, 10], "lower": [0, 0, -0.25], "upper": [1, 0.75, 0.5]})
        axes = {"x": {"layers": [[0.5, 8], [0.5, 8]]}, "y": {"faces": [n / 16 for n in range(13)]}, "z": {"cells": 10, "lower": -0.25, "upper": 0.5}}
        given = wanted | {"grid": axes | {"precision": "float64"}}
        for config in (wanted, given):
            config["sides"] = {side: value for side, value in config["sides"].items() if side != "z-"}
            config["output"] = {"diagnostics": {"steps": 1}}
        self.assert_same(self.run_program(given, 2), self.run_program(wanted), "the same axes one by one")
