# SPDX-License-Identifier: MIT
"""What `cmake --install` puts somewhere runs from there.

    install_test.py CMAKE BUILD_FOLDER"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = sys.argv.pop()
CMAKE = sys.argv.pop()


def output_of(*command, **variables):
    result = subprocess.run([str(word) for word in command], env=os.environ | variables, capture_output=True, text=True, check=False,
                            timeout=60)
    if result.returncode:
        raise AssertionError(f"{command} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


class Install(unittest.TestCase):
    def test_what_is_installed_runs(self):
        with tempfile.TemporaryDirectory(prefix="halotherm-") as folder:
            output_of(CMAKE, "--install", BUILD, "--prefix", folder)
            program, share = Path(folder, "bin/halotherm"), Path(folder, "share/halotherm")
            self.assertNotIn("not found", output_of("ldd", program))
            self.assertIn("halotherm ", output_of(program, "info"))
            self.assertIn("quickstart.yaml is valid", output_of(program, "check", share / "configs/quickstart.yaml"))
            self.assertIn("chip.yaml is valid", output_of(program, "check", share / "configs/chip.yaml"))
            output_of(share / "scripts/submit_scaling", "--help", PYTHONDONTWRITEBYTECODE="1")
            found = output_of("bash", "-c", f"here={share}/slurm; source $here/common.sh; realpath $program", HALOTHERM="")
            self.assertEqual(Path(found.strip()), program.resolve())
            self.assertTrue((share / "docs/exit_codes.md").exists() and (share / "README.md").exists())
            self.assertFalse(list(share.rglob("*.cpp")))


if __name__ == "__main__":
    unittest.main()
