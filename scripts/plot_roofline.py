#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws what `halotherm bench` measured, as a PNG: each kernel below the memory roof, and its fraction of its ceiling as a bar.

The roof is the measured copy, the best that memory gives; numbers tell the kernels, which often share an arithmetic intensity.

    plot_roofline.py bench.json
    plot_roofline.py bench.json -o docs/images/roofline.png
"""
import argparse
import dataclasses
import math
import pathlib
import sys
import textwrap

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker, transforms  # noqa: E402: the backend has to be chosen first
from result_file import ResultError, positive, read_result  # noqa: E402

COLOURS = {"float64": "#0072b2", "float32": "#d55e00"}  # of Okabe and Ito: told apart by everybody
MARKERS = {"float64": "o", "float32": "s"}
KERNELS = ("stencil", "baseline")  # drawn as points; the other kinds compute nothing and are bars only
GREY = "0.45"
SUPERSCRIPTS = {1: "", 2: "²", 3: "³"}


@dataclasses.dataclass
class Row:
    kind: str
    name: str
    precision: str
    cells: list
    fraction: float  # of the row's ceiling
    rate: float  # Gcells/s
    intensity: float  # flops/byte
    speed: float  # GFLOP/s
    warning: str
    number: str = ""

    @property
    def is_kernel(self):
        return self.kind in KERNELS

    @property
    def colour(self):
        return COLOURS[self.precision] if self.is_kernel else GREY

    @property
    def style(self):
        """Full or hollow, for points and bars."""
        return {"facecolor": self.colour if self.kind != "baseline" else "white", "edgecolor": self.colour}


@dataclasses.dataclass
class Benchmark:
    device: str
    version: str
    copy: float  # bytes/s
    peak: float  # bytes/s, or None
    rows: list


def row_of(table):
    kind, precision, rate = table["kind"], table["precision"], positive(table, "cells_per_second") / 1e9
    if precision not in COLOURS:
        raise ValueError(f"'precision' must be float32 or float64, and is {precision!r}")
    flops, size = (positive(table, key) for key in ("flops_per_cell", "bytes_per_cell")) if kind in KERNELS else (0, 1)
    cells = [int(extent) for extent in table["cells"]]
    if not 1 <= len(cells) <= len(SUPERSCRIPTS):
        raise ValueError(f"'cells' must be one to three numbers, and is {cells}")
    return Row(kind, str(table["name"]), precision, cells, positive(table, "fraction"), rate, flops / size, flops * rate,
               table.get("warning") or "")


def benchmark_of(content):
    rows = [row_of(table) for table in content["rows"] if table["kind"] in KERNELS or table["fraction"]]
    copies = [positive(ceiling, "bandwidth") for ceiling in content["ceilings"] if ceiling["name"] == "copy"]
    device, version = content["device"], f"Halotherm {content['version']} ({content['commit'][:7]})"
    peak = positive(device, "peak_bandwidth") if device.get("peak_bandwidth") else None
    if not copies or not any(row.is_kernel for row in rows):
        raise ValueError(f"it has no {'kernels' if copies else 'measured copy'}")
    for number, row in enumerate((row for row in rows if row.is_kernel), 1):
        row.number = str(number)
    return Benchmark(str(device["name"]), version, max(copies), peak, rows)


def bandwidth(value):
    return f"{value / 1e12:.3g} TB/s" if value >= 1e12 else f"{value / 1e9:.3g} GB/s"


def spaced(value):
    """12 345.6: thousands apart."""
    return f"{value:,.12g}".replace(",", "\u202f")


def grid(cells):
    """512³, 512 × 512 × 1024: axes of a single cell are left out."""
    axes = [extent for extent in cells if extent > 1] or [1]
    return spaced(axes[0]) + SUPERSCRIPTS[len(axes)] if len(set(axes)) == 1 else " × ".join(map(spaced, axes))


def draw_roofs(axes, benchmark, intensities):
    """The roofs over the whole width, and a legend of all that the points' looks say."""
    margin = max(1.8, (12 * min(intensities) / max(intensities)) ** 0.5)  # room for the legend where points share an intensity
    ends = [min(intensities) / margin, max(intensities) * margin]
    roofs = [("measured copy", benchmark.copy, 1.5, "-"), ("physical peak", benchmark.peak, 0.8, "--")]
    for name, rate, width, style in roofs[:2 if benchmark.peak else 1]:
        axes.plot(ends, [rate / 1e9 * end for end in ends], color="black", lw=width, ls=style, label=f"{name}, {bandwidth(rate)}")
    for precision in dict.fromkeys(row.precision for row in benchmark.rows if row.is_kernel):
        axes.scatter([], [], marker=MARKERS[precision], color=COLOURS[precision], label=precision)
    if any(row.kind == "baseline" for row in benchmark.rows):
        axes.scatter([], [], facecolor="white", edgecolor=GREY, label="baseline, for comparison")
    axes.set_xlim(*ends)


