# SPDX-License-Identifier: MIT
"""All figures of docs/performance.md and docs/scaling.md that need several GPUs, in one go: every run's command, time and JSON in one
file, and a table at the end.

    measure_gpus.py --launch 'mpirun -n {ranks}' --halotherm build/cuda/bin/halotherm --gpus 4 --json gpus.json
                    [--only PATTERN...] [--seconds 540]

Runs come in the order of their weight; what does not fit into --seconds is left out and listed. --launch is put before each command,
with {ranks} replaced. Ends with 1 if a run failed, or if the bits of two numbers of GPUs, or of steps at once, differ."""
import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import h5py
    import numpy as np
except ImportError:  # a machine with little more than a driver
    h5py = None

ROOT = Path(__file__).resolve().parents[2]
CASE = str(ROOT / "configs/benchmark.yaml")
SOLVE = ["--set", "time={integrator: steady}", "--set", "sides.z-={temperature: 290}"]
STEPS = {512: 1200, 256: 6000, 128: 20000, 64: 20000}  # of a run, so that it takes some tenths of a second
SHAPES = {"1022": ([1022] * 3, 300), "1000x777x513": ([1000, 777, 513], 600), "511x509x513": ([511, 509, 513], 1200),
          "512x256x256": ([512, 256, 256], 4000),  # a quarter of 512
          "16384x8192": ([16384, 8192], 1200), "4096x4096": ([4096, 4096], 12000)}  # cells, steps


def cells(n):
    return ["--set", f"grid.cells=[{n},{n},{n}]"]


def shaped(name, fused, precision):
    """A run of another shape on one GPU."""
    grid, steps = SHAPES[name]
    if len(grid) == 3:
        shape = ["--set", f"grid.cells={grid}"]
    else:
        shape = ["--set", f"grid={{cells: {grid}, upper: [1, 1]}}",
                 "--set", "sides={x-: {temperature: 310}, y+: {convection: {coefficient: 25, ambient: 293}}}"]
    return (f"run {name} in {precision} on 1, {fused} at once", 1,
            ["run", CASE, *shape, "--overwrite", "--set", f"time.steps={steps}",
             "--set", f"time.fused_steps={fused}", "--set", f"grid.precision={precision}"])


def steady(name, per_metre, size, ranks):
    """A published case with so many cells a metre."""
    grid = f"grid={{cells: {[round(per_metre * length) for length in size]}, lower: [0, 0, {-size[2]}], upper: [{size[0]}, {size[1]}, 0]}}"
    return (f"{name} {100 / per_metre:g} cm on {ranks}", ranks, ["run", str(ROOT / f"configs/cases/{name}.yaml"), "--overwrite", "--set", grid])


