# SPDX-License-Identifier: MIT
"""Is time.integrator: auto right? Eight problems of different stiffness by every method with the steps that auto predicts for it, and by
what auto takes: seconds of the steps, in turns, as medians, and the error that each has in the end.

    compare_integrators.py [--halotherm build/cpu/bin/halotherm] [--ranks 1] [--rounds 3] [--only NAME...] [--longest 60]

The time of auto is that of the method that it took; the seconds that the choice itself takes are in the last column. A method whose
predicted time is above --longest [s] does not run. Errors are differences to crank-nicolson with four times as many steps as it needs."""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent
SOLID = {"conductivity": 1, "density": 1, "heat_capacity": 1}
WAVES = "300 + 50*sin(pi*x)*sin(pi*y)"
PROBLEMS = {  # grid, end [s], tolerance [K]
    "explicit bound": ({"cells": [256, 256], "upper": [1, 1]}, 2e-4, 0.05),
    "smooth, coarse": ({"cells": [32, 32], "upper": [1, 1]}, 0.1, 0.5),
    "smooth, fine": ({"cells": [256, 256], "upper": [1, 1]}, 0.1, 0.5),
    "smooth, exact": ({"cells": [128, 128], "upper": [1, 1]}, 0.1, 0.005),
    "thin layer": ({"x": {"cells": 64, "upper": 1}, "y": {"layers": [[0.5, 32], [1e-3, 1], [0.5, 32]]}}, 0.1, 0.1),
    "thinner layer": ({"x": {"cells": 64, "upper": 1}, "y": {"layers": [[0.5, 32], [1e-5, 1], [0.5, 32]]}}, 0.1, 0.1),
    "pulse and rest": ({"x": {"cells": 64, "upper": 1}, "y": {"layers": [[0.5, 32], [1e-5, 1], [0.5, 32]]}}, 10, 0.01),
    "pulse, even": ({"cells": [64, 64], "upper": [1, 1]}, 2, 0.05)}
AMBIENT = dict.fromkeys(["pulse and rest", "pulse, even"], "300 + 200*exp(-((t - 0.3)/0.01)^2)")
ROW = re.compile(r"^  ([^\s,]+(?:, \S+ K)?)\s+(\d+)\s+(?:to )?\S+\s+\d+\s.*?([0-9.e+-]+) (s|min|h|days?|years?)(?:  (taken))?\s*$", re.M)


def config(name):
    grid, end, tolerance = PROBLEMS[name]
    return {"grid": grid, "materials": {"solid": SOLID}, "initial": {"temperature": WAVES},
            "sides": {"x-": {"temperature": 300}, "x+": {"convection": {"coefficient": 2, "ambient": AMBIENT.get(name, f"300 + 20*sin({4 / end}*t)")}}},
            "time": {"integrator": "auto", "end": end, "tolerance": tolerance}, "output": {"directory": "results"}}


def environment():
    wanted = {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false", "HWLOC_COMPONENTS": "-gl", "OMPI_MCA_rmaps_base_oversubscribe": "1",
              "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    if os.geteuid() == 0:
        wanted |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return wanted | os.environ


def launch(options, arguments, folder):
    done = subprocess.run([os.environ.get("MPIEXEC", "mpirun"), "-n", str(options.ranks), str(options.halotherm), *arguments], cwd=folder,
                          text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          env=environment(), timeout=3600)
    if done.returncode != 0:
        sys.exit(f"compare_integrators.py: {' '.join(arguments)}: exit {done.returncode}\n{done.stdout}")
    return done.stdout


def run(options, case, method, steps):
    """(seconds of the steps, temperatures at the end). `method`: with the tolerance of a step, or of equal steps."""
    method, _, tolerance = method.partition(", ")
    end = case["time"]["end"]
    lengths = {"tolerance": float(tolerance.removesuffix(" K"))} if tolerance else {"dt": end / steps, "bound": "stable"}
    own = case | {"time": {"integrator": method, "end": end} | lengths}
    with tempfile.TemporaryDirectory(prefix="halotherm-compare-") as work:
        (Path(work) / "case.yaml").write_text(json.dumps(own), encoding="utf-8")
        launch(options, ["run", "case.yaml"], work)
        report = json.loads((Path(work) / "results/report.json").read_text(encoding="utf-8"))
        with h5py.File(next((Path(work) / "results/checkpoints").glob("*.h5")), "r") as file:
            return report["seconds"], file["T"][...]


def predicted(options, case):
    """({method: (steps, seconds)}, the one that is taken, seconds of the choice)"""
    with tempfile.TemporaryDirectory(prefix="halotherm-compare-") as work:
        (Path(work) / "case.yaml").write_text(json.dumps(case), encoding="utf-8")
        begin = time.monotonic()
        text = launch(options, ["check", "case.yaml"], work)
    seconds = {"s": 1, "min": 60, "h": 3600}
    rows = {row[0]: (int(row[1]), float(row[2]) * seconds.get(row[3], 86400)) for row in ROW.findall(text)}
    taken = next(row[0] for row in ROW.findall(text) if row[4])
    return rows, taken, time.monotonic() - begin


def compare(options, name):
    case = config(name)
    rows, taken, choosing = predicted(options, case)
    _, exact = run(options, case, "crank-nicolson", 4 * rows["crank-nicolson"][0])
    times, errors = {method: [] for method, (_, seconds) in rows.items() if seconds <= options.longest}, {}
    for _ in range(options.rounds):
        for method in times:
            seconds, answer = run(options, case, method, rows[method][0])
            times[method].append(seconds)
            errors[method] = float(np.max(np.abs(answer - exact)))
    print(f"\n{name}, allowed {case['time']['tolerance']:g} K (the choice took {choosing:.1f} s)")
    for method, (steps, seconds) in rows.items():
        measured = f"{statistics.median(times[method]):9.3f} s, error {errors[method]:.2g} K" if method in times else "   not run"
        print(f"  {method:23} {steps:9} steps, predicted {seconds:9.3g} s, measured {measured}{'  taken' if method == taken else ''}")
    best = min(statistics.median(values) for values in times.values())
    ratio = statistics.median(times[taken]) / best
    print(f"  auto over the best: {ratio:.2f}", flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--halotherm", type=lambda text: Path(text).resolve(), default=HERE.parents[1] / "build/cpu/bin/halotherm")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--longest", type=float, default=60)
    parser.add_argument("--only", nargs="+", default=list(PROBLEMS), choices=list(PROBLEMS), metavar="NAME", help=", ".join(PROBLEMS))
    options = parser.parse_args()
    ratios = [compare(options, name) for name in options.only]
    print(f"\nauto over the best of each problem: {', '.join(f'{ratio:.2f}' for ratio in ratios)}")


main()
