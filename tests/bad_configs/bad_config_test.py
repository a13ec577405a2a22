# SPDX-License-Identifier: MIT
"""A wrong configuration or command line: exit code 2, the message once on stderr, nothing left behind, on 1 and on 3 ranks."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))
from halotherm_runner import command, environment  # noqa: E402

BAD_CONFIGS = Path(os.environ["HALOTHERM_SOURCE_DIR"]) / "tests/data/bad_configs"
GOOD = "grid: {cells: [2], upper: [1]}\nmaterials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n" \
       "initial: {temperature: 0}\ntime: {steps: 1}\n"
USAGE = 2
INPUT_OUTPUT = 4
SECONDS = 60  # a hang, not a slow start


def halotherm(ranks, folder, *arguments):
    return subprocess.run([*command(ranks), *arguments], cwd=folder, env=environment(), capture_output=True, text=True,
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
        self.refused("cannot partition 2 x 1 x 1 cells into 3 blocks", "run", good, ranks=(3,))

    def test_good(self):
        result = halotherm(3, self.folder, "check", self.make("good.yaml", GOOD.encode()), "--set", "grid.cells=[8]")
        self.assertEqual(result.returncode, 0, result.stderr)


class BadFile(unittest.TestCase):
    """Files that are there and cannot be used: exit code 4, at once, and what was there is still there."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def run_program(self, *arguments, output=subprocess.PIPE):
        return subprocess.run([*command(1), *arguments], cwd=self.folder, env=environment(), stdout=output, stderr=subprocess.PIPE, text=True,
                              timeout=SECONDS, check=False)

    def refused(self, message, *arguments, **how):
        result = self.run_program(*arguments, **how)
        self.assertEqual(result.returncode, INPUT_OUTPUT, result.stderr)
        self.assertIn(message, result.stderr)

    def test_checkpoints(self):
        for name, content, reason in (("empty", b"", "it is empty"), ("headless", b"x" * 3000, "it is not an HDF5 file"),
                                      ("cut", b"\x89HDF\r\n\x1a\n", "the file is cut off or damaged")):
            (self.folder / f"{name}.h5").write_bytes(content)
            self.refused(f"cannot read the checkpoint '{name}.h5' ({reason}" if name != "cut" else reason, "check", f"{name}.h5")

    def test_what_could_block_or_be_replaced(self):
        os.mkfifo(self.folder / "pipe.h5")
        self.refused("'pipe.h5' (it is not a regular file)", "check", "pipe.h5")
        os.mkfifo(self.folder / "pipe")
        (self.folder / "link").symlink_to("/dev/full")
        for name, kind in (("pipe", "a pipe"), ("link", "a symbolic link"), ("/dev/full", "a device"), (".", "a directory")):
            self.refused(f"(it is {kind}, which would be replaced)", "bench", "--cells", "8", "--json", name)
        self.refused("cannot write into the folder 'none' (No such file or directory)", "probe", "--json", "none/probe.json")
        self.assertTrue((self.folder / "pipe").is_fifo() and (self.folder / "link").is_symlink() and Path("/dev/full").is_char_device())

    def test_an_input_file_that_was_not_made_yet(self):
        chip = GOOD.replace("{conductivity: 1,", "{conductivity: {file: chip.h5, dataset: /k, made_by: make_chip.py},")
        (self.folder / "chip.yaml").write_text(chip, encoding="utf-8")
        for command in (["check", "chip.yaml"], ["run", "chip.yaml"]):
            self.refused("'chip.h5' (No such file or directory); make it by: make_chip.py", *command)

    def test_a_full_standard_output(self):
        (self.folder / "good.yaml").write_text(GOOD, encoding="utf-8")
        for arguments in (["config", "--defaults"], ["check", "good.yaml"], ["run", "good.yaml"], ["--help"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                self.refused("cannot write to standard output (No space left on device)", *arguments, output=full)
        self.assertTrue((self.folder / "results/report.json").exists(), "the run itself is done")


if __name__ == "__main__":
    unittest.main()
