#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws what shaped_links.py measured, as a PNG: efficiency on two hosts over the delay of their link, a line for each rate, a
panel for each study. Filled: measured, with intervals; open: predicted.

    plot_shaped_links.py docs/data/shaped_links.json docs/images/shaped_links.png
"""
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: the backend has to be chosen first

COLOURS = ("#0072b2", "#009e73", "#e69f00", "#d55e00")  # of Okabe and Ito: told apart by everybody
MARKERS = "osD^"


def rate_text(rate):
    return f"{1e-9 * rate:g} Gbit/s" if rate else "as it is"


def delay_text(delay):
    return f"{1e6 * delay:g} µs" if delay else "as it is"


def title_of(study):
    cells = " × ".join(map(str, study["cells"])) + (" cells a rank" if study["kind"] == "weak" else " cells")
    return f"{study['kind']}, {cells}, at once up to {study['sent_at_once_bytes'] >> 10} KiB"


def draw_study(axes, links, place, delays, rates):
    for number, rate in enumerate(rates):
        look = {"color": COLOURS[number % 4], "marker": MARKERS[number % 4], "markersize": 5}
        shift = 0.12 * (number - (len(rates) - 1) / 2)
        of_rate = [link for link in links if link["rate_bit_per_s"] == rate]
        at = [delays.index(link["delay_s"]) + shift for link in of_rate]
        values = [link["studies"][place]["efficiency"] for link in of_rate]
        errors = [[100 * abs(value["median"] - value[end]) for value in values] for end in ("low", "high")]
        axes.errorbar(at, [100 * value["median"] for value in values], yerr=errors, capsize=2, lw=1, label=rate_text(rate), **look)
        for x, link in zip(at, of_rate):
            if foretold := link["studies"][place]["predicted"]:
                axes.plot(x, 100 * foretold["efficiency"], mfc="white", ls="none", zorder=4, **look)
    axes.set(title=title_of(links[0]["studies"][place]), xlim=(-0.5, len(delays) - 0.5), ylim=(0, None))
    axes.set_xticks(range(len(delays)), map(delay_text, delays))
    axes.grid(axis="y", lw=0.4)


def draw(links):
    delays = sorted({link["delay_s"] for link in links})
    rates = sorted({link["rate_bit_per_s"] for link in links}, key=lambda rate: rate or float("inf"), reverse=True)
    places = range(len(links[0]["studies"]))
    figure, panels = pyplot.subplots((len(places) + 1) // 2, 2, figsize=(10, 7), layout="constrained", sharex=True, squeeze=False)
    for place, axes in zip(places, panels.flat):
        draw_study(axes, links, place, delays, rates)
    panels[0][0].legend(title="rate (open: predicted)", frameon=False, fontsize="small")
    figure.supxlabel("delay of the link, one way")
    figure.supylabel("efficiency on two hosts [%]")
    return figure


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["links"]).savefig(sys.argv[2], dpi=150)
