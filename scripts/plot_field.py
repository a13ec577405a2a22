#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws temperature fields that Halotherm wrote, as a PNG: a plane of 3-D fields, the whole of 2-D ones, a line for 1-D ones.

Inputs: checkpoints (*.h5), snapshots (*.hdf, *.nc), series (*.series; its last snapshot, or several with --times), or a
results directory (its series, else its latest checkpoint). Several inputs become panels with one colour scale.

    plot_field.py results/quickstart
    plot_field.py --axis z --position 25e-6 --output chip.png results/chip
    plot_field.py --times 4 results/quickstart/fields/temperature.hdf.series
"""
import argparse
import dataclasses
import json
import pathlib
import re
import sys

import h5py
import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: the backend has to be chosen first

AXES = "xyz"
PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M"}


class PlotError(Exception):
    pass


@dataclasses.dataclass
class Field:
    title: str
    time: float  # s
    values: numpy.ndarray  # K, slowest axis first
    faces: list  # m, of the cells along each axis, x first

    def ends(self, axis):
        return self.faces[axis][0], self.faces[axis][-1]


def text_of(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


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
    return Field(title_of(file), float(file.attrs["time"]), values, equal_faces(values, lower, spacing))


def read_netcdf(file):
    values, group = file["T"][()], file["halotherm"]
    return Field(title_of(group), float(file.attrs["time"]), values, [group[f"faces_{AXES[axis]}"][()] for axis in range(values.ndim)])


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


def prefix_for(length):
    """The SI prefix and the factor that make a length a number between 1 and 1000."""
    exponent = int(numpy.clip(3 * numpy.floor(numpy.log10(max(abs(length), 1e-30)) / 3), min(PREFIXES), max(PREFIXES)))
    if exponent == 0 and length < 1:
        exponent = -3
    return PREFIXES[exponent], 10.0**-exponent


def quantity(value, unit):
    if value == 0:
        return f"0 {unit}"
    prefix, factor = prefix_for(value) if unit == "m" or abs(value) < 1 else ("", 1.0)
    number = value * factor
    return f"{number:.0f} {prefix}{unit}" if abs(number) >= 1000 else f"{number:.3g} {prefix}{unit}"


def centres(field, axis):
    return 0.5 * (field.faces[axis][1:] + field.faces[axis][:-1])


def plane(field, axis_name, position):
    """The plane's values, its two axes (horizontal, vertical) and what the title says of the place."""
    if field.values.ndim == 2:
        return field.values, (0, 1), ""
    normal = AXES.index(axis_name)
    places = centres(field, normal)
    lower, upper = field.ends(normal)
    if position is None:
        position = 0.5 * (lower + upper)
    if not lower <= position <= upper:
        raise PlotError(f"the position {position:g} m along {axis_name} is outside of the domain")
    index = int(numpy.abs(places - position).argmin())
    horizontal, vertical = (axis for axis in range(3) if axis != normal)
    return field.values.take(index, axis=2 - normal), (horizontal, vertical), f"{axis_name} = {quantity(places[index], 'm')}"


def draw_plane(axes, field, options, limits):
    values, (horizontal, vertical), place = plane(field, options.axis, options.position)
    extent = [*field.ends(horizontal), *field.ends(vertical)]
    prefix, factor = prefix_for(max(extent[1] - extent[0], extent[3] - extent[2]))
    extent = [factor * edge for edge in extent]
    width, height = extent[1] - extent[0], extent[3] - extent[2]
    aspect = "equal" if 1 / 6 < width / height < 6 else "auto"
    picture = axes.pcolormesh(factor * field.faces[horizontal], factor * field.faces[vertical], values, vmin=limits[0], vmax=limits[1],
                              cmap="inferno", rasterized=True)
    axes.set_aspect(aspect)
    axes.set(xlim=extent[:2], ylim=extent[2:])
    axes.set_xlabel(f"{AXES[horizontal]} [{prefix}m]")
    axes.set_ylabel(f"{AXES[vertical]} [{prefix}m]")
    axes.set_title(", ".join(filter(None, [f"t = {quantity(field.time, 's')}", place])), fontsize="medium")
    note(axes, values)
    return picture


def note(axes, values):
    axes.annotate(f"min {values.min():.2f} K   max {values.max():.2f} K", (0.5, 0), xytext=(0, -38), xycoords="axes fraction",
                  textcoords="offset points", ha="center", va="top", fontsize="small", color="0.35")


