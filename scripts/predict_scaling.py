#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Predicts step times on other numbers of nodes from a study that `halotherm scale --json` measured.

    predict_scaling.py strong.json --nodes 4,16,64
    predict_scaling.py strong.json --nodes 4,16 --ranks-per-node 8 --link 2e-6,25e9 --json out.json

scaling_model.py has the formulas. Exit code: 0; 2 if an option or the study is wrong; 4 if the JSON file
cannot be written.
"""
import argparse
import itertools
import json
import math
import pathlib
import re
import sys

from grid_partition import Partition, PartitionError, growth, partition
from result_file import ResultError, positive, read_result
from scaling_model import Link, Load, Row, fit

MOST_RANKS = 1 << 24
MOST_RANKS_ONE_BY_ONE = 1 << 17  # where a node's blocks are no box
MOST_CELLS = 1 << 30  # along an axis
MOST_DEPTH = 8  # of ghost layers
MOST_ERROR = 0.1  # of a model that fits


class PredictionError(Exception):
    pass


def row_of(table, own_memory):
    exchange, ranks, cells = table["exchange"], positive(table, "ranks"), float(positive(table, "cells_per_rank"))
    step, computation, copy_rate = (positive(table[key], "median")
                                    for key in ("step_s", "computation_s", "copy_bytes_per_s"))
    row = Row(ranks, Load(cells), step, computation, float(table["launches_s"]), copy_rate / ranks, own_memory)
    if exchange["messages_per_step"]:
        row.load.received = positive(exchange, "received_over_owned_cells") * cells
        row.load.near_bytes = float(positive(exchange, "bytes_of_busiest_rank"))
        row.messages, row.latency = positive(exchange, "messages_s"), positive(exchange, "latency_s")
        row.exchange = min(map(float, exchange["alone_s"]["samples"]))
    return row


def settings_of(yaml):
    """The values of a resolved configuration, by their dotted keys: a line each, two blanks a level."""
    settings, path = {}, []
    for line in yaml.splitlines():
        name, _, value = line.strip().partition(": ")
        path[(len(line) - len(line.lstrip())) // 2:] = [name.removesuffix(":")]
        settings[".".join(path)] = value
    return settings


class Study:
    def __init__(self, content):
        self.kind, self.device, self.program = content["kind"], content["device"], content["program"]
        if self.kind not in ("strong", "weak"):
            raise ValueError(f"'kind' must be strong or weak, and is {self.kind!r}")
        hosts = [place["host"] for place in content["places"]]
        self.ranks_per_node = hosts.count(hosts[0])
        self.rows = sorted((row_of(table, content["own_memory"]) for table in content["results"]),
                           key=lambda row: row.ranks)
        if not self.rows:
            raise ValueError("it has no results")
        settings = settings_of(content["config"])
        self.cells = json.loads(settings["grid.cells"])
        self.halo = int(settings["parallel.halo"])
        self.element = 8 if settings["grid.precision"] == "float64" else 4
        self.periodic = ["periodic" in (settings.get(f"sides.{axis}-"), settings.get(f"boundary.{axis}-.type"))
                         for axis in "xyz"]
        mapping = settings.get("parallel.rank_mapping") or settings.get("parallel.placement")
        self.compact = mapping != "natural"

    def partition(self, ranks):
        cells = self.cells + [1] * (3 - len(self.cells))
        if self.kind == "strong":
            return partition(cells, self.periodic, ranks, self.halo)
        blocks = growth(len(self.cells), ranks)
        grown = Partition([n * factor for n, factor in zip(cells, blocks)], self.periodic, blocks)
        objection = grown.objection(self.halo)
        if max(grown.cells) > MOST_CELLS:
            objection = f"{max(grown.cells)} cells along an axis on {ranks} ranks (at most {MOST_CELLS})"
        if objection:
            raise PartitionError(f"cannot make {objection}: use fewer ranks")
        return grown

    def load(self, grid, ranks_per_node):
        """The largest of each kind among the ranks of a partition on such nodes."""
        box = grid.node_box(ranks_per_node, self.compact)
        largest = grid.largest_loads(self.halo, box) if box else self.loads_one_by_one(grid, ranks_per_node)
        cells = math.prod(max(grid.extents(axis)) for axis in range(3))
        return Load(float(cells), float(largest[0]), *(float(self.element * most) for most in largest[1:]))

    def loads_one_by_one(self, grid, ranks_per_node):
        if math.prod(grid.blocks) > MOST_RANKS_ONE_BY_ONE:
            raise PredictionError(f"{math.prod(grid.blocks)} ranks, {ranks_per_node} a node, are too many where a node's blocks are no box "
                                  f"(at most {MOST_RANKS_ONE_BY_ONE} then): ask for numbers of nodes that are powers of two")
        nodes = grid.nodes(ranks_per_node, self.compact)
        received, near, far = ([0] * math.prod(grid.blocks) for _ in range(3))
        longest = 0
        for block, neighbour, cells in grid.messages(self.halo):
            received[block] += cells
            if nodes[block] == nodes[neighbour]:
                near[block] += cells
            else:
                far[block] += cells
                longest = max(longest, cells)
        return max(received), max(near), max(far), longest


class Prediction:
    def __init__(self, study, ranks_per_node, far):
        if not study.rows[-1].exchange and not far:
            raise PredictionError("the study has no link to calculate with (on one rank nothing is exchanged): "
                                  "give --link SECONDS,BYTES_PER_SECOND, or measure 2 ranks or more")
        self.study, self.ranks_per_node, self.far = study, ranks_per_node, far
        self.model = fit(study.rows, far)
        self.again = [self.model.again(row, study.rows[0]) for row in study.rows]

    def row(self, nodes):
        """On so many nodes, as the JSON has it."""
        ranks = nodes * self.ranks_per_node
        if ranks > MOST_RANKS:
            raise PredictionError(f"--nodes asks for {nodes} nodes of {self.ranks_per_node} ranks "
                                  f"(at most {MOST_RANKS} ranks are possible): ask for fewer")
        grid = self.study.partition(ranks)
        load = self.study.load(grid, self.ranks_per_node)
        step = self.model.step(load, self.far)
        times = {1: step.total} | {depth: self.model.time_with_depth(load, self.far, depth)
                                   for depth in range(2, MOST_DEPTH + 1)}
        best = min(times, key=times.get)
        ideal = self.again[0]
        if self.study.kind == "strong":
            ideal = ideal * self.study.rows[0].ranks / ranks
        return {"nodes": nodes, "ranks": ranks, "blocks": grid.blocks, "cells_per_rank": load.cells,
                "bytes_within_node": load.near_bytes, "bytes_between_nodes": load.far_bytes,
                "step_s": step.total, "cells_per_s": math.prod(grid.cells) / step.total,
                "efficiency": ideal / step.total, "launches_s": step.launches, "inner_s": step.inner,
                "shell_s": step.shell, "exchange_s": step.exchange, "packing_s": step.packing,
                "latency_s": step.latency, "transfer_s": step.transfer, "exposed_s": step.exposed,
                "largest_loss": step.largest_loss(), "best_halo_depth": best,
                "halo_depth_gain": 1 - times[best] / step.total}

    def scan(self):
        """Rows of 1, 2, 4, … nodes, as long as the grid can be partitioned."""
        rows = []
        try:
            for doublings in itertools.count():
                rows.append(self.row(1 << doublings))
        except (PartitionError, PredictionError):
            return rows


def link_text(link):
    text = f"{1e6 * link.latency:.3g} us + bytes / {1e-9 * link.bandwidth:.4g} GB/s"
    if math.isfinite(link.eager_limit):
        text += f", an answer first for messages of more than {link.eager_limit:.0f} bytes"
    return text


def link_json(link):
    return {"latency_s": link.latency, "bytes_per_s": link.bandwidth,
            "sent_at_once_bytes": link.eager_limit if math.isfinite(link.eager_limit) else None}


def model_text(p):
    m, rows = p.model, p.study.rows
    errors = [again / row.step - 1 for row, again in zip(rows, p.again)]
    error = ", ".join(f"{row.ranks} rank{'s' * (row.ranks > 1)} {100 * error:+.1f} %"
                      for row, error in zip(rows, errors))
    far = f"; between nodes, as given, {link_text(p.far)}" if p.far else ""
    text = f"""\
