#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""reader_test.py SAMPLE: what VTK's own reader makes of the series that the program SAMPLE writes on three ranks."""
import json
import pathlib
import sys
import tempfile
import unittest

try:
    import numpy
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as error:
    sys.exit(f"FAILED: {error}. VTK for {sys.executable} is missing: install python3-vtk9 and python3-numpy (scripts/setup does)")

from sample import GRIDS, TIMES, expected_values, write


class ReaderTest(unittest.TestCase):
    folder = None

    def read(self, file):
        errors = []
        reader = vtk.vtkHDFReader()
        for subject in (reader, reader.GetExecutive()):
            subject.AddObserver("ErrorEvent", lambda *_: errors.append(file.name))
        self.assertEqual(reader.CanReadFile(str(file)), 1)
        reader.SetFileName(str(file))
        reader.Update()
        self.assertEqual(errors, [])
        return reader.GetOutput()

    def test_images(self):
        for name, (extent, spacing, origin, cells) in GRIDS.items():
            for step in TIMES:
                with self.subTest(name=name, step=step):
                    image = self.read(self.folder / f"{name}_{step:010d}.hdf")
                    self.assertEqual(image.GetClassName(), "vtkImageData")
                    self.assertEqual(image.GetExtent(), extent)
                    self.assertEqual(image.GetSpacing(), spacing)
                    self.assertEqual(image.GetOrigin(), origin)
                    array = image.GetPointData().GetArray("T")
                    self.assertIsNotNone(array, "there is no point array T")
                    self.assertEqual(array.GetClassName(), "vtkFloatArray" if name == "single" else "vtkDoubleArray")
                    numpy.testing.assert_array_equal(vtk_to_numpy(array), expected_values(cells, extent, step))

    def test_times(self):
        for name in GRIDS:
            with self.subTest(name=name):
                series = json.loads((self.folder / f"{name}.hdf.series").read_text())
                self.assertEqual(series["file-series-version"], "1.0")
                times = {entry["name"]: entry["time"] for entry in series["files"]}
                self.assertEqual(times, {f"{name}_{step:010d}.hdf": time for step, time in TIMES.items()})


if __name__ == "__main__":
    program = sys.argv.pop(1)
    with tempfile.TemporaryDirectory() as folder:
        write(program, folder)
        ReaderTest.folder = pathlib.Path(folder)
        print(f"VTK {vtk.vtkVersion().GetVTKVersion()}", flush=True)
        result = unittest.main(exit=False, verbosity=2).result
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
