# SPDX-License-Identifier: MIT
"""scripts/build-cuda-mpi: apt's entries for source packages come from those for packages, in both formats that apt reads, and what
cannot be built is refused before anything is touched. The build itself takes minutes and a CUDA toolkit, and is left to people."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get("HALOTHERM_SOURCE_DIR", Path(__file__).resolve().parents[3]))

ONE_LINE = """\
# deb http://commented.example/debian stable main
deb http://one.example/debian stable main contrib
  deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] http://two.example/debian stable main # with a comment
deb-src http://three.example/debian stable main
deb cdrom:[Debian 12]/ stable main
"""
STANZAS = """\
Types: deb
URIs: http://four.example/ubuntu
# a comment
Suites: noble noble-updates
Components: main universe
Signed-By: /usr/share/keyrings/b.gpg

types: deb deb-src
URIs: http://five.example/ubuntu
Suites: noble
Components: main

Enabled: no
Types: deb
URIs: http://disabled.example/ubuntu
Suites: noble
Components: main
"""
RELEASES = {"one.example/debian/dists/stable", "two.example/debian/dists/stable", "three.example/debian/dists/stable",
            "four.example/ubuntu/dists/noble", "four.example/ubuntu/dists/noble-updates", "five.example/ubuntu/dists/noble"}


def run(*command, **variables):
    done = subprocess.run(command, env=dict(os.environ, **variables), text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


class DebSrc(unittest.TestCase):
    """apt itself says which archives it would ask with the derived entries; it needs no network for that."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halotherm-apt-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("parts", "derived"):
            (self.folder / name).mkdir()
        (self.folder / "main.list").write_text(ONE_LINE, encoding="utf-8")
        (self.folder / "parts/distribution.sources").write_text(STANZAS, encoding="utf-8")
        (self.folder / "parts/old.list.bak").write_text("deb http://ignored.example/debian stable main\n", encoding="utf-8")
        (self.folder / "apt.conf").write_text(f'Dir::Etc::sourcelist "{self.folder}/main.list";\n'
                                              f'Dir::Etc::sourceparts "{self.folder}/parts";\n', encoding="utf-8")
        code, output = run("bash", "-euc", 'source "$1"; write_deb_src "$2"', "bash", str(SOURCE / "scripts/apt_source.sh"),
                           str(self.folder / "derived"), APT_CONFIG=str(self.folder / "apt.conf"))
        self.assertEqual((code, output), (0, ""))

    def derived(self, name):
        return (self.folder / "derived" / name).read_text(encoding="utf-8")

    def test_apt_reads_every_enabled_archive(self):
        code, output = run("apt-get", "-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={self.folder}/derived",
                           "--print-uris", "update")
        self.assertEqual(code, 0, output)
        self.assertEqual(set(re.findall("'http://(.*)/InRelease'", output)), RELEASES)

    def test_one_line_entries(self):
        self.assertEqual(self.derived("main.list"), """\
deb-src http://one.example/debian stable main contrib
deb-src [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] http://two.example/debian stable main # with a comment
deb-src http://three.example/debian stable main
""")

    def test_stanzas(self):
        types = [line for line in self.derived("distribution.sources").splitlines() if line.lower().startswith("types")]
        self.assertEqual(types, ["Types: deb-src"] * 3)
        rest = [[line for line in text.splitlines() if not line.lower().startswith("types")]
                for text in (STANZAS, self.derived("distribution.sources"))]
        self.assertEqual(*rest)


class Refusals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halotherm-mpi-")
        self.addCleanup(folder.cleanup)
        self.prefix = Path(folder.name) / "prefix"
        self.prefix.mkdir()
        self.toolkit = Path(folder.name) / "toolkit"

    def make_toolkit(self):
        """What the script looks for first: machines without GPUs seldom have a real one."""
        for name in ("bin/nvcc", "include/cuda.h", "include/cuda_runtime.h"):
            (self.toolkit / name).parent.mkdir(parents=True, exist_ok=True)
            (self.toolkit / name).touch(0o755)

    def build(self, **variables):
        return run(str(SOURCE / "scripts/build-cuda-mpi"), str(self.prefix), **variables)

    def test_no_toolkit(self):
        code, output = self.build(CUDA_HOME="/nowhere")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"^error: no CUDA toolkit: CUDA_HOME is /nowhere, .*: install .*\n$")
        self.assertEqual(list(self.prefix.iterdir()), [])

    def test_folder_of_others(self):
        self.make_toolkit()
        (self.prefix / "mine").touch()
        code, output = self.build(CUDA_HOME=str(self.toolkit))
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"^error: .* is not empty, and not by this script: .*\n$")
        self.assertTrue((self.prefix / "mine").exists())

    def test_complete_one_is_left_as_it_is(self):
        (self.prefix / "COMPLETE").write_text("Open MPI of an earlier call\n", encoding="utf-8")
        code, output = self.build(CUDA_HOME="/nowhere")
        self.assertEqual(code, 0, output)
        self.assertTrue(output.startswith(f"{self.prefix} holds Open MPI of an earlier call."), output)


if __name__ == "__main__":
    if shutil.which("apt-get") is None:
        print("no apt-get here")
        sys.exit(77)
    unittest.main()
