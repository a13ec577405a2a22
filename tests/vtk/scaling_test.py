#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scripts/plot_scaling.py on sample studies, and on what is no result of `halotherm scale`."""
import copy
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["HALOTHERM_SOURCE_DIR"])
SCRIPT = SOURCE / "scripts" / "plot_scaling.py"
STRONG = json.loads((SOURCE / "tests" / "data" / "scaling" / "strong.json").read_text(encoding="utf-8"))


def size_of(picture):
    """Columns and rows of a PNG."""
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    return struct.unpack(">II", data[16:24])


class ScalingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.picture = self.folder / "picture.png"

    def plot(self, contents, *arguments):
        inputs = []
        for number, content in enumerate(contents):
            inputs.append(self.folder / f"study{number}.json")
            inputs[-1].write_text(content if isinstance(content, str) else json.dumps(content))
        return subprocess.run([sys.executable, "-B", SCRIPT, *inputs, "-o", self.picture, *arguments], capture_output=True, text=True,
                              check=False)

    def assert_picture(self, contents, *arguments):
        result = self.plot(contents, *arguments)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{self.picture}\n", ""))
        width, height = size_of(self.picture)
        self.assertGreater(width, 1800)
        self.assertGreater(width, 2 * height)
        self.assertGreater(self.picture.stat().st_size, 30000)  # not empty paper

    def assert_refused(self, text, contents, *arguments):
        result = self.plot(contents, *arguments)
        self.assertEqual(result.returncode, 2)
        self.assertIn(text, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertFalse(self.picture.exists())

    def changed(self, key, value):
        study = copy.deepcopy(STRONG)
        study["results"][0][key] = value
        return study

    def test_a_study(self):
        self.assert_picture([STRONG])

    def test_a_weak_study(self):
        self.assert_picture([{**STRONG, "kind": "weak"}])

    def test_a_single_number_of_ranks(self):
        self.assert_picture([{**STRONG, "results": STRONG["results"][:1]}])

    def test_several_studies(self):
        part = {**STRONG, "results": STRONG["results"][:2]}
        self.assert_picture([STRONG, part, STRONG], "--labels", "before,after,again")

    def test_the_usual_name(self):
        study = self.folder / "study.json"
        study.write_text(json.dumps(STRONG))
        result = subprocess.run([sys.executable, "-B", SCRIPT, study], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertGreater(min(size_of(study.with_suffix(".png"))), 600)

    def test_what_cannot_be_drawn(self):
        self.assert_refused("is no result of `halotherm scale`", ["no JSON"])
        self.assert_refused("is no result of `halotherm scale`", [[1, 2]])
        self.assert_refused("lacks 'program'", [{}])
        self.assert_refused("it has no results", [{**STRONG, "results": []}])
        self.assert_refused("'kind' must be strong or weak", [{**STRONG, "kind": "odd"}])
        self.assert_refused("'ranks' must be a positive number, and is None", [self.changed("ranks", None)])
        self.assert_refused("'median' must be a positive number, and is nan",
                            [self.changed("efficiency", {"median": float("nan"), "low": 1, "high": 1})])
        self.assert_refused("lies outside of its interval", [self.changed("cells_per_s", {"median": 3, "low": 1, "high": 2})])
        self.assert_refused("strong and weak studies do not go into one figure", [STRONG, {**STRONG, "kind": "weak"}])
        self.assert_refused("--labels gives 2 names for 1 files", [STRONG], "--labels", "a,b")

    def test_missing_places(self):
        result = subprocess.run([sys.executable, "-B", SCRIPT, self.folder / "none.json"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot read", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.picture = self.folder / "none" / "picture.png"
        self.assert_refused("none/picture.png", [STRONG])


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=2).result
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