def plan(gpus):
    """(name, ranks, arguments after the program); {json} is a file for the result. Without arguments: the exchange benchmark."""
    ranks = [n for n in (1, 2, 3, 4, 8) if n <= gpus]

    def scale(kind, n, name, *more):
        return (f"{kind} {n} {name}", gpus, ["scale", f"--{kind}", CASE, *cells(n), "--json", "{json}", *more])

    def steps(n, rank_count, fused, transport="auto"):
        what = "" if transport == "auto" else f" by {transport}"
        return (f"run {n} on {rank_count}, {fused} at once{what}", rank_count,
                ["run", CASE, *cells(n), "--overwrite", "--set", f"time.steps={STEPS[n]}", "--set", f"time.fused_steps={fused}",
                 "--set", f"parallel.transport={transport}"])

    yield scale("strong", 512, "short", "--steps", "300")
    yield scale("weak", 512, "short", "--steps", "300")
    for n in (512, 256, 128):
        yield scale("strong", n, "solves", *SOLVE, "--steps", "20")
    yield scale("weak", 512, "solves", *SOLVE, "--steps", "20")
    yield scale("strong", 1022, "solves", *SOLVE, "--steps", "10", "--ranks", ",".join(str(n) for n in ranks if n in (2, 4)) or "1")
    for n in (512, 256, 128, 64):
        for count in ranks:
            more = (6, 8) if n <= 128 and count > 1 else ()  # after one exchange
            for fused in (1, 2, 3, 4, *more, "auto"):
                if count != 3 or fused in (1, 3, "auto"):  # three are for the bits
                    yield steps(n, count, fused)
    for n, steps_a_repeat in ((256, 5000), (128, 20000), (64, 20000)):
        yield scale("strong", n, "steps", "--steps", str(steps_a_repeat))
    yield ("exchanges", gpus, [])
    for n in (512, 256, 128, 64):
        for transport in ("p2p", "nccl", "device", "rma", "staged"):
            yield steps(n, gpus, 1, transport)
    yield ("probe", gpus, ["probe", "--json", "{json}"])
    for per_metre in (12.5, 25):
        yield steady("bestest_gc10a", per_metre, [46.24, 46.24, 40], gpus)
    for per_metre in (12.5, 25, 50):
        yield steady("bestest_gc30a", per_metre, [26.24, 26.24, 30], gpus)
    yield steady("bestest_gc30a", 25, [26.24, 26.24, 30], max(1, gpus // 2))
    yield scale("strong", 512, "steady power")
    yield scale("weak", 512, "steady power")
    for fused in (1, 3, 4):
        yield (f"sustained 512 on 1, {fused} at once", 1, ["run", CASE, "--overwrite", "--set", f"time.steps={40000 * fused}",
                                                          "--set", f"time.fused_steps={fused}"])
    for name in SHAPES:
        for precision in ("float64", "float32"):
            for fused in (1, 2, 3, 4):
                yield shaped(name, fused, precision)


def digest(folder):
    """Of the final temperatures: two sums over their bits."""
    files = sorted(folder.rglob("*.h5"))
    if not files or h5py is None:
        return None
    first, second, begin = np.uint64(0), np.uint64(0), 1
    with h5py.File(files[-1]) as file, np.errstate(over="ignore"):
        for row in range(file["T"].shape[0]):  # plane by plane: a case of 4 cm has 11 GB
            bits = file["T"][row].ravel()
            bits = bits.view(f"u{bits.itemsize}").astype(np.uint64)
            first += bits.sum()
            second += (bits * np.arange(begin, begin + bits.size, dtype=np.uint64)).sum()
            begin += bits.size
    return f"{int(first):016x}{int(second):016x}"


def take(options, name, ranks, arguments):
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        result = Path(folder) / "result.json"
        program = options.halotherm if arguments else options.halotherm.with_name("halotherm_exchange_benchmark")
        command = [*shlex.split(options.launch.format(ranks=ranks)), str(program),
                   *(str(result) if argument == "{json}" else argument for argument in arguments)]
        begin = time.monotonic()
        done = subprocess.run(command, cwd=folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        seconds = time.monotonic() - begin
        reports = [result] if result.exists() else sorted(Path(folder).rglob("report.json"))
        return {"name": name, "ranks": ranks, "arguments": arguments, "exit": done.returncode, "seconds": round(seconds, 2),
                "text": done.stdout, "result": json.loads(reports[0].read_text()) if reports else None,
                "digest": digest(Path(folder)) if arguments[:1] == ["run"] else None}


def speed(run):
    found = re.search(r"([0-9.,]+) GCells/s", run["text"])
    return found.group(1) + " GCells/s" if found else ""


def differing(runs):
    """Grids whose runs do not all have the same bits."""
    found = {}
    for run in runs:
        if run["digest"] and not run["name"].startswith("sustained"):
            found.setdefault(run["name"].split(" on ")[0], set()).add(run["digest"])
    return [grid for grid, digests in found.items() if len(digests) > 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--launch", default="mpirun -n {ranks}")
    parser.add_argument("--halotherm", type=lambda path: Path(path).resolve(), default=ROOT / "build/cuda/bin/halotherm")
    parser.add_argument("--gpus", type=int, default=4)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--scratch", type=Path, help="where runs write; a folder in memory is fast")
    options = parser.parse_args()
    begin, runs, left_out = time.monotonic(), [], []
    for name, ranks, arguments in plan(options.gpus):
        if not any(pattern in name for pattern in options.only):
            continue
        if time.monotonic() - begin > options.seconds:
            left_out.append(name)
            continue
        runs.append(take(options, name, ranks, arguments))
        options.json.write_text(json.dumps(runs, indent=1))
        print(f"{name:42} exit {runs[-1]['exit']}  {runs[-1]['seconds']:7.1f} s  {speed(runs[-1])}", flush=True)
    for run in runs:
        if run["exit"] != 0:
            print(f"\n{run['name']}:\n{run['text'][-1500:]}")
    if h5py is None:
        print("without h5py the bits of runs were not compared; scale compares those of its own")
    wrong = differing(runs)
    if wrong:
        print("the bits differ:", ", ".join(wrong))
    if left_out:
        print("left out:", ", ".join(left_out))
    return 1 if wrong or any(run["exit"] for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
