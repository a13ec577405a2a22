#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws temperature fields that Halotherm wrote, as a PNG: a plane of 3-D fields, the whole of 2-D ones, a line for 1-D ones.

Inputs: checkpoints (*.h5), snapshots (*.hdf, *.nc), series (*.series; its last snapshot, or several with --times), or a
results directory (its series, else its latest checkpoint). Several inputs become panels with one colour scale.

    plot_field.py results/quickstart
    plot_field.py --axis z --position 25e-6 --output chip.png results/chip
    plot_field.py --times 4 results/quickstart/fields/temperature.hdf.series

With --materials the one input is a file that "halotherm check --materials FILE" wrote, drawn as scripts/plot_materials.py does.
"""
import argparse
import pathlib
import sys

import matplotlib
import numpy

import plot_materials
from field_files import AXES, PlotError, files_of, in_one_unit, read_field
from field_planes import centres, plane, prefix_for, quantity

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: the backend has to be chosen first


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
    note(axes, values, field.unit)
    return picture


def note(axes, values, unit):
    axes.annotate(f"min {values.min():.2f} {unit}   max {values.max():.2f} {unit}", (0.5, 0), xytext=(0, -38), xycoords="axes fraction",
                  textcoords="offset points", ha="center", va="top", fontsize="small", color="0.35")


def draw_lines(figure, axes, fields, limits):
    lower, upper = fields[0].ends(0)
    prefix, factor = prefix_for(upper - lower)
    colours = matplotlib.colormaps["viridis"](numpy.linspace(0.0, 0.85, len(fields)))
    for field, colour in zip(fields, colours):
        axes.plot(factor * centres(field, 0), field.values, color=colour, label=f"t = {quantity(field.time, 's')}")
    axes.set_xlabel(f"x [{prefix}m]")
    axes.set_ylabel(f"temperature [{fields[0].unit}]")
    axes.set_xlim(factor * lower, factor * upper)
    axes.set_ylim(*limits) if limits else None
    axes.grid(color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    if len(fields) == 1:
        note(axes, fields[0].values, fields[0].unit)
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
    bar.set_label(f"temperature [{fields[0].unit}]")
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
    parser.add_argument("--limits", type=float, nargs=2, metavar=("MIN", "MAX"), help="of the colour scale, in the unit of the first input")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="snapshots of a series, spread over it (default: the last)")
    parser.add_argument("--materials", action="store_true", help="the input holds materials")
    options = parser.parse_args(arguments)
    if options.times < 1:
        parser.error("--times must be at least 1")
    if options.limits and options.limits[0] >= options.limits[1]:
        parser.error("--limits: MIN must be below MAX")
    if options.materials and len(options.inputs) > 1:
        parser.error("--materials takes one input")
    if options.output is None:
        first = options.inputs[0]
        options.output = first / "temperature.png" if first.is_dir() else first.with_suffix(".png")
    return options


def main():
    options = parse_options(sys.argv[1:])
    try:
        if options.materials:
            return plot_materials.plot(options.inputs[0], options.output, options.axis if options.position is not None else None, options.position)
        files = [file for path in options.inputs for file in files_of(path, options.times)]
        figure = draw(in_one_unit([read_field(file) for file in files]), options)
        figure.savefig(options.output, dpi=150)
    except (PlotError, OSError) as error:
        sys.exit(f"plot_field: {error}")
    print(options.output)
    return None


if __name__ == "__main__":
    main()