def draw_lines(figure, axes, fields, limits):
    lower, upper = fields[0].ends(0)
    prefix, factor = prefix_for(upper - lower)
    colours = matplotlib.colormaps["viridis"](numpy.linspace(0.0, 0.85, len(fields)))
    for field, colour in zip(fields, colours):
        axes.plot(factor * centres(field, 0), field.values, color=colour, label=f"t = {quantity(field.time, 's')}")
    axes.set_xlabel(f"x [{prefix}m]")
    axes.set_ylabel("temperature [K]")
    axes.set_xlim(factor * lower, factor * upper)
    axes.set_ylim(*limits) if limits else None
    axes.grid(color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    if len(fields) == 1:
        note(axes, fields[0].values)
    axes.ticklabel_format(useOffset=False)
    figure.suptitle(fields[0].title)


def panel_grid(count, aspect):
    """Columns and rows for panels of this width over height: no gaps if it can be, and about as wide as a page."""
    def cost(columns):
        rows = -(-count // columns)
        return abs(numpy.log(columns * aspect / rows / 1.5)) + 0.5 * (rows * columns - count)
    columns = min(range(1, count + 1), key=cost)
    return columns, -(-count // columns)


def figure_for(count, shape):
    """A figure whose panels are about as wide as they are high for what they show, at most 1:2 and 2:1."""
    aspect = float(numpy.clip(shape, 0.5, 2.0)) if 1 / 6 < shape < 6 else 1.2
    columns, rows = panel_grid(count, aspect)
    width = 4.2 if columns * aspect <= 3 else 3.2
    size = (1.4 + columns * (width * min(aspect, 1.5) ** 0.5 + 0.3), 0.5 + rows * (width * min(aspect, 1.5) ** 0.5 / aspect + 0.9))
    return pyplot.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")


def draw_planes(fields, options):
    planes = [plane(field, options.axis, options.position) for field in fields]
    values = [part[0] for part in planes]
    limits = options.limits or (min(part.min() for part in values), max(part.max() for part in values))
    horizontal, vertical = (numpy.ptp(fields[0].ends(axis)) for axis in planes[0][1])
    figure, axes = figure_for(len(fields), horizontal / vertical)
    for place, field in zip(axes.flat, fields):
        picture = draw_plane(place, field, options, limits)
    for place in list(axes.flat)[len(fields):]:
        place.set_axis_off()
    hidden = any(part.min() < limits[0] for part in values), any(part.max() > limits[1] for part in values)
    extend = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}[hidden]
    bar = figure.colorbar(picture, ax=axes, extend=extend, aspect=18 * len(axes), fraction=0.08, pad=0.03)
    bar.set_label("temperature [K]")
    bar.ax.ticklabel_format(useOffset=False)
    figure.suptitle(fields[0].title)
    return figure


def draw(fields, options):
    if len({field.values.ndim for field in fields}) > 1:
        raise PlotError("the inputs have different numbers of dimensions: draw them one by one")
    if fields[0].values.ndim > 1:
        return draw_planes(fields, options)
    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    draw_lines(figure, axes, fields, options.limits)
    return figure


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+", type=pathlib.Path, metavar="INPUT")
    parser.add_argument("--output", type=pathlib.Path, metavar="PNG", help="default: <first input>.png, in a directory temperature.png")
    parser.add_argument("--axis", choices=list(AXES), default="y", help="3-D: normal of the plane (default: y)")
    parser.add_argument("--position", type=float, metavar="METRES", help="3-D: where the plane is (default: the middle)")
    parser.add_argument("--limits", type=float, nargs=2, metavar=("MIN", "MAX"), help="of the colour scale [K]")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="snapshots of a series, spread over it (default: the last)")
    options = parser.parse_args(arguments)
    if options.times < 1:
        parser.error("--times must be at least 1")
    if options.limits and options.limits[0] >= options.limits[1]:
        parser.error("--limits: MIN must be below MAX")
    if options.output is None:
        first = options.inputs[0]
        options.output = first / "temperature.png" if first.is_dir() else first.with_suffix(".png")
    return options


def main():
    options = parse_options(sys.argv[1:])
    try:
        files = [file for path in options.inputs for file in files_of(path, options.times)]
        figure = draw([read_field(file) for file in files], options)
        figure.savefig(options.output, dpi=150)
    except (PlotError, OSError) as error:
        sys.exit(f"plot_field: {error}")
    print(options.output)


if __name__ == "__main__":
    main()
