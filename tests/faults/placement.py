# SPDX-License-Identifier: MIT
"""Ranks that are dealt to two hosts like cards: placed, blocks of a host lie side by side, with fewer bytes between hosts, and the same
bits as without."""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from hosts import Hosts, NotPossible, missing, run_or_skip  # noqa: E402

FACE = 24 * 20 * 8  # bytes
CASE = """
title: Placed by hosts
grid: {cells: [24, 20, 32], upper: [1, 1, 1]}
materials: {solid: {conductivity: "1 + x*z", density: 2, heat_capacity: 3}}
initial: {temperature: "300 + 50*sin(9*x + 5*y)*cos(7*z)"}
time: {steps: 50}
parallel: {ranks: [1, 1, 4]}
"""


def run(hosts, case, folder, placement):
    """Ranks 0 and 2 on the first host, 1 and 3 on the second. Gives what it printed, and its report."""
    words = [*hosts.mpirun(hosts.names, 2, rmaps_base_mapping_policy="node"), os.environ["HALOTHERM"], "run", str(case),
             "--set", f"output.directory={folder}", "--set", f"parallel.rank_mapping={placement}"]
    done = subprocess.run(words, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}"
    return done.stdout, json.loads((folder / "report.json").read_text(encoding="utf-8"))


def test(work):
    if reason := missing():
        raise NotPossible(reason)
    case, placed, natural = work / "case.yaml", work / "placed", work / "natural"
    case.write_text(CASE, encoding="utf-8")
    with Hosts(work) as hosts:
        output, report = run(hosts, case, placed, "auto")
        _, natural_report = run(hosts, case, natural, "natural")
    names = [rank["host"] for rank in report["ranks"]]
    assert names == [hosts.names[rank % 2] for rank in range(4)], names
    assert report["exchange"]["bytes_between_nodes"] == 2 * FACE, report["exchange"]
    assert natural_report["exchange"]["bytes_between_nodes"] == 6 * FACE, natural_report["exchange"]
    assert "7.68 kB of it between nodes (23.04 kB if blocks went by the ranks' numbers)" in output, output
    ends = [str(next((folder / "checkpoints").glob("*.h5"))) for folder in (placed, natural)]
    subprocess.run(["h5diff", *ends, "/T"], check=True)
    assert (placed / "diagnostics.csv").read_bytes() == (natural / "diagnostics.csv").read_bytes(), "diagnostics differ"
    print(f"between two hosts {2 * FACE} bytes a step instead of {6 * FACE}, and the same bits")


run_or_skip(test, "halotherm-placed-")
