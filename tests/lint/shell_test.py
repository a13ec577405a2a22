# SPDX-License-Identifier: MIT
"""shellcheck passes on all shell scripts and fails on a seeded one."""
import tempfile
import unittest
from pathlib import Path

from seeded import SOURCE, need, run


def shell_scripts():
    for folder in ("scripts", "slurm", "tests", ".ci"):
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.is_file() and path.suffix in ("", ".sh", ".sbatch"):
                with open(path, "rb") as file:
                    first = file.readline()
                if path.suffix == ".sh" or first.startswith(b"#!") and first.rstrip().endswith(b"sh"):
                    yield str(path)


class Shell(unittest.TestCase):
    def test_tree_passes(self):
        code, output = run("shellcheck", "-x", *shell_scripts())
        self.assertEqual(code, 0, output)

    def test_seeded_violation_is_found(self):
        with tempfile.TemporaryDirectory(prefix="halotherm-lint-") as folder:
            script = Path(folder) / "seeded.sh"
            script.write_text("#!/bin/bash\nrm -r $1/*\n", encoding="utf-8")
            code, output = run("shellcheck", str(script))
            self.assertEqual(code, 1)
            self.assertIn("SC2086", output)


if __name__ == "__main__":
    need("shellcheck")
    unittest.main()
