# SPDX-License-Identifier: MIT
"""`run --dry-run --ranks N` on one process says of N ranks what a run on N ranks reports of itself."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from halotherm_runner import Case, launch

SCRIPT = Path(__file__).parents[2] / "scripts" / "predict_scaling.py"
COPPER = {"conductivity": 401, "density": 8960, "heat_capacity": 385}


def problem(cells, **sections):
    config = {"grid": {"cells": cells, "upper": [1] * len(cells)}, "materials": {"copper": COPPER},
              "initial": {"temperature": 300}, "sides": {"x-": {"temperature": 400}}, "time": {"steps": 23},
              "output": {"checkpoint": {"steps": 7}, "fields": {"steps": 10}}}
    return config | sections


# what decides partition, memory, messages or files differs from one to the other
PROBLEMS = {
    "euler": (8, problem([65, 62, 67])),
    "rk2": (4, problem([1], grid={"x": {"layers": [[0.2, 20], [0.8, 20]]}, "y": {"cells": 16, "upper": 1}, "z": {"cells": 17, "upper": 1}},
                       time={"end": 100, "integrator": "rk2"}, sides={"y": "periodic"}, parallel={"halo": 2},
                       materials={"copper": COPPER | {"conductivity": "401 + x"}},
                       output={"checkpoint": {"every": 30}, "fields": {"every": 40}})),
    "implicit": (2, problem([1], grid={"cells": [48, 40], "upper": [1, 1], "precision": "float32"},
                            time={"integrator": "tr-bdf2", "dt": 10, "end": 55}, output={"fields": {"every": 50}})),
    "steady": (2, problem([24, 20, 22], time={"integrator": "steady"}, materials={"copper": COPPER, "foam": COPPER | {"conductivity": 0.1}},
                          regions=[{"material": "copper"},
                                   {"material": "foam", "box": {"lower": [0, 0, 0], "upper": [0.5, 0.5, 0.5]}, "power": 10}]))}


class Allocations(Case):
    def ask(self, config, *arguments, expect=0, ranks=1):
        file = self.work / "problem.yaml"
        file.write_text(json.dumps(config), encoding="utf-8")
        code, text = launch(["run", "--dry-run", str(file), *map(str, arguments)], ranks, self.work)
        self.assertEqual(code, expect, text)
        return text

    def allocation(self, config, ranks, of_node, *arguments):
        """What it prints, and the JSON."""
        target = self.work / "allocation.json"
        text = self.ask(config, "--ranks", ranks, "--ranks-per-node", of_node, "--json", target, *arguments)
        return text, json.loads(target.read_text(encoding="utf-8"))

    def test_a_run_reports_the_same_of_itself(self):
        for name, (ranks, config) in PROBLEMS.items():
            with self.subTest(name):
                told, numbers = self.allocation(config, ranks, ranks)
                run = self.run_program(config, ranks)
                report = run.report()
                for key in ("cells", "blocks", "imbalance", "dt_s", "stages_per_step", "steps"):
                    self.assertEqual(numbers[key], report[key], key)
                for key in ("messages_per_step", "bytes_per_step", "bytes_between_nodes"):
                    self.assertEqual(numbers["exchange"][key], report["exchange"][key], key)
                for kind in ("checkpoints", "fields"):
                    files, each = report[kind]["files"], numbers[kind]["bytes_each"]
                    self.assertEqual(numbers[kind]["files"], files, kind)
                    self.assertLessEqual(abs(report[kind]["bytes"] - files * each), files * 16384, kind)
                for line in ("grid", "blocks", "memory", "exchange", "checkpoint"):  # of the log, before the first step
                    line = re.search(rf"^{line} .*$", run.output, re.MULTILINE)[0]
                    self.assertIn(line + "\n", told)

    def test_ten_trillion_cells_take_seconds(self):
        config = problem([21544] * 3)
        for ranks, of_node, blocks in ((8192, 4, [16, 16, 32]), (131072, 8, [32, 64, 64])):
            text, numbers = self.allocation(config, ranks, of_node, "--gpu-memory", "80GB")
            self.assertEqual(numbers["blocks"], blocks)
            self.assertEqual(numbers["nodes"], ranks // of_node)
            faces = sum((n - 1) * 21544 ** 2 for n in blocks)
            self.assertEqual(numbers["exchange"]["bytes_per_step"], 2 * 8 * faces)
            self.assertLess(numbers["exchange"]["bytes_between_nodes"], 0.62 * 2 * 8 * faces)
            self.assertEqual(numbers["exchange"]["busiest_rank"]["messages_per_step"], 6)
            self.assertEqual(numbers["checkpoints"]["files"], 4)
            self.assertTrue(numbers["memory"]["gpu"]["fits"])
            self.assertIn("not known (measure it", text)

    def test_memory_that_does_not_suffice_ends_with_2(self):
        config = problem([4096] * 3)
        for option, size, word in (("--gpu-memory", "1GB", "a rank's GPU needs"), ("--node-memory", "8GiB", "a node needs")):
            text = self.ask(config, "--ranks", 64, "--ranks-per-node", 4, option, size, expect=2)
            self.assertIn("does not fit: ", text)
            self.assertIn(word, text)

    def test_what_is_not_evaluated_is_told(self):
        _, regions = PROBLEMS["steady"]
        self.assertIn("\nnot counted    volumes", self.ask(regions, "--ranks", 4, "--ranks-per-node", 3))
        automatic = problem([65, 62, 67], time={"integrator": "auto", "tolerance": 1, "end": 10})
        text, numbers = self.allocation(automatic, 4, 2)
        self.assertIn("\nnot evaluated  steps and files: time.integrator: auto", text)
        self.assertIsNone(numbers["steps"])
        tr_bdf2 = problem([65, 62, 67], time={"integrator": "tr-bdf2", "dt": 1, "end": 10})
        self.assertEqual(numbers["memory"], self.allocation(tr_bdf2, 4, 2)[1]["memory"], "the method that takes the most")

    def test_a_model_predicts_the_time_as_its_script_does(self):
        cells = 64 ** 3

        def value(center):
            return {"median": center, "low": center, "high": center, "samples": [center]}

        def row(ranks):
            alone, own = ranks == 1, cells / ranks
            exchange = {"messages_per_step": 0 if alone else 2, "received_over_owned_cells": 64 * 64 / own, "bytes_of_busiest_rank": 32768,
                        "messages_s": 13e-6, "latency_s": 1e-5, "alone_s": value(14e-6)}
            return {"ranks": ranks, "cells_per_rank": own, "step_s": value(1.02e-9 * own + 5e-6), "computation_s": value(1e-9 * own),
                    "launches_s": 1e-6, "copy_bytes_per_s": value(10e9 * ranks), "exchange": exchange}

        study = {"program": {"name": "halotherm"}, "kind": "strong", "device": "a device", "own_memory": True,
                 "places": [{"host": host} for host in "aabb"], "results": [row(1), row(2), row(4)],
                 "config": "grid:\n  cells: [64, 64, 64]\n  precision: float64\nparallel:\n  ranks: auto\n  halo: 1\n"}
        (self.work / "study.json").write_text(json.dumps(study), encoding="utf-8")
        for nodes, link in ((1, []), (8, []), (8, ["--link", "1e-4,1e9,100"])):
            subprocess.run([sys.executable, "-B", str(SCRIPT), "study.json", "--nodes", str(nodes), "--ranks-per-node", "4", *link,
                            "--json", "model.json"], cwd=self.work, check=True, stdout=subprocess.DEVNULL)
            predicted = json.loads((self.work / "model.json").read_text(encoding="utf-8"))["predictions"][0]["step_s"]
            text, numbers = self.allocation(problem([64, 64, 64]), 4 * nodes, 4, "--model", self.work / "model.json")
            self.assertAlmostEqual(numbers["step_seconds"] / predicted, 1, delta=1e-12)
            self.assertAlmostEqual(numbers["seconds"], 23 * numbers["step_seconds"], delta=1e-9)
            self.assertRegex(text, r"\ntime +about .* predicted from steps of a device")
        single = problem([64, 64, 64], grid={"cells": [64, 64, 64], "upper": [1, 1, 1], "precision": "float32"})
        text = self.ask(single, "--ranks", 4, "--ranks-per-node", 4, "--model", self.work / "model.json")
        self.assertIn("not known (the model is of 8-byte temperatures, the run's have 4)", text)
        text = self.ask(single, "--ranks", 4, "--ranks-per-node", 4, "--model", self.work / "study.json", expect=4)
        self.assertIn("give a file that scripts/predict_scaling.py --json has written", text)

    def test_what_cannot_be_is_refused(self):
        config = problem([8, 8, 8])
        for words, message in ((["--ranks", 1024], "cannot partition 8 x 8 x 8 cells into 1024 blocks"),
                               (["--ranks", 4, "--set", "parallel.ranks=[2, 1, 1]"], "parallel.ranks gives 2 x 1 x 1 blocks")):
            self.assertIn(message, self.ask(config, "--ranks-per-node", 4, *words, expect=2))
        text = self.ask(config, "--ranks", 4, "--ranks-per-node", 4, ranks=2, expect=2)
        self.assertIn("--ranks is given to a job of 2 ranks (one process counts for all); start it without mpirun", text)
        self.assertFalse(os.path.exists(self.work / "results"), "it wrote")
