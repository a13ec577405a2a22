# SPDX-License-Identifier: MIT
"""Steps of four ranks on two hosts over a slow link, with the ranks in their order and placed so that the larger faces stay within
the hosts. Their bytes and bits are checked; how long they take is printed."""
import statistics

from jobs import CONFIG, NotPossible, ShapedHosts, missing, on, read, run_or_skip

LINK = {"rate": 1e9}
# blocks of 64 x 128 x 16 cells: the faces across z are eight times as large as those across y, and ranks in their order run along y
CELLS, BLOCKS = [64, 256, 32], [1, 2, 2]
TURNS, STEPS = 5, 600


def one(hosts, folder, placement):
    output = folder / placement
    on(hosts, "run", CONFIG, "--overwrite", "--set", f"output.directory={output}", "--set", f"grid.cells={CELLS}",
       "--set", f"parallel.ranks={BLOCKS}", "--set", f"parallel.rank_mapping={placement}", "--set", f"time.steps={STEPS}",
       "--set", "time.fused_steps=1", "--set", "output.diagnostics.steps=100", ranks=2)
    report = read(output / "report.json")
    return report["step_seconds"] / report["steps"], report["exchange"], (output / "diagnostics.csv").read_bytes()


def test(folder):
    if reason := missing():
        raise NotPossible(reason)
    steps = {"natural": [], "auto": []}
    with ShapedHosts(folder, **LINK) as hosts:
        for _ in range(TURNS):
            results = {placement: one(hosts, folder, placement) for placement in steps}
            for placement, (seconds, _, _) in results.items():
                steps[placement].append(seconds)
    natural, auto = results["natural"], results["auto"]
    for placement, (_, exchange, _) in results.items():
        print(f"{placement}: {1e3 * statistics.median(steps[placement]):.3f} ms a step ({1e3 * min(steps[placement]):.3f} to "
              f"{1e3 * max(steps[placement]):.3f}), {exchange['bytes_between_nodes'] / 1e3:.1f} kB between hosts", flush=True)
    assert 8 * auto[1]["bytes_between_nodes"] == natural[1]["bytes_between_nodes"], (auto[1], natural[1])
    assert auto[2] == natural[2], "placed ranks give other bits"


run_or_skip(test, "halotherm-placement-")
