# SPDX-License-Identifier: MIT
"""halotherm check --materials: the material of each cell, the same file for every number of ranks."""
import json

import h5py
import numpy as np

from halotherm_runner import Case, launch

SOLID = {"conductivity": 1, "density": 1, "heat_capacity": 1}
VOID = 2  # after copper and silicon


def problem(grid, regions):
    return {"grid": grid, "materials": {"copper": SOLID, "silicon": SOLID}, "regions": regions, "initial": {"temperature": 300}, "time": {"steps": 1}}


class MaterialFile(Case):
    def written(self, config, ranks, name="materials.nc", expect=0):
        (self.work / "case.yaml").write_text(json.dumps(config), encoding="utf-8")
        code, text = launch(["check", str(self.work / "case.yaml"), "--materials", str(self.work / name)], ranks, self.work)
        self.assertEqual(code, expect, text)
        return text

    def test_materials_and_void(self):
        regions = [{"material": "copper"}, {"material": "silicon", "layer": {"axis": "z", "from": 0.5, "to": 1}},
                   {"material": "void", "sphere": {"center": [0.5, 0.5, 1], "radius": 0.4}}]
        config = problem({"cells": [13, 11, 8], "upper": [1, 1, 1]}, regions)
        z, y, x = np.meshgrid(*((np.arange(n) + 0.5) / n for n in (8, 11, 13)), indexing="ij")
        wanted = np.where((x - 0.5)**2 + (y - 0.5)**2 + (z - 1)**2 < 0.16, VOID, np.where(z >= 0.5, 1, 0))
        for ranks in (1, 3, 4):
            self.assertIn("materials.nc", self.written(config, ranks))
            with h5py.File(self.work / "materials.nc") as file:
                np.testing.assert_array_equal(file["material"][...], wanted, f"{ranks} ranks")
                self.assertEqual(file["material"].attrs["flag_meanings"], b"copper silicon void")
                np.testing.assert_array_equal(file["material"].attrs["flag_values"], [0, 1, 2])

    def test_uneven_cells(self):
        faces = [0, 0.1, 0.3, 0.35, 1]
        config = problem({"x": {"faces": faces}, "y": {"cells": 5, "upper": 2}},
                         [{"material": "copper"}, {"material": "silicon", "box": {"lower": [0.3, 0], "upper": [1, 0.8]}}])
        self.written(config, 2)
        with h5py.File(self.work / "materials.nc") as file:
            wanted = np.zeros((5, 4))
            wanted[:2, 2:] = 1
            np.testing.assert_array_equal(file["material"][...], wanted)
            np.testing.assert_array_equal(file["halotherm/faces_x"][...], faces)

    def test_one_material_and_no_folder(self):
        config = problem({"cells": [4], "upper": [1]}, [])
        del config["materials"]["silicon"], config["regions"]
        self.written(config, 1)
        with h5py.File(self.work / "materials.nc") as file:
            np.testing.assert_array_equal(file["material"][...], np.zeros(4))
        text = self.written(config, 2, "nowhere/materials.nc", expect=4)
        self.assertEqual(text.count("cannot write into the folder"), 1, text)
