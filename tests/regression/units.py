# SPDX-License-Identifier: MIT
"""units.temperature: degrees Celsius at both ends of a run, the same bits as in kelvin between them."""
import re

import h5py
import numpy as np

from bits import BitsCase
from halotherm_runner import Results, launch

ICE = 273.15
FORMULA = "20 + 60*exp(-9*(x - 0.4)^2) + 5*y"


def celsius(**sections):
    """Each kind of temperature: numbers, formulas, tables of and in temperatures, ranges, and what is none: flux and source."""
    return {
        "units": {"temperature": "celsius"},
        "grid": {"cells": [24, 12], "upper": [1, 0.5]},
        "materials": {"wax": {"conductivity": {"table": {-20: 0.3, 40: 0.2, 100: 0.25}}, "density": 900, "heat_capacity": "2000 + 3*T",
                              "temperatures": [-50, 150], "latent_heat": 2e5, "melting": [38.5, 42]}},
        "regions": [{"source": 1000}],
        "initial": {"temperature": FORMULA},
        "sides": {"x-": {"temperature": {"table": {0: 20, 900: 95}}},
                  "x+": {"flux": 30, "convection": {"coefficient": 12, "ambient": "20 + 0.01*t"}, "radiation": {"emissivity": 0.8, "ambient": -10}},
                  "y-": {"temperature": 55}},
        "time": {"steps": 60},
        "output": {"fields": {"steps": 30}, "diagnostics": {"steps": 10}, "sensors": [{"name": "middle", "at": [0.5, 0.25]}]}} | sections


def kelvin(**sections):
    config = celsius(**sections)
    del config["units"]
    wax, sides = config["materials"]["wax"], config["sides"]
    wax["conductivity"]["table"] = {argument + ICE: value for argument, value in wax["conductivity"]["table"].items()}
    wax |= {"heat_capacity": f"2000 + 3*(T - {ICE})", "temperatures": [-50 + ICE, 150 + ICE], "melting": [38.5 + ICE, 42 + ICE]}
    sides["x-"]["temperature"]["table"] = {time: value + ICE for time, value in sides["x-"]["temperature"]["table"].items()}
    sides["x+"]["convection"]["ambient"] = f"(20 + 0.01*t) + {ICE}"
    sides["x+"]["radiation"]["ambient"] = -10 + ICE
    sides["y-"]["temperature"] = 55 + ICE
    config["initial"] = {"temperature": f"({FORMULA}) + {ICE}"}
    return config


def snapshot(results, group="VTKHDF/PointData"):
    with h5py.File(sorted((results.folder / "fields").glob("temperature_*"))[-1], "r") as file:
        return file[group]["T"][...], file[group]["T"].attrs["units"]


