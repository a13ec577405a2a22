#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws what shaped_links.py measured, as a PNG: a panel for each study, in it the step over each link. Filled: measured, with
intervals; open: predicted; grey: over the fastest link, from which it is predicted.

    plot_shaped_links.py docs/data/shaped_links.json docs/images/shaped_links.png
"""
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: the backend has to be chosen first

COLOUR, GREY = "#0072b2", "#999999"  # of Okabe and Ito: told apart by everybody


def link_text(link):
    delay = f"{1e6 * link['delay_s']:g} µs" if link["delay_s"] else ""
    rate = f"{1e-9 * link['rate_bit_per_s']:g} Gbit/s" if link["rate_bit_per_s"] else ""
    return "\n".join(filter(None, (delay, rate)))


def title_of(study):
    cells = " × ".join(map(str, study["cells"])) + (" cells a rank" if study["kind"] == "weak" else " cells")
    return f"{study['kind']}, {cells}, at once up to {study['sent_at_once_bytes'] >> 10} KiB"


def draw_study(axes, links, place):
    studies = [link["studies"][place] for link in links]
    at = range(len(links))
    steps = [study["step_s"] for study in studies]
    errors = [[1e3 * abs(step["median"] - step[end]) for step in steps] for end in ("low", "high")]
    axes.plot(at, [1e3 * study["over_fastest_link"]["step_s"]["median"] for study in studies], "_", color=GREY, ms=14,
              label="measured over the fastest link")
    axes.errorbar(at, [1e3 * step["median"] for step in steps], yerr=errors, fmt="o", color=COLOUR, capsize=3, lw=1, label="measured")
    axes.plot(at, [1e3 * study["predicted"]["step_s"] for study in studies], "s", color=COLOUR, mfc="none", ms=9, label="predicted")
    axes.set(title=title_of(studies[0]), xlim=(-0.5, len(links) - 0.5), ylim=(0, None))
    axes.set_xticks(at, map(link_text, links))
    axes.grid(axis="y", lw=0.4)


def draw(links):
    places = range(len(links[0]["studies"]))
    figure, panels = pyplot.subplots((len(places) + 1) // 2, 2, figsize=(10, 7), layout="constrained", squeeze=False)
    for place, axes in zip(places, panels.flat):
        draw_study(axes, links, place)
    panels[0][0].legend(frameon=False, fontsize="small", loc="upper left")
    figure.supylabel("a step on two hosts [ms]")
    return figure


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["links"]).savefig(sys.argv[2], dpi=150)
