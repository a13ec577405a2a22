# SPDX-License-Identifier: MIT
"""No input file and no checkpoint makes HDF5 load a plug-in from $HDF5_PLUGIN_PATH, and the message says what to do instead.

    hdf5_plugin_test.py PLUGIN.so"""
import json
import os
import shutil
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
from halotherm_runner import Case, launch  # noqa: E402

PLUGIN = Path(sys.argv.pop(1))
FILTER = 32000  # of hdf5_plugin.c


def filtered(file, name, values):
    """A data set that names the filter. The one chunk is stored as the filter would: h5py itself cannot load it here."""
    creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    creation.set_chunk(values.shape)
    creation.set_filter(FILTER, h5py.h5z.FLAG_OPTIONAL)
    space = h5py.h5s.create_simple(values.shape)
    data = h5py.h5d.create(file.id, name.encode(), h5py.h5t.py_create(values.dtype), space, creation)
    data.write_direct_chunk((0,) * values.ndim, values.tobytes())


class Plugin(Case):
    def setUp(self):
        super().setUp()
        (self.work / "plugins").mkdir()
        shutil.copy(PLUGIN, self.work / "plugins")
        self.mark = self.work / "loaded"
        self.variables = {"HDF5_PLUGIN_PATH": str(self.work / "plugins"), "HALOTHERM_TEST_MARK": str(self.mark)}
        self.config = {"grid": {"cells": [4, 3], "upper": [1, 1]}, "initial": {"temperature": 300}, "time": {"steps": 1},
                       "materials": {"solid": {"conductivity": 1, "density": 1, "heat_capacity": 1}}}

    def test_the_plugin_can_be_loaded(self):
        """Else the others would pass for nothing."""
        with h5py.File(self.work / "k.h5", "w") as file:
            filtered(file, "k", np.ones((3, 4)))
        os.environ |= self.variables
        self.assertEqual(os.system(f"h5dump {self.work}/k.h5 > {self.work}/dump"), 0)
        self.assertTrue(self.mark.exists())

    def test_an_input_file(self):
        with h5py.File(self.work / "k.h5", "w") as file:
            filtered(file, "k", np.ones((3, 4)))
        self.config["materials"]["solid"]["conductivity"] = {"file": "k.h5", "dataset": "/k"}
        (self.work / "run.yaml").write_text(json.dumps(self.config), encoding="utf-8")
        code, text = launch(["check", str(self.work / "run.yaml")], 1, self.work, self.variables)
        self.assertEqual(code, 4, text)
        self.assertIn("it needs the HDF5 filter 32000", text)
        self.assertIn("h5repack -f NONE", text)
        self.assertFalse(self.mark.exists(), "the plug-in was loaded")

    def test_a_checkpoint(self):
        checkpoint = self.run_program(self.config).checkpoints()[-1]
        with h5py.File(checkpoint, "r+") as file:
            sums = file["checksums"][...]
            del file["checksums"]
            filtered(file, "checksums", sums)
        code, text = launch(["check", str(checkpoint)], 1, self.work, self.variables)
        self.assertEqual(code, 4, text)
        self.assertIn("the data set 'checksums' cannot be read", text)
        self.assertFalse(self.mark.exists(), "the plug-in was loaded")


if __name__ == "__main__":
    unittest.main()
