#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scripts/plot_roofline.py on made-up measurements, and on what is no result of `halotherm bench`."""
import copy
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(os.environ["HALOTHERM_SOURCE_DIR"]) / "scripts" / "plot_roofline.py"


def row(kind, name, precision, fraction, warning=None):
    size = 16.0 if precision == "float64" else 8.0
    return {"kind": kind, "name": name, "precision": precision, "cells": [512, 512, 512],
            "seconds": 1e-3, "seconds_min": 1e-3, "repeats": 9, "cells_per_second": fraction * 4e12 / size,
            "bytes_per_cell": size, "flops_per_cell": 15.0, "bandwidth": fraction * 4e12, "ceiling": 4e12, "fraction": fraction,
            "joules_per_cell": None, "warning": warning}


RESULT = {
    "device": {"name": "a device", "peak_bandwidth": 4.8e12, "compute_mhz": None, "memory_mhz": None, "cache_bytes": 1 << 20},
    "version": "0.1.0", "commit": "0123456789",
    "ceilings": [{"name": "copy", "precision": "float64", "bytes": 1 << 30, "seconds": 1e-3, "bandwidth": 4e12}],
    "rows": [row("stencil", "3-D 7-point", "float64", 0.93), row("stencil", "3-D 7-point", "float32", 1.2, "in the cache"),
             row("stencil", "3-D, source", "float64", 0.92), row("baseline", "MDRange", "float64", 0.46),
             row("halo", "pack", "float64", 0.7)]}


def size_of(picture):
    """Columns and rows of a PNG."""
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    return struct.unpack(">II", data[16:24])


class RooflineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.input = pathlib.Path(folder.name) / "bench.json"
        self.picture = self.input.with_suffix(".png")

    def plot(self, content, *arguments):
        self.input.write_text(content if isinstance(content, str) else json.dumps(content))
        return subprocess.run([sys.executable, "-B", SCRIPT, self.input, *arguments], capture_output=True, text=True, check=False)

    def assert_picture(self, content):
        self.picture.unlink(missing_ok=True)
        result = self.plot(content)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{self.picture}\n", ""))
        width, height = size_of(self.picture)
        self.assertGreater(width, 1400)
        self.assertGreater(width, 1.5 * height)
        self.assertGreater(self.picture.stat().st_size, 20000)  # not empty paper

    def assert_refused(self, text, content, *arguments):
        result = self.plot(content, *arguments)
        self.assertEqual(result.returncode, 2)
        self.assertIn(text, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertFalse(self.picture.exists())

    def changed(self, **values):
        result = copy.deepcopy(RESULT)
        result["rows"][0].update(values)
        return result

    def test_every_kind_of_row(self):
        self.assert_picture(RESULT)

    def test_one_row_without_a_peak(self):
        self.assert_picture({**RESULT, "rows": RESULT["rows"][:1], "device": {**RESULT["device"], "peak_bandwidth": None}})

    def test_the_chosen_name(self):
        chosen = self.input.with_name("chosen.png")
        self.assertEqual(self.plot(RESULT, "-o", chosen).returncode, 0)
        self.assertGreater(min(size_of(chosen)), 600)

    def test_rows_without_a_ceiling(self):
        result = copy.deepcopy(RESULT)
        result["rows"][-1].update(fraction=None)
        self.assert_picture(result)

    def test_what_cannot_be_drawn(self):
        self.assert_refused("is no result of `halotherm bench`", "no JSON")
        self.assert_refused("is no result of `halotherm bench`", [1, 2])
        self.assert_refused("lacks 'rows'", {})
        self.assert_refused("'fraction' must be a positive number, and is None", self.changed(fraction=None))
        self.assert_refused("'fraction' must be a positive number, and is nan", self.changed(fraction=float("nan")))
        self.assert_refused("must be float32 or float64", self.changed(precision="float16"))
        self.assert_refused("must be one to three numbers", self.changed(cells=[]))
        self.assert_refused("no measured copy", {**RESULT, "ceilings": []})
        self.assert_refused("no kernels", {**RESULT, "rows": RESULT["rows"][-1:]})
        self.assert_refused("none/picture.png", RESULT, "-o", self.input.parent / "none" / "picture.png")

    def test_a_missing_file(self):
        result = subprocess.run([sys.executable, "-B", SCRIPT, self.input], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"cannot read '{self.input}'", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
