#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Is the sample of a run's output in README.md what the program prints today? Numbers, units and the machine do not count.

    scripts/readme_sample.py [--update]

Runs configs/quickstart.yaml on two ranks, by $HALOTHERM (build/cpu/bin/halotherm) and $MPIEXEC (mpirun). With --update it replaces the
sample by the output of the fastest of three runs: do so on an idle machine."""
import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
README = PROJECT / "README.md"
sys.path.insert(0, str(PROJECT / "tests/python"))
from halotherm_runner import environment  # noqa: E402

HEADING = 15  # letters
WIDTH = 120  # columns of a line in README.md
OF_THE_MACHINE = ("places", "ceiling", "memory")  # what stands behind these depends on it
ONLY_SOMETIMES = ("warning", "processor", "ranks ")  # on busy machines
PROGRESS = re.compile(r" *\d+\.\d %")


def run():
    program = os.environ.get("HALOTHERM", PROJECT / "build/cpu/bin/halotherm")
    command = [os.environ.get("MPIEXEC", "mpirun"), "-n", "2", program, "run", PROJECT / "configs/quickstart.yaml"]
    with tempfile.TemporaryDirectory(prefix="halotherm-") as folder:
        result = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False, timeout=100)
    if result.returncode:
        sys.exit(f"readme_sample: the run ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return [line.rstrip() for line in result.stdout.splitlines() if not line.startswith("results ")]


def shape(line):
    """The line without what differs from run to run and from machine to machine."""
    heading = line[:HEADING].strip()
    if heading in OF_THE_MACHINE:
        return heading
    line = re.sub(r"^(halotherm) \S+ \(\S+\)", r"\1 VERSION", line)
    line = re.sub(r"by transport .*", "by transport ...", line)
    line = re.sub(r"^(kernels|mpi) .*", r"\1", line)
    line = re.sub(r" at step \d+", "", line)  # whose temperatures a line of progress shows
    line = re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "#", line)
    line = re.sub(r"# h # min|# min # s|# (us|ms|s)\b", "# s", line)
    return re.sub(r" +", " ", re.sub(r"# [kMGT]?(B|Cells)", r"# \1", line)).strip()


def unfolded(lines):
    """Continuation lines are joined to the line that they continue."""
    whole = []
    for line in lines:
        if whole and line.startswith(" " * HEADING):
            whole[-1] += " " + line.strip()
        else:
            whole.append(line)
    return whole


def shapes(lines):
    """The shapes of all lines; progress, of which a run has more or fewer lines, counts once."""
    found = []
    for line in unfolded(lines):
        if line.startswith(ONLY_SOMETIMES) or (PROGRESS.match(line) and shape(line) in found):
            continue
        found.append(shape(line))
    return found


def shortened(lines):
    """With the first, a middle and the last line of progress."""
    progress = [line for line in lines if PROGRESS.match(line)]
    shown = {progress[0], progress[len(progress) // 2], progress[-1]}
    kept = [line for line in lines if line not in progress or line in shown]
    return [part for line in kept for part in textwrap.wrap(line, WIDTH, subsequent_indent=" " * HEADING) or [""]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="replace the sample in README.md")
    options = parser.parse_args()
    text = README.read_text(encoding="utf-8")
    begin = text.index("```\n", text.index("## Sample output")) + 4
    end = text.index("\n```", begin)
    if options.update:
        rate = re.compile(r"^speed +([\d.]+)", re.MULTILINE)
        best = max((run() for _ in range(3)), key=lambda lines: float(rate.search("\n".join(lines)).group(1)))
        README.write_text(text[:begin] + "\n".join(shortened(best)) + text[end:], encoding="utf-8")
        return
    wanted, found = shapes(text[begin:end].splitlines()), shapes(run())
    if wanted != found:
        print("\n".join(difflib.unified_diff(wanted, found, "README.md", "the program", lineterm="")))
        sys.exit("readme_sample: the sample in README.md is not what a run prints (scripts/readme_sample.py --update makes it anew)")


if __name__ == "__main__":
    main()
