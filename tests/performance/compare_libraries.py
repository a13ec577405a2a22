# SPDX-License-Identifier: MIT
"""A steady state by halotherm run, PETSc and hypre: the same cells, coefficients, tolerance and answer, in turns.

    compare_libraries.py [--halotherm build/cpu/bin/halotherm] [--cells 64 128] [--body box] [--contrast 1 1e4] [--ranks 1 2]
                         [--rounds 5] [--only NAME...] [--json FILE]

The libraries are Debian's packages libpetsc-real-dev and libhypre-dev; the programs in libraries/ are compiled with mpicxx. All solve
the problem of libraries/conduction.hpp in float64 from 300 K everywhere until the 2-norm of the residual is 1e-8 of the first. This
script forms that residual anew from each answer; `left` is what it finds. Times are medians of the slowest rank, `(range)`. Set-up
makes the matrix and the preconditioner, and excludes the start of the program. The memory is the sum of the ranks' highest (VmHWM).
PETSc solves for the box alone, since its levels need the body on coarser grids. `ratio` is the time of a program's solve over that of Halotherm on as many ranks, the second one with the set-up of both."""
import argparse
import itertools
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

TOLERANCE = 1e-8
HERE = Path(__file__).resolve().parent
# prints the most memory of a rank's process, after it has ended
WRAPPER = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print("VmHWM", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, "kB", flush=True)
sys.exit(code)
"""
SSOR = ["-mg_levels_ksp_type", "richardson", "-mg_levels_pc_type", "sor"]
# name: program, words before the name of the output, and after it
LIBRARIES = {"PETSc CG + PCMG": ("petsc", [], []),  # its usual Chebyshev of SOR
             "PETSc CG + PCMG, SSOR": ("petsc", [], SSOR),
             "hypre CG + PFMG": ("hypre", ["pfmg"], []),
             "hypre CG + PFMG, red-black": ("hypre", ["pfmg-red-black"], []),
             "hypre CG + SMG": ("hypre", ["smg"], [])}
HALOTHERM = "Halotherm"
BODIES = ("box", "layers", "rods", "grains")  # of libraries/conduction.hpp


def fail(text):
    sys.exit(f"compare_libraries.py: {text}")


def flags_of(library):
    """What the compiler needs for it; ends the script if it is missing."""
    if library == "petsc":
        if shutil.which("pkg-config") is None:
            fail("pkg-config is missing: install Debian's package pkg-config")
        found = subprocess.run(["pkg-config", "--cflags", "--libs", "PETSc"], text=True, capture_output=True, check=False)
        if found.returncode != 0:
            fail("PETSc is missing: install Debian's package libpetsc-real-dev (with its recommendations left out it takes 600 MB)")
        return found.stdout.split()
    folder = next((path for path in (Path("/usr/include/hypre"), Path("/usr/local/include/hypre")) if (path / "HYPRE.h").exists()), None)
    if folder is None:
        fail("hypre is missing: install Debian's package libhypre-dev")
    return [f"-I{folder}", "-lHYPRE"]


def build(library, folder):
    program = folder / f"{library}_solve"
    if shutil.which("mpicxx") is None:
        fail("mpicxx is missing: install Debian's package libopenmpi-dev")
    words = ["mpicxx", "-std=c++20", "-O3", "-march=native", "-w", str(HERE / "libraries" / f"{library}_solve.cpp"), "-o", str(program),
             *flags_of(library)]
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        fail(f"{library}_solve.cpp does not compile\n{done.stdout}")
    return program


def config(cells, body, contrast):
    """The problem of conduction.hpp, with labels.h5 beside it."""
    materials = {f"of_{n}": {"conductivity": contrast ** (n / 4), "density": 1, "heat_capacity": 1} for n in np.unique(exponents(cells, body))}
    case = {"title": "Compared", "grid": {"cells": [cells] * 3, "upper": [1, 1, 1]}, "materials": materials,
            "regions": [{"labels": {"file": "labels.h5", "dataset": "exponents"}, "materials": {name[3:]: name for name in materials}, "source": 100}], "initial": {"temperature": 300},
            "sides": {"x-": {"temperature": 300}, "x+": {"temperature": 400},
                      "y-": {"convection": {"coefficient": 3, "ambient": 280}}, "z+": {"flux": 5}},
            "time": {"integrator": "steady"}, "linear": {"tolerance": TOLERANCE}, "output": {"directory": "results"}}
    if contrast == 1:
        case["materials"] = {"solid": materials["of_0"]}
        case["regions"] = [{"material": "solid", "source": 100}]
    return case


def environment():
    """More ranks than cores, and containers, for Open MPI; one thread a rank; all ranks yield their core while they wait, as those of
    Halotherm do anyway. What the caller has set wins."""
    wanted = {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false", "HWLOC_COMPONENTS": "-gl", "OPENBLAS_NUM_THREADS": "1",
              "OMPI_MCA_mpi_yield_when_idle": "1",
              "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
              "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    if os.geteuid() == 0:
        wanted |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return wanted | os.environ


def launch(words, ranks, folder):
    """(what it printed, memory of all ranks [bytes])"""
    done = subprocess.run([os.environ.get("MPIEXEC", "mpirun"), "-n", str(ranks), sys.executable, "-c", WRAPPER, *words], cwd=folder,
                          text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          env=environment(), timeout=3600)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, words))} on {ranks} ranks: exit {done.returncode}\n{done.stdout}")
    return done.stdout, sum(int(kilobytes) for kilobytes in re.findall(r"VmHWM (\d+) kB", done.stdout)) << 10


def run_halotherm(program, cells, body, contrast, ranks, folder):
    """(figures, temperatures in the order z, y, x)"""
    with h5py.File(folder / "labels.h5", "w") as file:
        file["exponents"] = exponents(cells, body)
    (folder / "case.yaml").write_text(json.dumps(config(cells, body, contrast)), encoding="utf-8")
    _, memory = launch([str(program), "run", "case.yaml"], ranks, folder)
    solve = json.loads((folder / "results/report.json").read_text(encoding="utf-8"))["solve"]
    with h5py.File(next((folder / "results/checkpoints").glob("checkpoint_*.h5")), "r") as file:
        answer = file["T"][...]
    return {"setup": solve["setup_seconds"], "solve": solve["seconds"], "iterations": solve["iterations"], "memory": memory}, answer


def run_library(name, programs, cells, body, contrast, ranks, folder):
    """(figures, temperatures in the order z, y, x)"""
    library, before, after = LIBRARIES[name]
    words = [str(programs[library]), str(cells), *([body] if library == "hypre" else []), f"{contrast:g}", f"{TOLERANCE:g}", *before, "part", *after]
    text, memory = launch(words, ranks, folder)
    result = json.loads(next(line for line in text.splitlines() if line.startswith("{")))
    answer = np.full((cells,) * 3, np.nan)
    for rank in range(ranks):
        content = (folder / f"part.{rank}").read_bytes()
        i, j, k, i_end, j_end, k_end = np.frombuffer(content[:24], dtype=np.int32)
        part = np.frombuffer(content[24:]).reshape(k_end - k, j_end - j, i_end - i)
        answer[k:k_end, j:j_end, i:i_end] = part + 300
    return {**result, "memory": memory}, answer


def exponents(cells, body):
    """Body::exponent of conduction.hpp, in the order z, y, x."""
    k, j, i = np.meshgrid(*[np.arange(cells)] * 3, indexing="ij")
    if body == "layers":
        return np.where(k % 7 < 2, 4, 0).astype(np.uint8)
    if body == "rods":
        return np.where((i % 8 < 2) & (j % 8 < 2), 4, 0).astype(np.uint8)
    if body == "grains":
        parts = [((index // 5 + 1).astype(np.uint32) * np.uint32(factor)) for index, factor in ((i, 73856093), (j, 19349663), (k, 83492791))]
        return (((parts[0] ^ parts[1] ^ parts[2]) * np.uint32(2654435761) >> np.uint32(24)) % 5).astype(np.uint8)
    inside = [np.abs((index + 0.5) / cells - 0.5) <= 0.25 for index in (i, j, k)]
    return np.where(inside[0] & inside[1] & inside[2], 4, 0).astype(np.uint8)


def residual(T, body, contrast):
    """The 2-norm of what the balances of heat of all cells lack [W]; T in the order z, y, x."""
    cells = T.shape[0]
    h = 1 / cells
    K = float(contrast) ** (exponents(cells, body) / 4)
    r = np.full(T.shape, 100 * h**3)
    for axis in range(3):
        k, t, balance = (np.moveaxis(array, axis, 0) for array in (K, T, r))
        flow = h * 2 * k[1:] * k[:-1] / (k[1:] + k[:-1]) * (t[1:] - t[:-1])
        balance[:-1] += flow
        balance[1:] -= flow
    r[:, :, 0] += h**2 * 2 * K[:, :, 0] / h * (300 - T[:, :, 0])
    r[:, :, -1] += h**2 * 2 * K[:, :, -1] / h * (400 - T[:, :, -1])
    r[:, 0, :] += h**2 / (h / (2 * K[:, 0, :]) + 1 / 3) * (280 - T[:, 0, :])
    r[-1, :, :] += h**2 * 5
    return float(np.sqrt(np.sum(r * r)))


def one_run(name, options, programs, problem):
    with tempfile.TemporaryDirectory(prefix="halotherm-compare-") as work:
        if name == HALOTHERM:
            return run_halotherm(options.halotherm, *problem, Path(work))
        return run_library(name, programs, *problem, Path(work))


def checked(name, problem, answer, reference):
    """What its answer leaves, and how far it is from Halotherm's; ends the script if it is another answer."""
    cells, body, contrast, _ = problem
    left = residual(answer, body, contrast) / residual(np.full((cells,) * 3, 300.0), body, contrast)
    apart = float(np.max(np.abs(answer - reference)))
    if not left < 2 * TOLERANCE or not apart < 1e-2:
        fail(f"{name}: the residual is {left:.2e} of the first, the temperature {apart:.2e} K from Halotherm's")
    return left, apart