def draw_roofline(axes, benchmark):
    kernels = [row for row in benchmark.rows if row.is_kernel]
    draw_roofs(axes, benchmark, [row.intensity for row in kernels])
    for row in kernels:
        axes.scatter(row.intensity, row.speed, s=26, marker=MARKERS[row.precision], linewidth=1.2, zorder=3, **row.style)
    axes.set(xscale="log", yscale="log", xlabel="arithmetic intensity [flops/byte]", ylabel="GFLOP/s")
    axes.set_ylim(min(row.speed for row in kernels) / 2.5)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: spaced(value)))
        axis.set_minor_locator(ticker.NullLocator())
    axes.grid(color="0.92", lw=0.8)
    axes.set_axisbelow(True)
    axes.legend(loc="upper left", frameon=False, fontsize="small", handlelength=1.6)


def columns_of(points, width):
    """The points, as (x, y, row), in columns no further apart than `width`; each from the top down."""
    columns = []
    for point in sorted(points, key=lambda point: point[0]):
        if columns and point[0] - columns[-1][-1][0] < width:
            columns[-1].append(point)
        else:
            columns.append([point])
    return [sorted(column, key=lambda point: -point[1]) for column in columns]


def number_points(figure, axes, benchmark):
    """Numbers to the right of their points and below each other: up is the roof, down there is room."""
    figure.draw_without_rendering()  # from here on the layout is known
    points = []
    for row in filter(lambda row: row.is_kernel, benchmark.rows):
        x, y = axes.transData.transform((row.intensity, row.speed)) * 72 / figure.dpi
        points.append((x, y, row))
    for column in columns_of(points, 24):
        level = math.inf
        right = max(x for x, _, _ in column) + 14
        for x, y, row in column:
            level = min(y, level - 9.5)
            axes.annotate(row.number, (row.intensity, row.speed), xytext=(right - x, level - y), textcoords="offset points",
                          va="center", fontsize="small", fontweight="bold", color=row.colour,
                          arrowprops={"arrowstyle": "-", "lw": 0.6, "color": row.colour, "shrinkA": 1, "shrinkB": 3.5})


def draw_key(axes, place, row):
    """The point's look and number beside the bar, and how fast that is."""
    beside = axes.get_yaxis_transform()
    axes.annotate(row.number, (0, place), xytext=(-5, 0), xycoords=beside, textcoords="offset points", ha="right", va="center",
                  fontsize="small", fontweight="bold", color=row.colour)
    shift = transforms.ScaledTranslation(-24 / 72, 0, axes.figure.dpi_scale_trans)
    axes.scatter(0, place, s=26, marker=MARKERS[row.precision], linewidth=1.2, transform=beside + shift, clip_on=False, **row.style)
    axes.annotate(f"{row.rate:.3g}", (1.02, place), xycoords=beside, va="center", fontsize="small", color=GREY)


def draw_bars(axes, benchmark):
    rows = benchmark.rows
    scale = max(1, *(row.fraction for row in rows))
    for place, row in enumerate(rows):
        axes.barh(place, 100 * row.fraction, height=min(0.66, 0.09 * len(rows)), linewidth=1.2, zorder=2, **row.style)
        inside = row.fraction > 0.25 * scale
        axes.annotate(f"{100 * row.fraction:.0f} %{' *' if row.warning else ''}", (100 * row.fraction, place),
                      xytext=(-4 if inside else 4, 0), textcoords="offset points", ha="right" if inside else "left", va="center",
                      fontsize="small", fontweight="bold", color="white" if inside and row.kind != "baseline" else row.colour)
        if row.is_kernel:
            draw_key(axes, place, row)
    axes.annotate("Gcells/s", (1.02, 1), xytext=(0, 4), xycoords="axes fraction", textcoords="offset points", fontsize="small", color=GREY)
    axes.axvline(100, color="black", lw=1.5, zorder=3)
    axes.set_yticks(range(len(rows)), [f"{row.name}, {grid(row.cells)}" for row in rows], fontsize="small")
    axes.tick_params(axis="y", length=0, pad=32)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, 104 * scale)
    axes.set_xlabel("of the measured copy [%]")


def draw(benchmark):
    height = max(4.5, 1.3 + 0.26 * len(benchmark.rows))
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, height), layout="constrained", width_ratios=(1.15, 1))
    draw_roofline(left, benchmark)
    draw_bars(right, benchmark)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    notes = dict.fromkeys(row.warning for row in benchmark.rows if row.warning)
    notes = [benchmark.version] + textwrap.wrap("* " + "; ".join(notes), 150) if notes else [benchmark.version]
    figure.suptitle(benchmark.device, x=0.01, ha="left", fontweight="bold")
    figure.supxlabel("\n".join(notes), x=0.99, ha="right", fontsize="x-small", color=GREY)
    number_points(figure, left, benchmark)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", type=pathlib.Path, metavar="BENCH.json")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="PNG", help="default: BENCH.png")
    options = parser.parse_args()
    output = options.output or options.input.with_suffix(".png")
    try:
        draw(read_result(options.input, "halotherm bench", benchmark_of)).savefig(output, dpi=200)
    except (ResultError, OSError) as error:
        print(f"plot_roofline: {error}", file=sys.stderr)
        sys.exit(2)
    print(output)


if __name__ == "__main__":
    main()
