# SPDX-License-Identifier: MIT
"""The same bits for every number of ranks, cut, overlap, transport and width of ghosts."""
import itertools
import os
import shutil
import subprocess
import unittest

from bits import CUTS, BitsCase, problem, same_bits

# Every transport that the MPI library allows here; a GPU without GPU-aware MPI has no "device".
TRANSPORTS = os.environ.get("HALOTHERM_TRANSPORTS", "device staged rma").split()


class RankCounts(BitsCase):
    dimensions = 0

    def compare_all(self, precision):
        reference = self.run_program(problem(self.dimensions, precision), arguments=["--set", "parallel.overlap=false"])
        count = 0
        for ranks, cuts in CUTS[self.dimensions].items():
            for cut in cuts:
                with self.subTest(ranks=ranks, cut=cut, precision=precision):
                    results = self.run_program(problem(self.dimensions, precision, parallel={"ranks": cut or "auto"}), ranks)
                    self.assert_same(results, reference, f"{ranks} ranks, cut {cut or 'auto'}")
                    count += 1
                    self.forget(results)
        print(f"{self.dimensions}-D, {precision}: {count} cuts of 1, 2, 3, 4, 8 ranks give the same field and diagnostics")

    def test_float64(self):
        self.compare_all("float64")

    def test_float32(self):
        self.compare_all("float32")


class OneDimension(RankCounts):
    dimensions = 1


class TwoDimensions(RankCounts):
    dimensions = 2


class ThreeDimensions(RankCounts):
    dimensions = 3


class UnevenBlocks(BitsCase):
    """Where the planes between blocks lie is not seen in the result, nor whether they were measured, nor in a restart."""
    CUTS = ((2, [[], [], [1]]), (2, [[20], [], []]), (3, [[], [2, 21], []]), (3, [[3, 5], [], []]), (4, [[11], [17], []]),
            (4, [[], [], [1, 2, 14]]))

    def compare_all(self, precision):
        reference = self.run_program(problem(3, precision))
        for ranks, cuts in self.CUTS:
            with self.subTest(cuts=cuts, precision=precision):
                results = self.run_program(problem(3, precision, parallel={"split_points": cuts}), ranks)
                self.assert_same(results, reference, f"cuts {cuts}")
                report = results.report()
                self.assertEqual(report["blocks"], [len(axis) + 1 for axis in cuts])
                self.assertEqual([report["split_points"][axis][1:-1] for axis in "xyz"], cuts)
                self.forget(results)
        for ranks in (2, 3, 4):
            with self.subTest(measured=ranks, precision=precision):
                results = self.run_program(problem(3, precision, parallel={"balance": "measured"}), ranks)
                self.assert_same(results, reference, f"measured on {ranks} ranks")
                self.assertEqual(len(results.report()["balance"]["cells_per_s"]), ranks)
        print(f"{precision}: {len(self.CUTS)} uneven cuts and measured ones give the same field and diagnostics")

    def test_float64(self):
        self.compare_all("float64")

    def test_float32(self):
        self.compare_all("float32")

    def test_restarts_from_one_cut_to_another(self):
        whole, folder = self.run_program(problem(3)), self.work / "chain"
        cuts = [(ranks, {"split_points": cut}) for ranks, cut in self.CUTS] + [(3, {"balance": "measured"}), (4, {})]
        for leg, (ranks, parallel) in enumerate(cuts):
            last = leg + 1 == len(cuts)
            config = problem(3, time={"steps": 21 if last else 2 * (leg + 1)}, parallel=parallel)
            results = self.run_program(config, ranks, folder, ["--restart", "latest"] if leg else [])
        self.assert_same(results, whole, "a chain of restarts from cut to cut")

    def test_blocks_as_thin_as_the_halo(self):
        reference = self.run_program(problem(3))
        for halo in (2, 3):
            results = self.run_program(problem(3, parallel={"split_points": [[halo], [], [14 - halo, 14]], "halo": halo}), 6)
            self.assert_same(results, reference, f"halo {halo}")
        refused = self.run_program(problem(3, parallel={"split_points": [[2], [], []], "halo": 3}), 2, expect=2)
        self.assertIn("thinner than the 3 ghost cells", refused.output)


