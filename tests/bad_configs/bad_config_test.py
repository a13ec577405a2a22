# SPDX-License-Identifier: MIT
"""A wrong configuration or command line: exit code 2, the message once on stderr, nothing left behind, on 1 and on 3 ranks."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

HALOTHERM = os.environ["HALOTHERM"]
MPIEXEC = os.environ["MPIEXEC"]
BAD_CONFIGS = Path(os.environ["HALOTHERM_SOURCE_DIR"]) / "tests/data/bad_configs"
GOOD = "grid: {cells: [2], upper: [1]}\nmaterial: {conductivity: 1, density: 1, heat_capacity: 1}\n" \
       "initial: {temperature: 0}\ntime: {steps: 1}\n"
USAGE = 2
SECONDS = 60  # a hang, not a slow start


def halotherm(ranks, folder, *arguments):
    return subprocess.run([MPIEXEC, "-n", str(ranks), HALOTHERM, *arguments], cwd=folder, capture_output=True, text=True,
                          errors="replace", timeout=SECONDS, check=False)


class BadConfig(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def make(self, name, content=b""):
        (self.folder / name).write_bytes(content)
        return name

    def refused(self, message, *arguments, ranks=(1, 3)):
        """`message` stands once, whoever may have found the mistake, and no file is made."""
        before = sorted(self.folder.iterdir())
        for count in ranks:
            with self.subTest(ranks=count):
                result = halotherm(count, self.folder, *arguments)
                self.assertEqual(result.returncode, USAGE, result.stderr)
                self.assertEqual(result.stderr.count(message), 1, result.stderr)
                self.assertNotIn("MPI_ABORT", result.stderr)
                self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_missing(self):
        self.refused("none.yaml: cannot be read (No such file or directory)", "run", "none.yaml")

    def test_empty(self):
        self.refused("empty.yaml: is empty", "check", self.make("empty.yaml"))

    def test_directory(self):
        (self.folder / "folder").mkdir()
        self.refused("folder: is a directory", "run", "folder")

    def test_binary(self):
        self.refused("binary.yaml: is not a text file", "check", self.make("binary.yaml", bytes(range(256)) * 100))

    def test_one_gigabyte(self):
        name = self.make("large.yaml", b"title: large\n")
        os.truncate(self.folder / name, 1 << 30)  # sparse: takes no space
        self.refused("large.yaml: is too large", "check", name)

    def test_cells(self):
        for file, place in (("026_cells_zero", "4:20: grid.cells[1]: is 0"),
                            ("028_cells_too_many", "4:16: grid.cells[0]: is 1000000000000")):
            path = str(BAD_CONFIGS / f"{file}.yaml")
            self.refused(f"{path}:{place} (must be a whole number from 1 to 1073741824)", "run", path)

    def test_several(self):
        path = str(BAD_CONFIGS / "096_several_mistakes.yaml")
        result = halotherm(3, self.folder, "check", path)
        self.assertEqual(result.returncode, USAGE)
        self.assertEqual(result.stderr.count(path), 5, result.stderr)

    def test_command_line(self):
        self.refused('"chekc" is not known here', "chekc", "a.yaml")
        good = self.make("good.yaml", GOOD.encode())
        self.refused("--set time.ned=1: time.ned: unknown key", "check", good, "--set", "time.ned=1")

    def test_more_ranks_than_cells(self):
        good = self.make("good.yaml", GOOD.encode())
        self.refused("cannot cut 2 x 1 x 1 cells into 3 blocks", "run", good, ranks=(3,))

    def test_good(self):
        result = halotherm(3, self.folder, "check", self.make("good.yaml", GOOD.encode()), "--set", "grid.cells=[8]")
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
