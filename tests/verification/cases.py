# SPDX-License-Identifier: MIT
"""Published cases: the configurations of configs/cases give the numbers that are known."""
import json
from pathlib import Path

import numpy as np
import yaml

from halotherm_runner import Case, Results, launch

FOLDER = Path(__file__).resolve().parents[2] / "configs/cases"
ICE = 273.15  # K
BALANCE = 1e-11  # of the largest flow: what may be missing from the balance of a step, by rounding of the temperatures


class PublishedCases(Case):
    def check(self, name, expected, tolerance, times=None, offset=ICE, balance=BALANCE, settings=()):
        """`expected`: for each sensor the temperatures, as the source rounds them, at these times [s] or at the end. `settings`: keys of
        the configuration that differ. Returns the results."""
        folder = self.work / name
        overrides = [word for setting in (f"output.directory={folder}", *settings) for word in ("--set", setting)]
        code, text = launch(["run", str(FOLDER / f"{name}.yaml"), "--overwrite", *overrides], 1, self.work)
        self.assertEqual(code, 0, text)
        results = Results(folder, text)
        rows = results.diagnostics()
        at = [-1] if times is None else [int(np.argmin(np.abs(rows["time_s"] - time))) for time in times]
        if times is not None:
            np.testing.assert_allclose(rows["time_s"][at], times, rtol=1e-9)
        worst = 0.0
        for sensor, values in expected.items():
            celsius = f"{sensor}_degC" in rows.dtype.names  # as the configuration has it
            found = rows[f"{sensor}_degC"][at] if celsius else rows[f"{sensor}_K"][at] - offset
            print(f"{name}, {sensor}: {' '.join(f'{value:.4f}' for value in found)} for {' '.join(map(str, values))}")
            worst = max(worst, np.abs(found - values).max())
        missing = self.missing(rows)
        print(f"{name}: at most {worst:.3g} K off; at most {missing:.1e} of the largest flow is missing from a step's balance")
        self.assertLess(worst, tolerance)
        self.assertLess(missing, balance)
        return results

    @staticmethod
    def missing(rows):
        steps = rows[1:]
        names = [name for name in rows.dtype.names if name.startswith("flow_")]
        return (np.abs(steps["missing_W"]) / np.max([np.abs(steps[name]) for name in names], axis=0)).max()

    def test_nafems_t4(self):
        self.check("nafems_t4", {"E": [18.25376]}, 0.004)

    def test_iso_10211_case_1(self):
        known = [[9.7, 13.4, 14.7, 15.1], [5.3, 8.6, 10.3, 10.8], [3.2, 5.6, 7.0, 7.5], [2.0, 3.6, 4.7, 5.0], [1.3, 2.3, 3.0, 3.2],
                 [0.7, 1.4, 1.8, 1.9], [0.3, 0.6, 0.8, 0.9]]
        self.check("iso_10211_case_1", {f"p{row + 1}{n + 1}": [value] for row, values in enumerate(known) for n, value in enumerate(values)}, 0.06)

    def test_iso_10211_case_2(self):
        converged = dict(zip("ABHI", (7.06, 0.76, 16.77, 18.33)))  # HEAT2, which the norm names
        rows = self.check("iso_10211_case_2", {name: [value] for name, value in converged.items()}, 0.02, balance=1e-9).diagnostics()
        self.assertAlmostEqual(rows["flow_y-_W"][-1], 9.490, delta=0.002)

    def test_iso_10211_case_4(self):
        rows = self.check("iso_10211_case_4", {"outside": [0.8047]}, 0.005, balance=1e-8).diagnostics()
        self.assertAlmostEqual(-4 * rows["flow_z-_W"][-1], 0.5398, delta=0.0054)

    def test_floors_on_the_ground(self):
        """Heat through the floor, extrapolated from the configuration's cells and halves of them: where the wall is adiabatic, the flux
        grows without bound towards the floor's edge, and the error is of first order."""
        for name, order, known, within in (("bestest_gc10a", 2, 2432.597, 0.2), ("bestest_gc30a", 1, 2695, 3)):
            axes = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))["grid"]
            flows = []
            for halves in (1, 2):
                grid = {axis: along | {"layers": [[width, halves * cells] for width, cells in along["layers"]]} for axis, along in axes.items()}
                rows = self.check(name, {}, 1e-9, balance=5e-5, settings=[f"grid={json.dumps(grid)}"]).diagnostics()
                flows.append(4 * rows["flow_z+_floor_W"][-1])
            extrapolated = flows[1] + (flows[1] - flows[0]) / (2**order - 1)
            print(f"{name}: {flows[0]:.2f} and {flows[1]:.2f} W, extrapolated {extrapolated:.2f} for {known}")
            self.assertAlmostEqual(extrapolated, known, delta=within)

    def test_stacked_dies(self):
        # a step is 2.5e-8 s: half of a bit of all temperatures is 2.4e-10 of the flow
        self.check("stacked_dies", {"node1": [307.8208], "node2": [310.0077]}, 1e-4, offset=0, balance=2.4e-10)

    def test_slab_cooling(self):
        self.check("slab_cooling", {"insulated": [999.3, 891.8, 717.7, 574.9, 460.4, 368.7, 295.3]}, 0.11, [60, 300, 600, 900, 1200, 1500, 1800])

    def test_square_cooling(self):
        self.check("square_cooling", {"centre": [986.264, 903.720, 690.479, 515.060, 383.195, 285.006]}, 0.1, [0.1, 0.2, 0.4, 0.6, 0.8, 1.0])

    def test_orthotropic_plate(self):
        known = dict(zip("abcde", ([-17.5742], [-17.3905], [-17.2448], [-17.1515], [-17.1189])))
        self.check("orthotropic_plate", known, 0.002)

    def test_straight_fin(self):
        known = {"middle": [73.12286], "tip": [64.85297]}  # the exact solution in 2-D; in 1-D 73.076 and 64.805
        self.check("straight_fin", known, 0.01)

    def test_chip_on_epoxy(self):
        rows = self.check("chip_on_epoxy", {"chip": [75.3]}, 0.05, offset=0, balance=1e-9).diagnostics()
        joint = 1 / (0.9e-4 + 8e-3 / 239 + 1 / 100)  # W/(m2 K), of the way through the substrate
        self.assertAlmostEqual(-rows["flow_x-_W"][-1], 1e4 * joint / (100 + joint), delta=0.01)

    def test_perfused_tissue(self):
        k, w, q, length, h = 0.5, 1900, 420, 0.03, 10
        m, settled = np.sqrt(w / k), 37 + q / w
        a, c, s = -q / w, np.cosh(m * length), np.sinh(m * length)
        b = -(h * (a * c + settled - 25) + k * m * a * s) / (k * m * c + h * s)
        known = {name: [settled + a * np.cosh(m * x) + b * np.sinh(m * x)] for name, x in (("middle", length / 2), ("skin", length))}
        rows = self.check("perfused_tissue", known, 2e-3, offset=0, balance=1e-6).diagnostics()
        self.assertAlmostEqual(rows["flow_x-_W"][-1], -k * m * b, delta=0.05)

    def test_nafems_t2(self):
        self.check("nafems_t2", {"end": [927.00395045]}, 1e-6, offset=0)

    def test_sfpe_case_1(self):
        self.check("sfpe_case_1", {"surface": [97.8, 234.4, 390.2, 539.7, 662.9, 751.9]}, 0.5, [300, 600, 900, 1200, 1500, 1800])

    def test_sfpe_case_7(self):
        known = {"centre": [9, 127, 315, 492, 640, 757], "side": [721, 873, 952, 1005, 1045, 1077], "corner": [809, 921, 984, 1028, 1062, 1089]}
        self.check("sfpe_case_7", known, 1.0, [1800 * n for n in range(1, 7)])

    def test_sfpe_cases_with_a_tolerance(self):
        """Fewer stages than the configurations have steps of forward Euler, 2160 and 2700."""
        adaptive = ["time.dt=auto", "time.integrator=rkl2", "output.fields.every=1800", "output.diagnostics.steps=1"]
        radiating = {"centre": [9, 127, 315, 492, 640, 757], "side": [721, 873, 952, 1005, 1045, 1077], "corner": [809, 921, 984, 1028, 1062, 1089]}
        tables = {"centre": [31, 85, 147, 272, 393, 500], "side": [764, 904, 978, 1028, 1066, 1097], "corner": [835, 943, 1005, 1048, 1082, 1109]}
        for name, known, off, tolerance, stages in (("sfpe_case_7", radiating, 1.1, 0.5, 2160 / 4), ("sfpe_case_13", tables, 2.0, 2, 2700 / 2)):
            report = self.check(name, known, off, [1800 * n for n in range(1, 7)], settings=[*adaptive, f"time.tolerance={tolerance}"]).report()
            print(f"{name}: {report['steps']} steps, {report['adaptive']}")
            self.assertLess(report["adaptive"]["stages"], stages)

    def test_nafems_t3(self):
        self.check("nafems_t3", {"inside": [36.60312]}, 0.05)

    def test_sfpe_case_13(self):
        known = {"centre": [31, 85, 147, 272, 393, 500], "side": [764, 904, 978, 1028, 1066, 1097], "corner": [835, 943, 1005, 1048, 1082, 1109]}
        self.check("sfpe_case_13", known, 2.0, [1800 * n for n in range(1, 7)])

    def test_sfpe_case_9(self):
        self.check("sfpe_case_9", {"centre": [341, 723, 886, 953, 981, 992]}, 0.6, [1800 * n for n in range(1, 7)], balance=1e-6,
                   settings=["linear.tolerance=1e-6"])

    def test_implicit_steps(self):
        """As few steps as give the digits of the explicit ones: 180 instead of 2700, 600 instead of 60000."""
        concrete = {"centre": [31, 85, 147, 272, 393, 500], "side": [764, 904, 978, 1028, 1066, 1097], "corner": [835, 943, 1005, 1048, 1082, 1109]}
        self.check("sfpe_case_13", concrete, 2.4, [1800 * n for n in range(1, 7)], balance=1e-6,
                   settings=["time.integrator=crank-nicolson", "time.dt=60", "output.diagnostics.steps=30"])
        aluminium = {"at_5_mm": [684.84, 664.63, 631.31, 616.46], "at_10_mm": [726.63, 707.18, 672.58, 651.86]}
        for integrator, off in (("backward-euler", 0.25), ("crank-nicolson", 0.2)):
            self.check("melting_front", aluminium, off, [0.5, 1, 3, 6], balance=1e-6,
                       settings=[f"time.integrator={integrator}", "time.dt=1e-2", "output.diagnostics.steps=50"])

    def test_tealeaf(self):
        """The sum over all cells of u, density and volume, on the grids of tea_bm_1 and tea_bm_2."""
        text = (FOLDER / "tealeaf_bm_2.yaml").read_text()
        for cells, known in ((10, 157.55084183279294), (250, 106.27221178646569)):
            config = self.work / f"tealeaf_{cells}.yaml"
            config.write_text(text.replace("[250, 250]", f"[{cells}, {cells}]").replace("/0.04 -", f"/{10 / cells} -"))
            folder = self.work / f"tealeaf_{cells}"
            code, output = launch(["run", str(config), "--set", f"output.directory={folder}"], 1, self.work)
            self.assertEqual(code, 0, output)
            results = Results(folder, output)
            centres = (np.arange(cells) + 0.5) * 10 / cells
            y, x = np.meshgrid(centres, centres, indexing="ij")
            bend = (x < 6) & (y > 1) & (y < 2) | (x > 5) & (x < 6) & (y > 1) & (y < 8) | (x > 5) & (y > 7) & (y < 8)
            found = (results.temperature() * np.where(bend, 0.1, 100)).sum() * (10 / cells) ** 2
            solve = results.report()["solve"]
            print(f"TeaLeaf, {cells} x {cells}: {found:.12f}, off by {abs(found / known - 1):.1e}; {solve['iterations'] / solve['solves']} iterations a step")
            self.assertAlmostEqual(found / known, 1, delta=1e-9)
            self.assertLessEqual(solve["iterations"], 10 * solve["solves"])

    def test_melting_front(self):
        known = {"at_5_mm": [684.84, 664.63, 631.31, 616.46], "at_10_mm": [726.63, 707.18, 672.58, 651.86]}
        # a step of 1e-4 s stores 4e-7 of the heat content, whose temperatures are rounded
        self.check("melting_front", known, 0.2, [0.5, 1, 3, 6], balance=1e-9)
