#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Studies over links of many rates and delays, each beside the same study over the fastest link, made right before; what
`halotherm probe` says of both links; and the step that scripts/predict_scaling.py predicts for the one link from the study over
the other. As root:

    HALOTHERM=.../halotherm HALOTHERM_SWITCH=.../halotherm_switch MPIEXEC=mpirun python3 shaped_links.py docs/data/shaped_links.json

--raw FOLDER keeps what the programs wrote. --short is a test: one link and a small study.
"""
import argparse
import json
import math
import signal
import statistics
import sys
import tempfile
from pathlib import Path

from jobs import NotPossible, ShapedHosts, missing, predict, probe, read, scale, wait_for_quiet

FASTEST = (0, 0)  # [s] one way, [bit/s], 0: no limit
LINKS = [(0, 2.5e9), (0, 1e9), (50e-6, 0), (200e-6, 0), (200e-6, 1e9), (1e-3, 0)]
# Cells, so few that caches hold them, or ranks would share the memory, too; and the length [bytes] up to which Open MPI sends
# a message at once, without asking the receiver first. A face of 64 x 64 cells is shorter than its usual 64 KiB, one of 96 x 96 not
USUAL, LONG = 1 << 16, 1 << 20
STUDIES = [("weak", (64, 64, 64), USUAL), ("weak", (96, 96, 48), USUAL), ("weak", (96, 96, 48), LONG),
           ("strong", (96, 96, 96), LONG)]
SHORT_LINKS, SHORT_STUDIES = [(2e-3, 2.5e9)], [("weak", (32, 32, 32), USUAL)]
# work for the processor rather than the memory, whose speed other programs change more
VARYING = ["--set", "materials.solid.conductivity=300 + 100 * x"]
REPEATS, CELLS_A_REPEAT = 15, 3e7
ENOUGH, ATTEMPTS = 0.6, 2  # of its core, that the worst-off rank must have had: the switch takes its part
ALIKE, PAIRS = 0.1, 3  # both studies of a pair must have computed at one speed: other machines of the host change it


def link_of(facts):
    pair = facts["pairs"][0]
    return {"latency_s": pair["one_way"][0]["latency"], "bytes_per_s": pair["one_way"][0]["bandwidth"],
            "bytes_per_s_each_way_at_once": max((exchange["bandwidth_both_ways"] or 0) / 2 for exchange in pair["exchanges"])}


def summary(study):
    """Of the row on two hosts."""
    row = study["results"][-1]
    exchange = row["exchange"]
    estimates = {key: {end: row[key][end] for end in ("median", "low", "high")} for key in ("step_s", "efficiency")}
    return estimates | {"computation_s": row["computation_s"]["median"], "exchange_s": exchange["alone_s"]["median"],
                        "messages_s": exchange["messages_s"], "latency_s": exchange["latency_s"],
                        "exposed_s": exchange["exposed_s"], "hidden_share": exchange["hidden_share"],
                        "bottleneck": row["bottleneck"]["name"],
                        "processor_share": min(statistics.median(r["processor_share"]["samples"]) for r in study["results"])}


def measure(hosts, kind, cells, at_once, file, patience):
    """The first study whose ranks had enough of their cores, or else the one in which they had most."""
    best = None
    hosts.settings["btl_tcp_eager_limit"] = at_once
    for _ in range(ATTEMPTS if patience > 0 else 1):
        busy = wait_for_quiet(patience)
        new = file.with_suffix(".new")
        study = scale(hosts, kind, cells, new, "--repeats", REPEATS, "--steps", int(CELLS_A_REPEAT / math.prod(cells)), *VARYING)
        facts = summary(study) | {"cores_busy_before": busy}
        if best is None or facts["processor_share"] > best["processor_share"]:
            best = facts
            new.replace(file)
        if best["processor_share"] >= ENOUGH:
            break
    return best


def way_name(delay, rate):
    return f"{1e6 * delay:g}us_{1e-9 * rate:g}Gbit"


def name_of(way, kind, cells, at_once):
    return f"{kind}_{'x'.join(map(str, cells))}_{at_once >> 10}KiB_{way_name(*way)}"


def slower(study, fastest, link):
    """The link that a study was measured over, slower by as much as the probe found one link slower than the other."""
    exchange = study["results"][-1]["exchange"]
    latency = min(exchange["latency_s"], 0.98 * exchange["messages_s"])
    byte = (exchange["messages_s"] - latency) / exchange["bytes_of_busiest_rank"]
    more = 1 / link["bytes_per_s_each_way_at_once"] - 1 / fastest["bytes_per_s_each_way_at_once"]
    return {"latency_s": max(latency + link["latency_s"] - fastest["latency_s"], 1e-6), "bytes_per_s": 1 / max(byte + more, 1e-12)}


def probed(folder, way, patience):
    with ShapedHosts(folder, *way) as hosts:
        wait_for_quiet(patience)
        return link_of(probe(hosts, folder / f"probe_{way_name(*way)}.json"))


def compare(way, study, fastest, link, folder, patience):
    """The same study over the fastest link and over another."""
    name = name_of(way, *study)
    files = folder / f"{name}_fastest.json", folder / f"{name}.json"
    best, alike = None, math.inf
    for _ in range(PAIRS if patience > 0 else 1):
        new = [file.with_suffix(".pair") for file in files]
        pair = []
        for through, file in zip((FASTEST, way), new):
            with ShapedHosts(folder, *through) as hosts:
                pair.append(measure(hosts, *study, file, patience))
            assert not hosts.left(), hosts.left()
        difference = abs(pair[1]["computation_s"] / pair[0]["computation_s"] - 1)
        if difference < alike:
            best, alike = pair, difference
            for fresh, file in zip(new, files):
                fresh.replace(file)
        if alike < ALIKE:
            break
    before, after = best
    expected = slower(read(files[0]), fastest, link)
    kind, cells, at_once = study
    return {"kind": kind, "cells": cells, "sent_at_once_bytes": at_once, **after, "over_fastest_link": before,
            "predicted": predict(files[0], expected, at_once, folder / f"predicted_{name}.json")}


def measure_link(way, studies, fastest, folder, patience):
    link = probed(folder, way, patience)
    return {"delay_s": way[0], "rate_bit_per_s": way[1], "measured": link,
            "studies": [compare(way, study, fastest, link, folder, patience) for study in studies]}


def show(link):
    there = link["measured"]
    print(f"{1e6 * link['delay_s']:g} us, {1e-9 * link['rate_bit_per_s']:g} Gbit/s: measured {1e6 * there['latency_s']:.0f} us, "
          f"{8e-9 * there['bytes_per_s']:.2f} Gbit/s one way, {8e-9 * there['bytes_per_s_each_way_at_once']:.2f} each way at once")
    for study in link["studies"]:
        step, before, foretold = study["step_s"]["median"], study["over_fastest_link"], study["predicted"]["step_s"]
        print(f"  {study['kind']} {study['cells']}, at once {study['sent_at_once_bytes'] >> 10} KiB: {1e3 * step:.3f} ms "
              f"(predicted {1e3 * foretold:.3f}, {foretold / step - 1:+.1%}), over the fastest link {1e3 * before['step_s']['median']:.3f}; "
              f"of these {1e3 * study['computation_s']:.3f}, {1e3 * before['computation_s']:.3f} computation; "
              f"hidden {study['hidden_share']:.0%}, {study['bottleneck']}, processor {study['processor_share']:.0%}", flush=True)


def study_all(links, studies, output, folder, patience):
    fastest = probed(folder, FASTEST, patience)
    results = []
    for way in links:
        results.append(measure_link(way, studies, fastest, folder, patience))
        show(results[-1])
        output.write_text(json.dumps({"fastest": fastest, "links": results}, indent=1) + "\n", encoding="utf-8")
    return results


def check(links):
    """However busy the machine is, nothing goes faster than a link lets it."""
    for link in links:
        there, rate = link["measured"], link["rate_bit_per_s"]
        assert there["latency_s"] >= link["delay_s"], link
        assert rate == 0 or 0.02 * rate <= 8 * there["bytes_per_s"] <= 1.02 * rate, link
        assert all(study["latency_s"] >= link["delay_s"] for study in link["studies"]), link


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", nargs="?", type=Path, default=Path("shaped_links.json"))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--raw", type=Path)
    parser.add_argument("--patience", type=float, default=60, help="s to wait for other programs to end, before each study")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # and leave no hosts behind
    try:
        if reason := missing():
            raise NotPossible(reason)
        with tempfile.TemporaryDirectory(prefix="halotherm-links-") as temporary:
            folder = options.raw or Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            if options.short:
                check(study_all(SHORT_LINKS, SHORT_STUDIES, folder / "links.json", folder, patience=0))
            else:
                study_all(LINKS, STUDIES, options.output, folder, options.patience)
    except NotPossible as reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    except AssertionError as failure:
        sys.exit(f"FAILED: {failure}")


if __name__ == "__main__":
    main()
