# SPDX-License-Identifier: MIT
"""hostile_test.py REPLAY: hostile files made of a checkpoint that the program itself has written are all refused with exit code 4,
or read as what they are; and so are files on which the HDF5 library itself crashes."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import hostile_checkpoints

CONFIGURATION = """
grid: {cells: [3, 4, 2], upper: [1, 1, 1]}
materials: {solid: {conductivity: 401, density: 8960, heat_capacity: 385}}
initial: {temperature: "300 + 10*x"}
time: {steps: 3}
"""


def refused_without_a_crash(file):
    done = subprocess.run([os.environ["HALOTHERM"], "check", file], text=True, capture_output=True, check=False)
    assert done.returncode == 4, f"{file}: exit {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    for name in ("accumulator", "attribute_message"):  # the third one of known/ takes the trial's whole patience
        refused_without_a_crash(Path(__file__).parent / f"known/libhdf5_{name}.h5")
    with tempfile.TemporaryDirectory(prefix="halotherm-fuzz-") as name:
        folder, hostile = Path(name), Path(name) / "hostile"
        hostile.mkdir()
        (folder / "run.yaml").write_text(CONFIGURATION, encoding="utf-8")
        subprocess.run([os.environ["HALOTHERM"], "run", "run.yaml"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        good = next(folder.glob("results/checkpoints/*.h5"))
        hostile_checkpoints.make(good, hostile)
        # the replay ends the process where anything else than exit code 4 would come out
        subprocess.run([sys.argv[1], "checkpoint", good, hostile], check=True)


if __name__ == "__main__":
    main()