class Exchange(BitsCase):
    """How ghosts travel is not seen in the result."""

    def test_overlap_transport_and_halo(self):
        reference = self.run_program(problem(3))
        ranks_and_cuts = itertools.cycle([(4, "auto"), (3, "auto"), (2, [2, 1, 1]), (4, [1, 4, 1]), (8, [2, 2, 2])])
        for overlap, transport, halo in itertools.product((True, False), TRANSPORTS, (1, 2, 3)):
            ranks, cut = next(ranks_and_cuts)
            parallel = {"overlap": overlap, "transport": transport, "halo": halo, "ranks": cut}
            with self.subTest(**parallel):
                results = self.run_program(problem(3, parallel=parallel), ranks)
                self.assert_same(results, reference, f"{ranks} ranks, {parallel}")
                self.forget(results)
        print(f"overlap on and off, transports {', '.join(TRANSPORTS)}, halo 1, 2, 3: the same field and diagnostics")

    def test_smallest_blocks(self):
        """Blocks as wide as the halo, where all cells are shell, and blocks that are their own periodic neighbours."""
        grid = {"cells": [6, 6, 6]}
        reference = self.run_program(problem(3, grid=grid))
        for ranks, cut, halo in ((8, [2, 2, 2], 3), (3, [1, 3, 1], 2), (6, [6, 1, 1], 1), (6, [1, 6, 1], 1)):
            with self.subTest(cut=cut, halo=halo):
                results = self.run_program(problem(3, grid=grid, parallel={"ranks": cut, "halo": halo}), ranks)
                self.assert_same(results, reference, f"cut {cut}, halo {halo}")

    def test_integrators(self):
        """Every stage of rk2 and rkl2 exchanges ghosts; the last one writes over the temperature, and the step before the end is shorter."""
        for integrator, precision in (("rk2", "float64"), ("rkl2", "float64"), ("rkl2", "float32")):
            time = {"integrator": integrator, "steps": 8} | ({"stages": 7} if integrator == "rkl2" else {})
            reference = self.run_program(problem(3, precision, time=time))
            report = reference.report()
            self.assertEqual(report["stages_per_step"], {"rk2": 2, "rkl2": 7}[integrator])
            overlaps = itertools.cycle((True, False))
            for (ranks, cut), transport, halo in zip(((2, [2, 1, 1]), (3, [1, 3, 1]), (4, "auto"), (8, [2, 2, 2])),
                                                     itertools.cycle(TRANSPORTS), (1, 2, 1, 3)):
                parallel = {"overlap": next(overlaps), "transport": transport, "halo": halo, "ranks": cut}
                with self.subTest(integrator=integrator, precision=precision, **parallel):
                    results = self.run_program(problem(3, precision, time=time, parallel=parallel), ranks)
                    self.assert_same(results, reference, f"{integrator}, {ranks} ranks, {parallel}")
                    self.forget(results)
            print(f"{integrator}, {precision}: four cuts and exchanges give the same field and diagnostics")

    def test_tolerance(self):
        """Steps whose length follows from their errors, some of which are taken again."""
        for integrator, precision, tolerance in (("rkl2", "float64", 0.3), ("rkl2", "float32", 0.3), ("rk2", "float64", 0.3)):
            time = {"integrator": integrator, "steps": 25, "tolerance": tolerance}
            reference = self.run_program(problem(3, precision, time=time))
            adaptive = reference.report()["adaptive"]
            self.assertGreater(adaptive["rejected_steps"], 0)
            self.assertGreater(adaptive["largest_dt_s"], 1.5 * adaptive["smallest_dt_s"])
            for (ranks, cut), transport, halo in zip(((2, [2, 1, 1]), (3, [1, 3, 1]), (4, "auto"), (8, [2, 2, 2])),
                                                     itertools.cycle(TRANSPORTS), (1, 2, 1, 3)):
                parallel = {"transport": transport, "halo": halo, "ranks": cut}
                with self.subTest(integrator=integrator, precision=precision, **parallel):
                    results = self.run_program(problem(3, precision, time=time, parallel=parallel), ranks)
                    self.assert_same(results, reference, f"{integrator}, {ranks} ranks, {parallel}")
                    self.assertEqual(results.report()["adaptive"], adaptive)
                    self.forget(results)
            print(f"{integrator}, {precision}, {tolerance} K: four cuts and exchanges give the same field and diagnostics; {adaptive}")

    @unittest.skipUnless(shutil.which("h5diff"), "h5diff is not installed")
    def test_h5diff_agrees(self):
        one, three = self.run_program(problem(3)), self.run_program(problem(3), ranks=3)
        done = subprocess.run(["h5diff", "-v", one.checkpoints()[-1], three.checkpoints()[-1], "/T"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("0 differences found", done.stdout)


class Cuts(BitsCase):
    CUTS = ((2, {"ranks": [1, 1, 2]}), (3, {"ranks": [3, 1, 1], "halo": 2}), (8, {"ranks": [2, 2, 2]}), (3, {"split_points": [[], [2, 9], []]}))

    turn = 0

    def compare_cuts(self, config):
        """By two of the cuts, in turn."""
        reference = self.run_program(config)
        self.turn += 1
        for ranks, parallel in (self.CUTS[(self.turn + n) % len(self.CUTS)] for n in (0, 1)):
            with self.subTest(parallel=parallel):
                self.assert_same(self.run_program(config | {"parallel": parallel}, ranks), reference, str(parallel))
        return reference


class Regions(Cuts):
    """Materials and sources by regions, one of which changes with time and one of which is on some ranks alone."""

    def test_cuts(self):
        config = problem(3) | {"regions": [
            {"material": "solid"},
            {"material": "other", "cylinder": {"axis": "y", "center": [0.4, 0, 0.2], "radius": 0.3}},
            {"layer": {"axis": "z", "from": 0.1, "to": 0.4}, "source": "500*(1 + sin(50*t))*x"},
            {"material": "other", "box": {"lower": [-0.3, -0.3, -0.3], "upper": [0, 0, 0]}, "power": 30}]}
        config["materials"]["other"] = {"conductivity": [2, 1, "3 + x"], "density": 1, "heat_capacity": 2}
        self.compare_cuts(config)

    def test_properties_of_the_temperature(self):
        """Tables, melting and sides of all kinds, by all integrators and precisions; restarted by other ranks after a part of the steps."""
        for precision, time in (("float64", {"steps": 12}), ("float32", {"steps": 12}), ("float64", {"steps": 6, "integrator": "rk2"}),
                                ("float64", {"steps": 4, "integrator": "rkl2", "stages": 5})):
            config = problem(3, precision, time=time)
            config["materials"] = {
                "wax": {"conductivity": {"table": {250: 1, 300: 3, 350: 2}}, "density": 2, "heat_capacity": 0.5, "latent_heat": 3,
                        "melting": [310, 312], "conductivity_factor": "1 + 0.4*sin(200*t)"},
                "metal": {"conductivity": ["4 + (T - 300)^2/1e4", 5, {"table": {300: 6, 400: 4}}], "density": 1, "heat_capacity": "1 + T/1000",
                          "temperatures": [200, 450]}}
            config["regions"] = [{"material": "wax"},
                                 {"material": "metal", "cylinder": {"axis": "y", "center": [0.4, 0, 0.2], "radius": 0.3}, "source": "500*(1 + t)*x"}]
            reference = self.compare_cuts(config)
            half = {**config, "time": {**time, "steps": time["steps"] // 2}}
            first = self.run_program(half, 3)
            again = self.run_program(config, 2, first.folder, ["--restart", "latest"])
            self.assertTrue(same_bits(again.temperature(), reference.temperature()), "restarted")
            melting = reference.temperature()
            self.assertTrue(((melting > 310) & (melting < 312)).any(), "nothing melts")


class MovingSources(Cuts):
    def test_media_and_integrators(self):
        """A product of factors along the axes, a sum, and one in a region over which flux from void cells flows; in media of all kinds, by
        all integrators and precisions, restarted by other ranks after a part of the steps."""
        product, total = "900*exp(-((x - 40*t)^2 + (y - 0.2)^2)/0.1 - (z + 0.3)/0.2)", "900*exp(-(x - 40*t)^2/0.1) + 300*y*z"
        table = {"conductivity": {"table": {250: 1, 350: 2}}, "density": 2, "heat_capacity": 0.5}
        uneven = {"z": {"layers": [[0.3, 5], [0.7, 12]], "lower": -0.3}} | {x: {"cells": n, "lower": -0.3, "upper": u} for x, n, u in
                                                                         (("x", 29, 1.1), ("y", 23, 0.8))}
        hole = [{"material": "solid"}, {"material": "void", "sphere": {"center": [0.4, 0.3, 0.2], "radius": 0.2}},
                {"box": {"lower": [-0.3, -0.3, -0.3], "upper": [0.5, 0.5, 0.5]}, "source": total}]
        flux = {"sides": problem(3)["sides"] | {"void": {"flux": 30}}}
        for change in ({"regions": [{"source": product}]}, {"regions": [{"source": total}]}, {"regions": hole} | flux,
                       {"regions": [{"source": product}], "grid": uneven}, {"regions": [{"source": total}], "materials": {"solid": table}},
                       {"regions": [{"source": product}], "materials": {"solid": table}, "time": {"steps": 4, "integrator": "rkl2", "stages": 5}},
                       {"regions": [{"source": product}], "time": {"steps": 6, "integrator": "rk2"}},
                       {"regions": [{"source": total}], "grid": problem(3, "float32")["grid"]}):
            config = problem(3, time={"steps": 8}) | change
            steps = config["time"]["steps"]
            reference = self.compare_cuts(config)
            first = self.run_program({**config, "time": {**config["time"], "steps": steps // 2}}, 3)
            again = self.run_program(config, 2, first.folder, ["--restart", "latest"])
            self.assertTrue(same_bits(again.temperature(), reference.temperature()), "restarted")


class TemperatureSources(Cuts):
    def test_media_and_integrators(self):
        """Sources that depend on the temperature, everywhere and in a region over which flux from void cells flows; restarted by other ranks."""
        everywhere, total = "300*sin(40*t) - 20*(T - 310)", "400*(1 + 0.004*(T - 300)) - 30*y*T*exp(-x^2)"
        table = {"conductivity": {"table": {250: 1, 350: 2}}, "density": 2, "heat_capacity": 0.5}
        hole = [{"material": "solid", "source": 50}, {"material": "void", "sphere": {"center": [0.4, 0.3, 0.2], "radius": 0.2}},
                {"box": {"lower": [-0.3, -0.3, -0.3], "upper": [0.5, 0.5, 0.5]}, "source": total}]
        flux = {"sides": problem(3)["sides"] | {"void": {"flux": 30}}}
        for change in ({"regions": [{"source": everywhere}]}, {"regions": hole} | flux, {"regions": [{"source": total}], "materials": {"solid": table}},
                       {"regions": [{"source": total}], "time": {"steps": 4, "integrator": "rkl2", "stages": 5}},
                       {"regions": [{"source": everywhere}], "time": {"steps": 8, "integrator": "rkl2", "tolerance": 0.3}},
                       {"regions": hole, "time": {"steps": 4, "integrator": "tr-bdf2", "dt": 0.01}} | flux,
                       {"regions": [{"source": total}], "materials": {"solid": table}, "time": {"steps": 2, "integrator": "crank-nicolson", "dt": 0.01}},
                       {"regions": [{"source": total}], "grid": problem(3, "float32")["grid"]}):
            config = problem(3, time={"steps": 8}) | change
            steps = config["time"]["steps"]
            reference = self.compare_cuts(config)
            first = self.run_program({**config, "time": {**config["time"], "steps": steps // 2}}, 3)
            again = self.run_program(config, 2, first.folder, ["--restart", "latest"])
            self.assertTrue(same_bits(again.temperature(), reference.temperature()), "restarted")

    def test_a_value_that_is_not_finite(self):
        """The cell and the time of the first one, on any number of ranks."""
        config = problem(2, time={"steps": 30})
        config["regions"] = [{"source": "1/(T > 315 && t > 0 ? 0 : 1)"}]
        texts = {self.run_program(config, ranks, expect=3).output.split("regions[0].source", 1)[1].split(" [rank")[0].split("\n")[0] for ranks in (1, 3)}
        self.assertEqual(len(texts), 1, texts)
        at_start = problem(2)
        at_start["regions"] = [{"source": "sqrt(T - 300)", "temperatures": [200, 400]}]
        self.assertIn("regions[0].source: the value", self.run_program(at_start, 2, expect=2).output)


del RankCounts
