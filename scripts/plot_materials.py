#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws what each cell is made of, as a PNG with a legend: the middle planes of 3-D grids, or one plane; the whole of 2-D and 1-D ones.

    halotherm check run.yaml --materials materials.nc
    plot_materials.py materials.nc
    plot_materials.py --axis z --position 25e-6 materials.nc
"""
import argparse
import pathlib
import sys

import h5py
import matplotlib
import numpy

from field_files import AXES, Field, PlotError, text_of
from field_planes import plane, prefix_for

matplotlib.use("Agg")
from matplotlib import colors, patches, pyplot  # noqa: E402: the backend has to be chosen first

VOID = "void"


def read_materials(path):
    """The field of indices, and the name of each index."""
    try:
        with h5py.File(path, "r") as file:
            material, group = file["material"], file["halotherm"]
            values = material[()].astype(int)
            faces = [group[f"faces_{AXES[axis]}"][()] for axis in range(values.ndim)]
            return Field("", 0.0, values, faces), text_of(material.attrs["flag_meanings"]).split()
    except KeyError as error:
        raise PlotError(f"'{path}' is no file that halotherm check --materials wrote ({text_of(error.args[0])})") from error
    except OSError as error:
        raise PlotError(f"cannot read '{path}' ({error})") from error


def palette(names):
    solid = matplotlib.colormaps["tab10" if len(names) <= 11 else "turbo"]
    count = max(len(names) - 1, 1)
    return [(1, 1, 1, 1) if name == VOID else solid(n % 10 if len(names) <= 11 else n / count) for n, name in enumerate(names)]


def draw_plane(axes, field, names, shades, axis, position):
    values, (horizontal, vertical), place = plane(field, axis, position)
    across, up = field.faces[horizontal], field.faces[vertical]
    prefix, factor = prefix_for(max(numpy.ptp(across), numpy.ptp(up)))
    limits = {"cmap": colors.ListedColormap(shades), "vmin": -0.5, "vmax": len(names) - 0.5}
    axes.set_facecolor("white")
    if VOID in names:  # hatched, as no material is
        axes.add_patch(patches.Rectangle((factor * across[0], factor * up[0]), factor * numpy.ptp(across), factor * numpy.ptp(up), fill=False,
                                         hatch="////", edgecolor="0.8", linewidth=0))
        values = numpy.ma.masked_equal(values, names.index(VOID))
    axes.pcolormesh(factor * across, factor * up, values, rasterized=True, **limits)
    axes.set_xlim(factor * across[0], factor * across[-1])
    axes.set_ylim(factor * up[0], factor * up[-1])
    axes.set_aspect("equal" if 1 / 6 < numpy.ptp(across) / numpy.ptp(up) < 6 else "auto")
    axes.set_xlabel(f"{AXES[horizontal]} [{prefix}m]")
    axes.set_ylabel(f"{AXES[vertical]} [{prefix}m]")
    axes.set_title(place, fontsize="medium")


def rod(field):
    """A 1-D grid as a strip."""
    length = field.faces[0][-1] - field.faces[0][0]
    return Field("", 0.0, field.values[numpy.newaxis, :], [field.faces[0], numpy.array([0.0, 0.1 * length])])


def draw(field, names, axis, position):
    """`axis`: the normal of the plane; None for the middle planes of all axes."""
    flat = field.values.ndim < 3
    shades = palette(names)
    normals = [axis or "z"] if flat or axis else list("zyx")
    shown = rod(field) if field.values.ndim == 1 else field
    figure, panels = pyplot.subplots(1, len(normals), figsize=(1.5 + 4.2 * len(normals), 4.4), squeeze=False, layout="constrained")
    for panel, normal in zip(panels.flat, normals):
        draw_plane(panel, shown, names, shades, normal, position)
        if field.values.ndim == 1:
            panel.set(yticks=[], ylabel="")
    there = set(numpy.unique(field.values))
    entries = [patches.Patch(facecolor=shade, edgecolor="0.6", hatch="////" if name == VOID else None, label=name)
               for n, (name, shade) in enumerate(zip(names, shades)) if n in there]
    panels.flat[-1].legend(handles=entries, loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0, frameon=False)
    return figure


def plot(path, output, axis=None, position=None):
    figure = draw(*read_materials(path), axis, position)
    figure.savefig(output, dpi=150)
    print(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--output", type=pathlib.Path, metavar="PNG", help="default: <input>.png")
    parser.add_argument("--axis", choices=list(AXES), help="3-D: normal of the plane (default: all three)")
    parser.add_argument("--position", type=float, metavar="METRES", help="3-D: where the plane is (default: the middle)")
    options = parser.parse_args()
    if options.position is not None and options.axis is None:
        parser.error("--position needs --axis")
    try:
        plot(options.input, options.output or options.input.with_suffix(".png"), options.axis, options.position)
    except (PlotError, OSError) as error:
        sys.exit(f"plot_materials: {error}")


if __name__ == "__main__":
    main()
