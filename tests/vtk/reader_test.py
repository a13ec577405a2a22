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

from sample import GRIDS, TIMES, UNEVEN, expected_values, write


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

    def test_uneven_grids(self):
        for name, coordinates in UNEVEN.items():
            for step in TIMES:
                with self.subTest(name=name, step=step):
                    errors = []
                    reader = vtk.vtkNetCDFCFReader()
                    for event in ("ErrorEvent", "WarningEvent"):
                        reader.AddObserver(event, lambda *_: errors.append(name))
                    reader.SetFileName(str(self.folder / f"{name}_{step:010d}.nc"))
                    reader.Update()
                    self.assertEqual(errors, [])
                    grid = reader.GetOutput()
                    self.assertEqual(grid.GetClassName(), "vtkRectilinearGrid")
                    found = (grid.GetXCoordinates(), grid.GetYCoordinates(), grid.GetZCoordinates())
                    for points, wanted in zip(found, coordinates):
                        numpy.testing.assert_allclose(vtk_to_numpy(points), wanted, rtol=1e-15)
                    array = grid.GetPointData().GetArray("T")
                    self.assertEqual(array.GetClassName(), "vtkFloatArray" if name == "layered_sheet" else "vtkDoubleArray")
                    cells = [len(points) for points in coordinates]
                    extent = [bound for count in cells for bound in (0, count - 1)]
                    numpy.testing.assert_array_equal(vtk_to_numpy(array), expected_values(cells, extent, step))

    def test_times(self):
        for name in (*GRIDS, *UNEVEN):
            suffix = "nc" if name in UNEVEN else "hdf"
            with self.subTest(name=name):
                series = json.loads((self.folder / f"{name}.{suffix}.series").read_text())
                self.assertEqual(series["file-series-version"], "1.0")
                times = {entry["name"]: entry["time"] for entry in series["files"]}
                self.assertEqual(times, {f"{name}_{step:010d}.{suffix}": time for step, time in TIMES.items()})


if __name__ == "__main__":
    program = sys.argv.pop(1)
    with tempfile.TemporaryDirectory() as folder:
        write(program, folder)
        ReaderTest.folder = pathlib.Path(folder)
        print(f"VTK {vtk.vtkVersion().GetVTKVersion()}", flush=True)
        result = unittest.main(exit=False, verbosity=2).result
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