study          {p.study.kind} scaling on {rows[0].ranks} to {rows[-1].ranks} ranks of {p.study.device}
work           {1e6 * m.launches:.4g} us + {1e9 * m.cell:.4g} ns a cell + {1e9 * m.shell:.4g} ns a received cell
exchange       {1e12 * m.packing:.3g} ps to pack and unpack a byte; measured links {link_text(m.link)}{far}
step           work + {100 * m.seen:.0f} % of the exchange by the measured links \
+ what does not fit beside {100 * m.hiding:.0f} % of the work
error          of the step, where it was measured: {error}
"""
    if max(map(abs, errors)) > MOST_ERROR:
        text += ("warning        the model does not fit this study (a busy machine, or a grid so small that "
                 "launches count most): what it predicts means little\n")
    return text


def table_text(rows):
    text = (f"\n{'nodes':>8} {'ranks':>8}  {'blocks':14} {'cells a rank':>12} {'ms a step':>10} {'GCells/s':>10} "
            f"{'effic.':>8} {'exchange us':>11} {'exposed':>9}  {'largest loss':18} ghost layers that would help\n")
    for row in rows:
        depth = row["best_halo_depth"]
        help_ = f"{depth} every {depth} steps: -{100 * row['halo_depth_gain']:.0f} %" if depth > 1 else "none"
        text += (f"{row['nodes']:8} {row['ranks']:8}  {' x '.join(map(str, row['blocks'])):14} "
                 f"{row['cells_per_rank']:12.4g} {1e3 * row['step_s']:10.4g} {1e-9 * row['cells_per_s']:10.4g} "
                 f"{100 * row['efficiency']:6.1f} % {1e6 * row['exchange_s']:11.4g} "
                 f"{100 * row['exposed_s'] / row['step_s']:7.1f} %  {row['largest_loss']:18} {help_}\n")
    return text


def limits_text(kind, scan):
    """Where the scan's efficiency falls below 90 and 50 %, and where strong scaling ends."""
    text = ""
    for name, share in (("efficiency", 0.9), ("", 0.5)):
        good = list(itertools.takewhile(lambda row: row["efficiency"] >= share, scan))  # pylint: disable=cell-var-from-loop
        where = f"up to {good[-1]['nodes']} nodes, of 1, 2, 4 and so on" if good else "on no number of nodes"
        text += f"{name:15}{100 * share:.0f} % or more {where}\n"
    if kind == "weak" or not scan:
        return text
    best = min(scan, key=lambda row: row["step_s"])
    ends = "goes on until the grid cannot be split any further," if best is scan[-1] else "ends"
    return text + (f"strong scaling {ends} at {best['nodes']} nodes, {best['cells_per_rank']:.3g} cells a rank: "
                   f"{1e3 * best['step_s']:.4g} ms a step, most of it lost to {best['largest_loss']}\n")


