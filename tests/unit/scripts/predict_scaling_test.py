#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scripts/predict_scaling.py: its model on made-up machines that obey it, its output on measured and made-up studies, and what it
refuses."""
import dataclasses
import itertools
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["HALOTHERM_SOURCE_DIR"])
SCRIPT = SOURCE / "scripts" / "predict_scaling.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPT.parent))
from grid_partition import Partition  # noqa: E402: the path has to be set first
from predict_scaling import Study  # noqa: E402: the path has to be set first
from scaling_model import Link, Load, Model, Row, fit  # noqa: E402

MACHINE = Model(launches=4e-6, cell=4e-12, shell=20e-12, packing=1e-12, link=Link(10e-6, 200e9), seen=0.1, hiding=1.0)


def measured(machine, ranks):
    """What a study would measure of 512³ cells in slabs, on GPUs that copy at 4 TB/s."""
    received = 2.0 * 512 * 512 if ranks > 1 else 0.0
    load = Load(512.0**3 / ranks, received, 8 * received)
    step = machine.step(load, None)
    row = Row(ranks, load, step.total, step.work, machine.launches, 4e12, own_memory=False)
    if ranks > 1:
        row.exchange, row.latency = step.exchange, machine.link.latency
        row.messages = row.latency + load.near_bytes / machine.link.bandwidth
    return row


def fitted(machine, counts):
    rows = [measured(machine, ranks) for ranks in counts]
    return rows, fit(rows, None)


class ModelTest(unittest.TestCase):
    def assert_close(self, value, expected, share=1e-6):
        self.assertAlmostEqual(value, expected, delta=share * abs(expected))

    def test_the_machine_is_found_again(self):
        _, found = fitted(MACHINE, (1, 2, 4))
        for name in ("launches", "cell", "shell", "packing", "seen", "hiding"):
            self.assert_close(getattr(found, name), getattr(MACHINE, name))
        self.assert_close(found.link.latency, 10e-6)
        self.assert_close(found.link.bandwidth, 200e9)
        for ranks in (4, 8, 64):
            row = measured(MACHINE, ranks)
            self.assert_close(found.step(row.load, None).total, row.step)

    def test_shared_memory_slows_the_cells(self):
        rows, _ = fitted(MACHINE, (1, 2))
        rows[1].copy_rate /= 2
        slower = rows[1].load.cells * MACHINE.cell
        rows[1] = dataclasses.replace(rows[1], computation=rows[1].computation + slower, step=rows[1].step + slower)
        found = fit(rows, None)
        self.assert_close(found.cell, 2 * MACHINE.cell)
        self.assert_close(found.shell, MACHINE.shell)
        for row in rows:
            self.assert_close(found.again(row, rows[0]), row.step)
            row.own_memory = True
        self.assert_close(fit(rows, None).cell, MACHINE.cell)

    def test_an_exchange_longer_than_the_work(self):
        rows, found = fitted(dataclasses.replace(MACHINE, link=Link(1e-3, 1e9), hiding=0.5), (1, 2, 4))
        self.assertGreater(rows[1].exchange, rows[1].computation)
        self.assert_close(found.hiding, 0.5)
        step = found.step(rows[1].load, None)
        self.assert_close(step.total, rows[1].step)
        self.assertEqual(step.largest_loss(), "link bandwidth")

    def test_more_is_exposed_than_the_exchange_takes(self):
        rows, found = fitted(dataclasses.replace(MACHINE, seen=1.5), (1, 2))
        self.assert_close(found.seen, 1.5)
        self.assert_close(found.again(rows[1], rows[0]), rows[1].step)

    def test_one_rank_shows_its_work_only(self):
        _, found = fitted(MACHINE, (1,))
        self.assert_close(found.cell, MACHINE.cell)
        self.assertEqual(found.shell, 0)
        self.assert_close(found.packing, 1e-12)  # two copies of a byte, each read and written

    def test_the_slower_link_counts(self):
        load = Load(1e6, 4e4, 1e6, 1e5)
        fast = MACHINE.step(load, Link(1e-6, 100e9))
        self.assertEqual((fast.latency, fast.transfer), (10e-6, 1e6 / 200e9))
        slow = MACHINE.step(load, Link(100e-6, 2e9))
        self.assertEqual((slow.latency, slow.transfer, slow.largest_loss()), (100e-6, 1e5 / 2e9, "latency"))
        self.assertEqual(MACHINE.step(Load(1e6, 4e4, 0, 1e5), None).transfer, 1e5 / 200e9)

    def test_work_hides_a_slower_link(self):
        # 404 us of work; over the measured link the exchange takes 16 us, of which 1.6 are exposed
        load = Load(1e8, 0, 0, 1e6)
        for far, exposed in ((None, 1.6e-6), (Link(300e-6, 200e9), 1.6e-6), (Link(1e-6, 400e9), 0.1 * 4.5e-6),
                             (Link(1e-3, 200e9), 1.6e-6 + 990e-6 - (404e-6 - 14.4e-6))):
            self.assertAlmostEqual(MACHINE.step(load, far).exposed, exposed, delta=1e-9)

    def test_of_messages_that_wait_for_an_answer_the_request_is_hidden(self):
        load = Load(cells=1e8, far_bytes=1e6, far_message=1e6)
        usual = MACHINE.step(load, None)
        self.assertEqual(MACHINE.step(load, Link(100e-6, 20e9, 1e6)).exposed, usual.exposed)
        answered = MACHINE.step(load, Link(100e-6, 20e9, 999999))
        self.assert_close(answered.latency, 300e-6)
        self.assert_close(answered.exposed, usual.exposed + answered.exchange - usual.exchange - 100e-6)

    def test_deep_ghost_layers_help_against_latency_only(self):
        small = Load(32.0**3, 6.0 * 32**2, 8 * 6.0 * 32**2)
        slow = dataclasses.replace(MACHINE, link=Link(1e-3, 200e9))
        self.assertLess(slow.time_with_depth(small, None, 2), 0.7 * slow.step(small, None).total)
        fast, large = dataclasses.replace(MACHINE, link=Link(1e-6, 1e12), shell=0.0), Load(1e8, 6e5, 5e6)
        self.assertGreater(fast.time_with_depth(large, None, 2), 0.999 * fast.step(large, None).total)
        self.assert_close(fast.time_with_depth(large, None, 1), fast.step(large, None).total, 1e-12)


def value(center):
    return {"median": center, "low": 0.99 * center, "high": 1.01 * center, "samples": [center, 1.01 * center]}


def made_up_row(ranks, cells):
    """1 GCells/s, and if there is a neighbour an exchange of 14 us and 32768 bytes, of which nothing is exposed."""
    alone = ranks == 1
    return {"ranks": ranks, "cells_per_rank": cells, "step_s": value(1e-9 * cells), "computation_s": value(1e-9 * cells),
            "launches_s": 1e-7, "copy_bytes_per_s": value(10e9 * ranks),
            "exchange": {"messages_per_step": 0 if alone else 2, "received_over_owned_cells": 0 if alone else 64 * 64 / cells,
                         "bytes_of_busiest_rank": 0 if alone else 32768, "messages_s": 0 if alone else 13.2768e-6,
                         "latency_s": 0 if alone else 10e-6, "alone_s": value(1e-9 if alone else 14e-6)}}


def made_up(kind="strong", cells_on_two=64**3 / 2):
    return {"program": {"name": "halotherm"}, "kind": kind, "device": "a device", "own_memory": True,
            "places": [{"host": host} for host in "aabb"], "results": [made_up_row(1, 64**3), made_up_row(2, cells_on_two)],
            "config": "grid:\n  cells: [64, 64, 64]\n  precision: float64\nparallel:\n  ranks: auto\n  halo: 1\n"}


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.study, self.json = (pathlib.Path(folder.name) / name for name in ("study.json", "out.json"))

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True, check=False)

    def predict(self, study, *arguments):
        self.study.write_text(json.dumps(study), encoding="utf-8")
        done = self.run_script(self.study, *arguments, "--json", self.json)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout, json.loads(self.json.read_text(encoding="utf-8"))

    def assert_refused(self, text, study, *arguments):
        self.study.write_text(study if isinstance(study, str) else json.dumps(study), encoding="utf-8")
        done = self.run_script(self.study, *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(text, done.stderr)

    def test_measured_studies(self):
        for kind, study, *options in (("strong", "128", "--nodes", "1,6,64", "--ranks-per-node", "8", "--link", "20e-6,25e9"),
                                      ("weak", "512", "--nodes", "1,4,64,3000", "--link", "2e-6,25e9,65536")):
            expected = (SOURCE / "tests" / "data" / "scaling" / f"predicted_{kind}.txt").read_text(encoding="utf-8")
            done = self.run_script(SOURCE / "docs" / "data" / f"scale_{kind}_{study}_h200x4.json", *options)
            self.assertEqual((done.stdout, done.stderr, done.returncode), (expected, "", 0))

    def test_the_grid_is_partitioned_as_the_program_did(self):
        files = sorted((SOURCE / "docs" / "data").glob("scale_*.json"))
        self.assertGreater(len(files), 10)
        for file in files:
            content = json.loads(file.read_text(encoding="utf-8"))
            study = Study(content)
            for row in content["results"]:
                grid = study.partition(row["ranks"])
                self.assertEqual((list(grid.blocks), list(grid.cells)), (row["blocks"], row["cells"]))
                load = study.load(grid, row["ranks"])
                self.assertEqual((load.cells, load.near_bytes, load.received / load.cells),
                                 (row["cells_per_rank"], row["exchange"]["bytes_of_busiest_rank"],
                                  row["exchange"]["received_over_owned_cells"]))

    def test_kinds_of_blocks_have_the_loads_of_all_blocks(self):
        """Against every message of every block."""
        found = 0
        study = Study(made_up())
        for blocks in ((1, 1, 1), (2, 1, 4), (3, 2, 2), (4, 4, 2), (1, 6, 5)):
            for periodic in ((False, False, False), (True, False, True), (True, True, True)):
                grid = Partition((23, 24, 25), periodic, blocks)
                for per_node, halo, study.compact in itertools.product((1, 2, 3, 4, 6, 8), (1, 2), (False, True)):
                    if math.prod(blocks) % per_node or not (box := grid.node_box(per_node, study.compact)):
                        continue
                    found += 1
                    study.halo = halo
                    self.assertEqual(grid.largest_loads(halo, box), study.loads_one_by_one(grid, per_node), (blocks, periodic, box))
        self.assertGreater(found, 100)

    def test_a_million_ranks_take_no_longer_than_a_few(self):
        _, out = self.predict(made_up("weak", 64**3), "--nodes", "524288,8388608")
        self.assertEqual([row["ranks"] for row in out["predictions"]], [1 << 20, 1 << 24])
        self.assertEqual(out["predictions"][0]["bytes_between_nodes"], 8 * 5 * 64 * 64)

    def test_a_strong_study(self):
        _, out = self.predict(made_up(), "--nodes", "2,1")
        self.assertEqual((out["ranks_per_node"], [row["nodes"] for row in out["predictions"]]), (2, [1, 2]))
        for error in out["errors"]:
            self.assertAlmostEqual(error["predicted_s"], error["measured_s"], delta=1e-3 * error["measured_s"])
        row = out["predictions"][1]
        self.assertEqual((row["ranks"], row["blocks"], row["cells_per_rank"]), (4, [1, 2, 2], 64 * 32 * 32))
        self.assertEqual((row["bytes_within_node"], row["bytes_between_nodes"]), (8 * 64 * 32, 8 * 64 * 32))
        self.assertAlmostEqual(row["efficiency"], 1, delta=2e-3)

    def test_strong_scaling_ends_where_the_link_is_slow(self):
        text, out = self.predict(made_up(), "--nodes", "64", "--link", "1e-3,1e9")
        self.assertIn("strong scaling ends at", text)
        row = out["predictions"][0]
        self.assertGreater(row["exposed_s"], 0.9e-3)
        self.assertEqual(row["largest_loss"], "latency")
        self.assertGreater(row["best_halo_depth"], 1)
        self.assertGreater(len(out["scan"]), 10)

    def test_weak_studies_grow(self):
        _, out = self.predict(made_up("weak", 64**3), "--nodes", "1,4000")
        row = out["predictions"][1]
        self.assertEqual((row["ranks"], row["cells_per_rank"]), (8000, 64**3))
        self.assertGreaterEqual(row["bytes_within_node"] + row["bytes_between_nodes"], 8 * 6 * 64 * 64)
        self.assertAlmostEqual(row["efficiency"], 1, delta=0.02)

    def test_mistakes_are_named(self):
        self.assert_refused("is no result of `halotherm scale`", "no JSON", "--nodes", "4")
        self.assert_refused("is no result of `halotherm scale` (it lacks", {}, "--nodes", "4")
        bad = made_up()
        bad["results"][1]["step_s"]["median"] = 0
        self.assert_refused("'median' must be a positive number, and is 0", bad, "--nodes", "4")
        self.assert_refused("'odd'", made_up("odd"), "--nodes", "4")
        self.assert_refused("it has no results", {**made_up(), "results": []}, "--nodes", "4")
        self.assert_refused("at most 16777216 ranks", made_up(), "--nodes", "10000000")
        self.assert_refused("cannot partition 64 x 64 x 64 cells into 131042 blocks", made_up(), "--nodes", "65521")
        alone = made_up()
        alone["results"].pop()
        self.assert_refused("give --link", alone, "--nodes", "4")
        _, out = self.predict(alone, "--nodes", "4", "--link", "1e-6,1e9")
        self.assertGreater(out["predictions"][0]["exchange_s"], 0)
        self.assertEqual(out["model"]["hiding_share_of_work"], 1)
        self.assertEqual(out["element_bytes"], 8)
        for option, text in (("--nodes", "0"), ("--nodes", "4,4"), ("--nodes", "4,x"), ("--ranks-per-node", "4097"),
                             ("--link", "1"), ("--link", "1,0"), ("--link", "1,x"), ("--link", "1,2,3,4")):
            self.assert_refused(f"argument {option}: '{text}' must be", made_up(), "--nodes", "4", option, text)

    def test_files_that_cannot_be_used(self):
        done = self.run_script(self.study, "--nodes", "4")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot read", done.stderr)
        self.study.write_text(json.dumps(made_up()), encoding="utf-8")
        done = self.run_script(self.study, "--nodes", "4", "--json", self.study / "out.json")
        self.assertEqual(done.returncode, 4)
        self.assertIn("cannot write", done.stderr)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
