#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""plot_test.py SAMPLE: scripts/plot_field.py on the series that the program SAMPLE writes, and on what is no field."""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

SCRIPT = pathlib.Path(os.environ["HALOTHERM_SOURCE_DIR"]) / "scripts" / "plot_field.py"


class PlotTest(unittest.TestCase):
    folder = None

    def plot(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False)

    def assert_picture(self, *arguments):
        picture = self.folder / "picture.png"
        picture.unlink(missing_ok=True)
        result = self.plot("--output", picture, *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        data = picture.read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertGreater(min(struct.unpack(">II", data[16:24])), 300)

    def assert_refused(self, text, *arguments):
        result = self.plot("--output", self.folder / "none.png", *arguments)
        self.assertEqual(result.returncode, 1)
        self.assertIn(text, result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        self.assertFalse((self.folder / "none.png").exists())

    def test_every_number_of_dimensions(self):
        for name in ("solid", "single", "sheet", "rod", "slice"):
            with self.subTest(name=name):
                self.assert_picture(self.folder / f"{name}.hdf.series")

    def test_uneven_grids(self):
        self.assert_picture("--axis", "z", self.folder / "layers.nc.series")
        self.assert_picture(self.folder / "layered_sheet_0000000040.nc")

    def test_planes_panels_and_limits(self):
        series = self.folder / "solid.hdf.series"
        self.assert_picture("--axis", "z", "--position", "2.1", "--times", "2", "--limits", "250", "260", series)
        self.assert_picture(self.folder / "solid_0000000000.hdf", self.folder / "single_0000000040.hdf", series)

    def test_materials(self):
        for dimensions in (1, 2, 3):
            file = self.folder / f"materials_{dimensions}.nc"
            with h5py.File(file, "w") as made:
                made["material"] = numpy.arange(4.0**dimensions).reshape([4] * dimensions) % 3
                made["material"].attrs["flag_meanings"] = numpy.bytes_("copper silicon void")
                for axis in "xyz"[:dimensions]:
                    made[f"halotherm/faces_{axis}"] = [0, 0.1, 0.3, 0.35, 1]
            self.assert_picture("--materials", file)
        self.assert_picture("--materials", "--axis", "x", "--position", "0.32", file)
        self.assert_refused("outside of the domain", "--materials", "--axis", "x", "--position", "7", file)
        self.assert_refused("is no file that halotherm check --materials wrote", "--materials", self.folder / "layered_sheet_0000000040.nc")

    def test_what_cannot_be_drawn(self):
        (self.folder / "text.h5").write_text("no HDF5")
        (self.folder / "empty").mkdir(exist_ok=True)
        self.assert_refused("there is no", self.folder / "missing.h5")
        self.assert_refused("cannot read", self.folder / "text.h5")
        self.assert_refused("neither a series nor a checkpoint", self.folder / "empty")
        self.assert_refused("outside of the domain", "--position", "7", self.folder / "solid.hdf.series")
        self.assert_refused("different numbers of dimensions", self.folder / "solid.hdf.series", self.folder / "rod.hdf.series")


if __name__ == "__main__":
    sample = sys.argv.pop(1)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.environ.get("MPIEXEC", "mpiexec"), "-n", "3", sample, folder], check=True)
        PlotTest.folder = pathlib.Path(folder)
        result = unittest.main(exit=False, verbosity=2).result
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