def compare(options, programs, problem, names):
    """Rows of the table for one problem on one number of ranks."""
    runs = {name: [] for name in names}
    answers = {}
    for _ in range(options.rounds):
        for name in names:
            figures, answers[name] = one_run(name, options, programs, problem)
            runs[name].append(figures)
    rows = []
    for name in names:
        left, apart = checked(name, problem, answers[name], answers[HALOTHERM])
        row = {"program": name, "cells": problem[0], "body": problem[1], "contrast": problem[2], "ranks": problem[3], "left": left, "apart_K": apart,
               "iterations": runs[name][0]["iterations"], "memory": max(run["memory"] for run in runs[name])}
        for key in ("setup", "solve"):
            values = [run[key] for run in runs[name]]
            row[key], row[f"{key}_range"] = statistics.median(values), [min(values), max(values)]
        row["processor"] = min(run.get("processor", 1) for run in runs[name])
        rows.append(row)
    return rows


def print_rows(rows):
    own = rows[0]
    print(f"\n{own['cells']}^3 cells, {own['body']}, conductivities from 1 to {own['contrast']:g} W/(m K), "
          f"{own['ranks']} rank{'s' if own['ranks'] > 1 else ''}" if own["contrast"] != 1 else
          f"\n{own['cells']}^3 cells, one conductivity, {own['ranks']} rank{'s' if own['ranks'] > 1 else ''}")
    print(f"{'program':27} {'iterations':>10} {'set-up s':>9} {'solve s':>8} {'(range)':>17} {'ratio':>6} {'with set-up':>11} "
          f"{'MB':>6} {'left':>8} {'apart K':>8}")
    for row in rows:
        low, high = row["solve_range"]
        both = (row["setup"] + row["solve"]) / (own["setup"] + own["solve"])
        print(f"{row['program']:27} {row['iterations']:10} {row['setup']:9.3f} {row['solve']:8.3f} {f'({low:.3f} to {high:.3f})':>17} "
              f"{row['solve'] / own['solve']:6.2f} {both:11.2f} {1e-6 * row['memory']:6.0f} {row['left']:8.1e} {row['apart_K']:8.1e}")
    least = min(row["processor"] for row in rows)
    if least < 0.9:
        print(f"note: other programs ran: one of the libraries' ranks got {100 * least:.0f} % of its core")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--halotherm", type=lambda text: Path(text).resolve(), default=HERE.parents[1] / "build/cpu/bin/halotherm")
    parser.add_argument("--cells", type=int, nargs="+", default=[64, 128])
    parser.add_argument("--body", nargs="+", default=["box"], choices=BODIES, metavar="BODY", help=", ".join(BODIES))
    parser.add_argument("--contrast", type=float, nargs="+", default=[1, 1e4], help="largest conductivity over the smallest one")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=list(LIBRARIES), choices=list(LIBRARIES), metavar="NAME",
                        help=", ".join(LIBRARIES))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if not options.halotherm.exists():
        fail(f"{options.halotherm} is missing: build it, or name it by --halotherm")
    if any(cells % 4 for cells in options.cells):
        fail("--cells: multiples of 4, so that the inner box ends between cells")
    with tempfile.TemporaryDirectory(prefix="halotherm-compare-") as folder:
        programs = {library: build(library, Path(folder)) for library in sorted({LIBRARIES[name][0] for name in options.only})}
        rows = []
        for cells in options.cells:
            for body, contrast, ranks in itertools.product(options.body, options.contrast, options.ranks):
                names = [name for name in options.only if body == "box" or LIBRARIES[name][0] == "hypre"]
                rows.append(compare(options, programs, (cells, body, contrast, ranks), [HALOTHERM, *names]))
                print_rows(rows[-1])
    if options.json:
        options.json.write_text(json.dumps([row for group in rows for row in group], indent=1), encoding="utf-8")


main()