class Units(BitsCase):
    def test_bits_of_kelvin(self):
        reference = self.run_program(kelvin())
        for ranks in (1, 2, 3):
            results = self.run_program(celsius(), ranks)
            self.assertEqual(results.temperature().tobytes(), reference.temperature().tobytes(), f"{ranks} ranks")
            with h5py.File(results.checkpoints()[-1], "r") as file:
                self.assertEqual(file.attrs["temperature_unit"], b"K")

    def test_everything_that_is_shown(self):
        shown, reference = self.run_program(celsius(), 2), self.run_program(kelvin(), 2)
        rows, wanted = shown.diagnostics(), reference.diagnostics()
        for name in wanted.dtype.names:
            temperature = re.fullmatch("(mean|min|max|middle)_K", name)
            np.testing.assert_array_equal(rows[name.replace("_K", "_degC")] if temperature else rows[name],
                                          wanted[name] - ICE if temperature else wanted[name], name)
        for line in ("first", "last"):
            self.assertEqual(shown.report()[line]["max_degC"], reference.report()[line]["max_K"] - ICE)
        text = next(line for line in shown.output.splitlines() if line.startswith("result"))
        self.assertIn(f"{shown.report()['last']['max_degC']:.6g} degC, mean", text)
        self.assertRegex(shown.output, r"100\.0 %  step 60 .* degC ")
        values, unit = snapshot(shown)
        self.assertEqual(unit, b"degC")
        np.testing.assert_array_equal(values, snapshot(reference)[0] - ICE)

    def test_single_precision_and_netcdf(self):
        grid = {"grid": {"x": {"faces": [0, 0.1, 0.3, 0.35, 1]}, "precision": "float32"}, "sides": {"x-": {"temperature": 80}},
                "initial": {"temperature": 20}, "materials": {"solid": {"conductivity": 1, "density": 1, "heat_capacity": 100}},
                "output": {"fields": {"steps": 60}}}
        results = self.run_program(celsius(**grid))
        values, unit = snapshot(results, "/")
        self.assertEqual((unit, values.dtype), (b"degC", np.float32))
        np.testing.assert_array_equal(values, (results.temperature().astype(np.float64) - ICE).astype(np.float32))

    def test_data_sets(self):
        values = np.linspace(0, 90, 24 * 12).reshape(12, 24)
        plain = {"materials": {"solid": {"conductivity": 1, "density": 1, "heat_capacity": 100}}, "sides": {}}
        reference = self.run_program(celsius(**plain, initial={"temperature": self.data_set("plain", values)}))
        for name, unit, given in (("degC", "degC", values), ("fixed", np.bytes_("Celsius"), values), ("K", "K", values + ICE)):
            data = self.data_set(name, given)
            with h5py.File(self.work / data["file"], "a") as file:
                file["values"].attrs["units"] = unit
            for units in ("celsius", "kelvin"):
                config = celsius(**plain, initial={"temperature": data}) | {"units": {"temperature": units}}
                results = self.run_program(config, 2)
                self.assertEqual(results.temperature().tobytes(), reference.temperature().tobytes(), f"{name} {units}")
        with h5py.File(self.work / data["file"], "a") as file:
            file["values"].attrs["units"] = "degF"
        refused = self.run_program(celsius(**plain, initial={"temperature": data}), 2, expect=4)
        self.assertIn("is in 'degF' (its attribute units says so; temperatures are in K or degC); write it in one of them", refused.output)

    def test_restarts(self):
        whole, folder = self.run_program(celsius()), self.work / "chain"
        self.run_program(celsius(time={"steps": 20}), 2, folder)
        middle = self.run_program(celsius(time={"steps": 40}), 3, folder, ["--restart", "latest"])
        results = self.run_program(celsius(), 1, folder, ["--restart", "latest"])
        self.assertEqual(results.temperature().tobytes(), whole.temperature().tobytes())
        self.assertEqual(results.diagnostics_text(), whole.diagnostics_text())
        refused = self.run_program(kelvin(), 1, folder, ["--restart", str(middle.checkpoints()[-2])], expect=2)
        self.assertIn("changed since it was written: units", refused.output)
        other = kelvin() | {"units": {"output": "celsius"}}  # the same in other words
        again = self.run_program(other, 2, self.work / "other", ["--restart", str(middle.checkpoints()[-2])])
        self.assertEqual(again.temperature().tobytes(), whole.temperature().tobytes())

    def test_radiation_below_absolute_zero(self):
        config = celsius(sides={"x-": {"radiation": {"emissivity": 1, "ambient": "-300 + 0*x"}}})
        refused = self.run_program(config, 2, expect=2)
        self.assertIn("the value -26.85 K at", refused.output)
        self.assertIn("must be at least 0 K, which is -273.15 degC", refused.output)

    def test_resolved_configuration(self):
        results, folder = self.run_program(celsius()), self.work / "resolved"
        file = self.work / "resolved.yaml"
        file.write_text(results.report()["config"], encoding="utf-8")
        code, text = launch(["run", str(file), "--set", f"output.directory={folder}"], 1, self.work)
        self.assertEqual(code, 0, text)
        self.assertEqual(Results(folder).temperature().tobytes(), results.temperature().tobytes())
        self.assertEqual(Results(folder).diagnostics_text(), results.diagnostics_text())
