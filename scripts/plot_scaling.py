#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws what `halotherm scale` measured, as a PNG: cell rates beside the ideal, efficiency, and where a step's time goes.

Medians with the confidence intervals of the files. Several files are laid over each other, for comparison; their studies must be all
strong or all weak. Bars are relative to the ideal step, so that a bar of 125 % is an efficiency of 80 %, and what grows is to blame.

    plot_scaling.py strong.json
    plot_scaling.py before.json after.json -o docs/images/scaling.png --labels before,after
"""
import argparse
import dataclasses
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402: the backend has to be chosen first
from result_file import ResultError, positive, read_result  # noqa: E402

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # of Okabe and Ito: told apart by everybody
MARKERS = "osD^vP"
PHASES = {"interior": "#0072b2", "shell": "#56b4e9", "formulas": "#009e73", "halo start": "#e69f00", "halo wait": "#d55e00"}
WAITING = "slower ranks"  # what the slowest rank's step takes more than the mean of all
GREY = "0.45"


@dataclasses.dataclass
class Value:
    median: float
    low: float
    high: float


@dataclasses.dataclass
class Row:
    ranks: int
    rate: Value  # GCells/s
    efficiency: Value  # %
    phases: dict  # of PHASES and WAITING, % of the ideal step
    bottleneck: str


@dataclasses.dataclass
class Study:
    label: str
    kind: str
    title: str
    version: str
    confidence: float
    rows: list


def value_of(table, factor):
    value = Value(*(factor * positive(table, key) for key in ("median", "low", "high")))
    if not value.low <= value.median <= value.high:
        raise ValueError(f"the median {value.median!r} lies outside of its interval")
    return value


def row_of(table):
    efficiency = value_of(table["efficiency"], 100)
    step = positive(table["step_s"], "median")
    to_ideal = 100 / step * 100 / efficiency.median
    phases = {name: to_ideal * float(table["phases_s"][name]) for name in PHASES}
    phases[WAITING] = max(0.0, to_ideal * step - sum(phases.values()))
    return Row(int(positive(table, "ranks")), value_of(table["cells_per_s"], 1e-9), efficiency, phases, str(table["bottleneck"]["name"]))


def cells_text(cells):
    return " × ".join(str(int(extent)) for extent in cells if extent > 1)


def study_of(content, label):
    program, kind = content["program"], content["kind"]
    rows = sorted((row_of(table) for table in content["results"]), key=lambda row: row.ranks)
    if kind not in ("strong", "weak"):
        raise ValueError(f"'kind' must be strong or weak, and is {kind!r}")
    if not rows:
        raise ValueError("it has no results")
    confidence = min(positive(table["step_s"], "confidence") for table in content["results"])
    grid = cells_text(content["results"][0]["cells"]) + (" cells a rank" if kind == "weak" else " cells")
    title = f"{kind.capitalize()} scaling, {grid}, {content['precision']}: {content['device']}"
    version = f"Halotherm {program['version']} ({str(program['commit'])[:7]})"
    return Study(label, kind, title, version, confidence, rows)


def draw_values(axes, study, look, values):
    """Medians with their intervals."""
    ranks = [row.ranks for row in study.rows]
    errors = [[value.median - value.low for value in values], [value.high - value.median for value in values]]
    axes.errorbar(ranks, [value.median for value in values], yerr=errors, capsize=3, lw=1.4, markersize=5, label=study.label, zorder=3, **look)


def draw_rates(axes, studies, looks):
    for study, look in zip(studies, looks):
        first, last = study.rows[0], study.rows[-1]
        ideal = [first.rate.median * row.ranks / first.ranks for row in study.rows]
        label = "ideal" if study is studies[0] else None
        axes.plot([row.ranks for row in study.rows], ideal, color=look["color"], lw=0.9, ls="--", label=label, zorder=2)
        draw_values(axes, study, look, [row.rate for row in study.rows])
        if last is not first:
            axes.annotate(f"{last.rate.median / first.rate.median * first.ranks:.3g}×", (last.ranks, last.rate.median), xytext=(0, -12),
                          textcoords="offset points", ha="center", va="top", fontsize="small", color=look["color"])
    axes.set(xscale="log", yscale="log", ylabel="GCells/s")
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 1.5, 2, 3, 4, 5, 7)))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.margins(x=0.12, y=0.16)


def draw_efficiency(axes, studies, looks):
    axes.axhline(100, color="black", lw=0.9, ls="--", zorder=2)
    for study, look in zip(studies, looks):
        draw_values(axes, study, look, [row.efficiency for row in study.rows])
    highest = max(row.efficiency.high for study in studies for row in study.rows)
    axes.set(xscale="log", ylabel="efficiency [%]", ylim=(0, max(110, 1.05 * highest)))
    axes.margins(x=0.12)


def draw_bars(axes, studies):
    """A group for every number of ranks, in it a bar for every study."""
    counts = rank_counts(studies)
    width = 0.8 / len(studies)
    for place, study in enumerate(studies):
        for row in study.rows:
            x = counts.index(row.ranks) + (place - (len(studies) - 1) / 2) * width
            bottom = 0.0
            for name, colour in {**PHASES, WAITING: "0.75"}.items():
                axes.bar(x, row.phases[name], width * 0.9, bottom=bottom, color=colour, edgecolor="white", linewidth=0.5, zorder=2)
                bottom += row.phases[name]
            text = row.bottleneck if row.bottleneck != "none" else ""
            axes.annotate(f"{chr(ord('a') + place)}  {text}" if len(studies) > 1 else text, (x, bottom), xytext=(0, 3),
                          textcoords="offset points", ha="center", va="bottom", fontsize="x-small", rotation=90, color=GREY)
    axes.axhline(100, color="black", lw=0.9, ls="--", zorder=3)
    highest = max(sum(row.phases.values()) for study in studies for row in study.rows)
    axes.set(ylabel="a step, relative to the ideal one [%]", ylim=(0, 1.6 * max(100, highest)), xlim=(-0.6, len(counts) - 0.4))
    axes.set_xticks(range(len(counts)), counts)
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colour) for colour in (*PHASES.values(), "0.75")]
    axes.legend(handles, [*PHASES, WAITING], loc="upper left", ncols=2, frameon=False, fontsize="x-small", handlelength=1)


def rank_counts(studies):
    return sorted({row.ranks for study in studies for row in study.rows})


def draw(studies):
    figure, panels = pyplot.subplots(1, 3, figsize=(11, 4.2), layout="constrained", width_ratios=(1, 1, 1.15))
    looks = [{"color": COLOURS[n % len(COLOURS)], "marker": MARKERS[n % len(MARKERS)]} for n in range(len(studies))]
    draw_rates(panels[0], studies, looks)
    draw_efficiency(panels[1], studies, looks)
    draw_bars(panels[2], studies)
    counts = rank_counts(studies)
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", color="0.92", lw=0.8)
        axes.set_axisbelow(True)
        axes.set_xlabel("ranks")
    for axes in panels[:2]:
        axes.set_xticks(counts, counts)
        axes.xaxis.set_minor_locator(ticker.NullLocator())
    panels[0].legend(loc="upper left", frameon=False, fontsize="small")
    figure.suptitle("\n".join(dict.fromkeys(study.title for study in studies)), x=0.01, ha="left", fontweight="bold", fontsize="medium")
    confidence = min(study.confidence for study in studies)
    versions = ", ".join(dict.fromkeys(study.version for study in studies))
    figure.supxlabel(f"{versions}; medians with intervals that are {100 * confidence:.0f} % sure", x=0.99, ha="right", fontsize="x-small",
                     color=GREY)
    return figure


def read_studies(paths, labels):
    names = labels.split(",") if labels else [path.stem for path in paths]
    if len(names) != len(paths):
        raise ResultError(f"--labels gives {len(names)} names for {len(paths)} files: give one for each")
    letters = [f"{chr(ord('a') + n)}: " if len(paths) > 1 else "" for n in range(len(paths))]
    studies = [read_result(path, "halotherm scale", lambda content, label=letter + name: study_of(content, label))
               for path, letter, name in zip(paths, letters, names)]
    if len({study.kind for study in studies}) > 1:
        raise ResultError("strong and weak studies do not go into one figure: draw one for each kind")
    return studies


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", type=pathlib.Path, metavar="RESULT.json", nargs="+")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="PNG", help="default: the first input with .png")
    parser.add_argument("--labels", metavar="NAME[,NAME]", help="of the files, in the legend; default: their names")
    options = parser.parse_args()
    output = options.output or options.inputs[0].with_suffix(".png")
    try:
        draw(read_studies(options.inputs, options.labels)).savefig(output, dpi=200)
    except (ResultError, OSError) as error:
        print(f"plot_scaling: {error}", file=sys.stderr)
        sys.exit(2)
    print(output)


if __name__ == "__main__":
    main()
