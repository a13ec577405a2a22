# SPDX-License-Identifier: MIT
"""The README's sample output is what the program prints.

`HALOTHERM=build/cpu/bin/halotherm python3 tests/regression/sample_output.py` prints it anew; with --write, into the README.
"""
import os
import re
import sys
import tempfile
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from halotherm_runner import Case, launch

SOURCE = Path(__file__).resolve().parents[2]
README = SOURCE / "README.md"
SAMPLE = re.compile(r"(## Sample output\n```\n)(.*?)(```\n)", re.DOTALL)
EXACT = {"grid", "blocks", "steps", "result", "heat"}  # the same numbers on any machine
OF_THE_MACHINE = {"mpi", "places", "ceiling", "time"}  # words, too, depend on it
LEFT_OUT = {"processor", "results"}  # of busy machines; a path
PROGRESS = re.compile(r"\s*[\d.]+ %")
NUMBER = re.compile(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?(?: (?:[kMG]?B|[num]?s)\b)?")


def run():
    os.environ["HALOTHERM"] = str(Path(os.environ["HALOTHERM"]).resolve())
    with tempfile.TemporaryDirectory(prefix="halotherm-") as folder:
        code, text = launch(["run", str(SOURCE / "configs/quickstart.yaml"), "--set", f"output.directory={folder}/results"], 2, folder)
    if code != 0:
        raise AssertionError(f"exit code {code}:\n{text}")
    return text[text.index("halotherm "):]


def rows(text):
    """(label, text) of each row, continued lines joined. Rows of progress are left out."""
    joined = re.sub(r"\n {3,}(?=\S)", " ", text)
    lines = [line for line in joined.splitlines() if line.strip() and not PROGRESS.match(line)]
    found = [tuple(line.split(maxsplit=1)) for line in lines]
    return [row for row in found if row[0] not in LEFT_OUT]


def shown(text):
    """The output for the README: three rows of progress, lines of at most 120 columns."""
    lines = text.rstrip().splitlines()
    progress = [line for line in lines if PROGRESS.match(line)]
    kept = [progress[0], progress[len(progress) // 2], progress[-1]]
    lines = [line for line in lines if line in kept or not (line in progress or line.startswith("results"))]
    wrapped = [textwrap.wrap(line, 120, subsequent_indent=" " * 15) or [""] for line in lines]
    return "\n".join(line.rstrip() for part in wrapped for line in part) + "\n"


def comparable(label, text):
    if label in OF_THE_MACHINE:
        return label
    if label in EXACT:
        return f"{label} {text}"
    text = re.sub(r"\([0-9a-f]+(-dirty)?\)", "(commit)", text)
    return f"{label} {NUMBER.sub('#', re.sub(r'by transport [a-z0-9]+', 'by transport', text))}"


class SampleOutput(Case):
    def test_readme_shows_what_the_program_prints(self):
        sample = SAMPLE.search(README.read_text(encoding="utf-8"))[2]
        printed = run()
        self.assertEqual([comparable(*row) for row in rows(sample)], [comparable(*row) for row in rows(printed)],
                         f"`python3 tests/regression/sample_output.py --write` writes it anew. The program printed:\n{printed}")


if __name__ == "__main__":
    OUTPUT = shown(run())
    sys.stdout.write(OUTPUT)
    if "--write" in sys.argv:
        TEXT = README.read_text(encoding="utf-8")
        README.write_text(SAMPLE.sub(lambda m: m[1] + OUTPUT + m[3], TEXT), encoding="utf-8")