def report(p, rows, scan):
    m = p.model
    return {"program": p.study.program, "kind": p.study.kind, "device": p.study.device,
            "ranks_per_node": p.ranks_per_node, "element_bytes": p.study.element,
            "model": {"launches_s": m.launches, "cell_s": m.cell, "shell_cell_s": m.shell,
                      "packing_s_per_byte": m.packing, "link": link_json(m.link),
                      "link_between_nodes": link_json(p.far) if p.far else None,
                      "seen_share_of_exchange": m.seen, "hiding_share_of_work": m.hiding},
            "errors": [{"ranks": row.ranks, "measured_s": row.step, "predicted_s": again}
                       for row, again in zip(p.study.rows, p.again)],
            "predictions": rows, "scan": scan}


def node_counts(text):
    counts = sorted(int(word) for word in text.split(",") if re.fullmatch("[1-9][0-9]{0,8}", word))
    if len(set(counts)) < text.count(",") + 1:
        raise argparse.ArgumentTypeError(f"'{text}' must be whole numbers from 1 on, each once, as in 1,2,4")
    return counts


def ranks_of_node(text):
    if not re.fullmatch("[1-9][0-9]{0,3}", text) or int(text) > 4096:
        raise argparse.ArgumentTypeError(f"'{text}' must be a whole number from 1 to 4096")
    return int(text)


def link_of(text):
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if not 2 <= len(numbers) <= 3 or not all(number > 0 for number in numbers):
        raise argparse.ArgumentTypeError(f"'{text}' must be two or three numbers above 0: seconds, bytes a "
                                         "second, bytes, as in 2e-6,25e9 or 2e-6,25e9,65536")
    return Link(*numbers)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=pathlib.Path, metavar="STUDY.json")
    parser.add_argument("--nodes", type=node_counts, metavar="N[,N...]", required=True)
    parser.add_argument("--ranks-per-node", type=ranks_of_node, metavar="N", help="default: as in the study")
    parser.add_argument("--link", type=link_of, metavar="SECONDS,BYTES_PER_SECOND[,BYTES]",
                        help="between nodes: latency of an exchange, bandwidth each way of a rank, and the length up "
                        "to which messages leave without an answer; default: as between the study's ranks")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the prediction to this file, too")
    return parser.parse_args()


def main():
    options = parse_options()
    try:
        study = read_result(options.study, "halotherm scale", Study)
        prediction = Prediction(study, options.ranks_per_node or study.ranks_per_node, options.link)
        rows, scan = [prediction.row(nodes) for nodes in options.nodes], prediction.scan()
    except (ResultError, PredictionError, PartitionError) as error:
        print(f"predict_scaling: {error}", file=sys.stderr)
        sys.exit(2)
    print(model_text(prediction) + table_text(rows) + "\n" + limits_text(study.kind, scan), end="")
    if options.json:
        try:
            options.json.write_text(json.dumps(report(prediction, rows, scan), indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            print(f"predict_scaling: cannot write '{options.json}' ({error.strerror})", file=sys.stderr)
            sys.exit(4)


if __name__ == "__main__":
    main()
