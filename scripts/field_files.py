# SPDX-License-Identifier: MIT
"""Reads the fields of Halotherm's checkpoints, snapshots and series."""
import dataclasses
import json
import re

import h5py
import numpy

AXES = "xyz"


class PlotError(Exception):
    pass


@dataclasses.dataclass
class Field:
    title: str
    time: float  # s
    values: numpy.ndarray  # slowest axis first
    faces: list  # m, of the cells along each axis, x first
    unit: str = "K"  # of the values

    def ends(self, axis):
        return self.faces[axis][0], self.faces[axis][-1]


def text_of(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def unit_of(values):
    unit = text_of(values.attrs.get("units", "K"))
    return "°C" if unit == "degC" else unit


def in_one_unit(fields):
    """In that of the first: checkpoints are in kelvin, and snapshots in the unit that the run shows."""
    shift = {("K", "°C"): -273.15, ("°C", "K"): 273.15}
    unit = fields[0].unit
    return [dataclasses.replace(field, values=field.values + shift.get((field.unit, unit), 0.0), unit=unit) for field in fields]


def title_of(file):
    """The run's title; snapshots have it in their configuration only."""
    if "title" in file.attrs:
        return text_of(file.attrs["title"])
    match = re.search(r"^title: *(.*)$", text_of(file["config"][()]) if "config" in file else "", re.MULTILINE)
    return match.group(1).strip().strip("\"'") if match else ""


def equal_faces(values, lower, spacing):
    return [lower[axis] + numpy.arange(values.shape[-1 - axis] + 1) * spacing[axis] for axis in range(values.ndim)]


def read_checkpoint(file):
    values = file["T"][()]
    faces = equal_faces(values, file.attrs["lower"], file.attrs["spacing"])
    for axis in range(values.ndim):
        if f"faces_{AXES[axis]}" in file:  # of different widths
            faces[axis] = file[f"faces_{AXES[axis]}"][()]
    return Field(title_of(file), float(file.attrs["time"]), values, faces)


def read_snapshot(file):
    image = file["VTKHDF"]
    values, spacing = image["PointData/T"][()], image.attrs["Spacing"]
    flat = [axis for axis in range(3) if values.shape[2 - axis] == 2 and same_layers(values, 2 - axis)]
    lower = image.attrs["Origin"] - numpy.where([axis in flat for axis in range(3)], 0.0, 0.5 * spacing)
    for axis in sorted(flat, key=lambda axis: axis):  # from the last array axis on, so that the others keep their numbers
        values = values.take([0], axis=2 - axis)
    while len(values.shape) > 1 and values.shape[0] == 1:
        values = values[0]
    return Field(title_of(file), float(file.attrs["time"]), values, equal_faces(values, lower, spacing), unit_of(image["PointData/T"]))


def read_netcdf(file):
    values, group = file["T"][()], file["halotherm"]
    return Field(title_of(group), float(file.attrs["time"]), values, [group[f"faces_{AXES[axis]}"][()] for axis in range(values.ndim)],
                 unit_of(file["T"]))


def same_layers(values, axis):
    """Axes of a single cell are written as two equal layers (docs/file_formats.md)."""
    return numpy.array_equal(values.take(0, axis=axis), values.take(1, axis=axis))


def read_field(path):
    try:
        with h5py.File(path, "r") as file:
            read = read_snapshot if "VTKHDF" in file else read_netcdf if "halotherm" in file else read_checkpoint
            field = read(file)
    except KeyError as error:
        raise PlotError(f"'{path}' is neither a checkpoint nor a snapshot of Halotherm ({text_of(error.args[0])})") from error
    except OSError as error:
        raise PlotError(f"cannot read '{path}' ({error})") from error
    if field.values.size == 0 or not numpy.isfinite(field.values).all():
        raise PlotError(f"'{path}' holds no field that can be drawn (it is empty or has values that are not finite)")
    return field


def series_files(path, count):
    """The last `count` snapshots if 1, else `count` ones spread over the series."""
    try:
        names = [entry["name"] for entry in json.loads(path.read_text())["files"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PlotError(f"cannot read the series '{path}' ({error})") from error
    if not names:
        raise PlotError(f"the series '{path}' is empty")
    chosen = [len(names) - 1] if count == 1 else sorted(set(numpy.linspace(0, len(names) - 1, count).round().astype(int)))
    return [path.parent / names[index] for index in chosen]


def files_of(path, count):
    if not path.exists():
        raise PlotError(f"there is no '{path}'")
    if path.is_dir():
        series = sorted(path.glob("*.series")) or sorted(path.rglob("*.series"))
        checkpoints = sorted(path.rglob("checkpoint_*.h5"))
        if series:
            return series_files(series[0], count)
        if checkpoints:
            return [checkpoints[-1]]
        raise PlotError(f"there is neither a series nor a checkpoint in '{path}'")
    return series_files(path, count) if path.suffix == ".series" else [path]
