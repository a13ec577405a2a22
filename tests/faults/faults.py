# SPDX-License-Identifier: MIT
"""What tests of faults share: a small case whose ranks exchange values and write several chunks, its checkpoints, and the places
at which a disk may fail it."""
import dataclasses
import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from halotherm_runner import Results, command, environment, launch, standing  # noqa: E402, F401

RANKS, LAST = 3, 2
MODES = ("stop", "continue")
STEPS, EVERY = 6, 2

CASE = {
    "title": "Faults",
    "grid": {"cells": [96, 96, 48], "lower": [0, 0, 0], "upper": [1, 1, 1]},
    "materials": {"solid": {"conductivity": 401, "density": 8960, "heat_capacity": 385}},
    "initial": {"temperature": "300 + 100*x*y"},
    "sides": {"x-": {"temperature": 300}, "x+": {"convection": {"coefficient": 25, "ambient": 293}},
              "y": "periodic", "z": {"flux": 0}},
    "time": {"steps": STEPS},
    "parallel": {"ranks": [RANKS, 1, 1]},
    "output": {"directory": "results", "diagnostics": {"steps": 1}, "checkpoint": {"steps": EVERY, "keep": 3}},
}


def written_by(writer, case):
    """The case with this output.writer; as it is without."""
    return case | {"output": case["output"] | {"writer": writer}} if writer else case


def step_of(checkpoint):
    return int(checkpoint.stem.removeprefix("checkpoint_"))


def same_field(one, other):
    return Results(".").state(one)[0].tobytes() == Results(".").state(other)[0].tobytes()


def run(folder, *arguments, ranks=RANKS, variables=None, writer=""):
    """Runs the case in the folder: the same relative output directory everywhere, since it is part of what a checkpoint says."""
    folder.mkdir(exist_ok=True)
    (folder / "case.yaml").write_text(json.dumps(written_by(writer, CASE)), encoding="utf-8")
    code, text = launch(["run", "case.yaml", *arguments], ranks, folder, variables)
    return code, text, Results(folder / "results", text)


def is_good(checkpoint, folder):
    return launch(["check", str(checkpoint)], 1, folder)[0] == 0


def error_lines(text):
    """What the program itself says, warnings and errors; not its launcher, nor the watchdog of stalled ranks."""
    said = [line for line in text.splitlines() if re.match(r"halotherm: |warning  ", line)]
    return [line for line in said if not re.match(r"halotherm: rank .* (have stalled for|has stalled for|continues:) ", line)]


@dataclasses.dataclass(frozen=True)
class Fault:
    """What FAULT_* variables say (fault_injection.cpp)."""
    call: str
    error: str
    path: str
    rank: int = 0
    thread: str = ""
    after: str = ""
    at: int = 1
    count: int = 1

    def variables(self, log):
        named = {f"FAULT_{name.upper()}": str(value) for name, value in dataclasses.asdict(self).items()}
        return named | {"FAULT_LOG": str(log), "LD_PRELOAD": os.environ["HALOTHERM_FAULT_LIBRARY"]}


def hits(log):
    return len(log.read_text(encoding="utf-8").splitlines()) if log.exists() else 0
