#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""paraview_test.py SAMPLE: what ParaView makes of the series that the program SAMPLE writes.

Takes the pvpython that $HALOTHERM_PVPYTHON names or PATH has; else installs Debian 12's ParaView 5.11, whose package cannot stand
beside python3-vtk9, in a folder of its own (chroot; root and a network; three minutes, 2 GB), which it removes at the end. A folder
in which an earlier call left it is taken if $HALOTHERM_PARAVIEW_ROOT names it, and is made there if it is missing.
"""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy
from sample import GRIDS, TIMES, UNEVEN, expected_values, write

SUITE = "bookworm"
INSTALL = """set -e
apt-get -q -o APT::Sandbox::User=root update
apt-get -q -y --no-install-recommends -o APT::Sandbox::User=root install paraview python3-paraview"""


def mirror():
    """That apt uses here."""
    listed = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)"], capture_output=True, text=True, check=True)
    return next(line for line in listed.stdout.splitlines() if "security" not in line)


def make_root(root):
    if (root / "usr/bin/pvpython").exists():
        return
    with open(f"{root}.log", "w", encoding="utf-8") as log:
        subprocess.run(["debootstrap", "--variant=minbase", SUITE, root, mirror()], stdout=log, stderr=log, check=True)
        for file in (Path("/etc/resolv.conf"), *Path("/etc/apt/apt.conf.d").glob("99*")):  # the name server, the proxy
            shutil.copy(file, root / file.relative_to("/"))
        environment = os.environ | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}
        subprocess.run(["chroot", root, "sh", "-c", INSTALL], env=environment, stdout=log, stderr=log, check=True)


def why_not():
    if os.getuid() != 0:
        return "not root"
    return next((f"no {program}" for program in ("debootstrap", "chroot", "apt-get") if not shutil.which(program)), None)


@contextlib.contextmanager
def pvpython():
    """Its command, and a folder that it sees under the name that comes third."""
    own = os.environ.get("HALOTHERM_PVPYTHON") or shutil.which("pvpython")
    with tempfile.TemporaryDirectory(prefix="halotherm-paraview-") as temporary:
        if own:
            yield [own], Path(temporary), Path(temporary)
            return
        if reason := why_not():
            print(f"no pvpython in PATH, and none can be installed beside ({reason})")
            sys.exit(77)
        root = Path(os.environ.get("HALOTHERM_PARAVIEW_ROOT", f"{temporary}/root"))
        make_root(root)
        folder = Path(tempfile.mkdtemp(dir=root / "root"))
        try:
            yield ["chroot", str(root), "env", "-i", "HOME=/root", "PATH=/usr/bin:/bin", "pvpython"], folder, \
                Path("/") / folder.relative_to(root)
        finally:
            shutil.rmtree(folder)


def what_is_read(program):
    with pvpython() as (command, folder, seen):
        write(program, folder)
        shutil.copy(Path(__file__).parent / "paraview_reads.py", folder)
        series = [str(seen / f"{name}.hdf.series") for name in GRIDS] + [str(seen / f"{name}.nc.series") for name in UNEVEN]
        done = subprocess.run([*command, str(seen / "paraview_reads.py"), *series], capture_output=True, text=True, timeout=300,
                              check=False)
        found = [json.loads(line[5:]) for line in done.stdout.splitlines() if line.startswith("read ")]
        if len(found) != len(series):
            sys.exit(f"pvpython ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        version = subprocess.run([*command, "-c", "import paraview; print('ParaView', paraview.__version__)"], capture_output=True,
                                 text=True, check=False)
        print(version.stdout.strip(), flush=True)
        return dict(zip((*GRIDS, *UNEVEN), found))


class ParaViewTest(unittest.TestCase):
    found = {}

    def test_series(self):
        for name, (extent, spacing, origin, cells) in GRIDS.items():
            with self.subTest(name=name):
                read = self.found[name]
                self.assertNotIn("error", read)
                self.assertEqual(read["times"], list(TIMES.values()))
                for step, image in zip(TIMES, read["images"]):
                    self.assertEqual(image["class"], "vtkImageData")
                    self.assertEqual((tuple(image["extent"]), tuple(image["spacing"]), tuple(image["origin"])), (extent, spacing, origin))
                    self.assertEqual(image["array"], "vtkFloatArray" if name == "single" else "vtkDoubleArray")
                    numpy.testing.assert_array_equal(image["values"], expected_values(cells, extent, step))

    def test_uneven_series(self):
        for name, coordinates in UNEVEN.items():
            with self.subTest(name=name):
                read = self.found[name]
                self.assertNotIn("error", read)
                self.assertEqual(read["times"], list(TIMES.values()))
                cells = [len(points) for points in coordinates]
                extent = [bound for count in cells for bound in (0, count - 1)]
                for step, image in zip(TIMES, read["images"]):
                    self.assertEqual(image["class"], "vtkRectilinearGrid")
                    for points, wanted in zip(image["coordinates"], coordinates):
                        numpy.testing.assert_allclose(points, wanted, rtol=1e-15)
                    numpy.testing.assert_array_equal(image["values"], expected_values(cells, extent, step))


if __name__ == "__main__":
    ParaViewTest.found = what_is_read(sys.argv.pop(1))
    result = unittest.main(exit=False, verbosity=2).result
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
