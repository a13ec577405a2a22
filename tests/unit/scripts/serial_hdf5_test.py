# SPDX-License-Identifier: MIT
"""A serial HDF5, or none, is refused when CMake configures, by a message that says what to install."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["HALOTHERM_SOURCE_DIR"])
CMAKE = sys.argv.pop(1)

# FindHDF5 as it answers where the headers of a serial library are first in its way
FOUND = """
set(HDF5_FOUND {found})
set(HDF5_IS_PARALLEL {parallel})
set(HDF5_VERSION 1.10.8)
set(HDF5_C_INCLUDE_DIRS /usr/include/hdf5/serial)
"""


def configured(found, parallel):
    """What cmake/Dependencies.cmake says; compilers and other libraries are not looked for."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name in ("MPI", "yaml-cpp", "CLI11", "fmt", "nlohmann_json", "GTest"):
            target = {"yaml-cpp": "yaml-cpp::yaml-cpp"}.get(name)
            made = f"add_library({target} INTERFACE IMPORTED)" if target else ""
            (folder / f"Find{name}.cmake").write_text(f"set({name}_FOUND TRUE)\nset(MPI_CXX_FOUND TRUE)\n{made}\n", encoding="utf-8")
        (folder / "FindHDF5.cmake").write_text(FOUND.format(found=found, parallel=parallel), encoding="utf-8")
        (folder / "Kokkos.cmake").write_text("", encoding="utf-8")
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(Trial LANGUAGES NONE)\n"
            f"set(CMAKE_MODULE_PATH {folder})\nset(CMAKE_FIND_PACKAGE_PREFER_CONFIG FALSE)\n"
            "macro(find_package name)\n  include(${CMAKE_MODULE_PATH}/Find${name}.cmake)\nendmacro()\n"
            f"include({SOURCE}/cmake/Dependencies.cmake)\n", encoding="utf-8")
        done = subprocess.run([CMAKE, "-S", folder, "-B", folder / "build"], capture_output=True, text=True, check=False, timeout=60)
        return done.returncode, re.sub(r"\s+", " ", done.stdout + done.stderr)


class SerialHdf5(unittest.TestCase):
    def test_parallel_is_taken(self):
        code, text = configured("TRUE", "TRUE")
        self.assertEqual(code, 0, text)
        self.assertIn("HDF5 1.10.8, parallel", text)

    def test_serial_is_refused(self):
        code, text = configured("TRUE", "FALSE")
        self.assertNotEqual(code, 0)
        self.assertIn("HDF5 built with MPI (the one found is serial: /usr/include/hdf5/serial)", text)
        self.assertIn("libhdf5-openmpi-dev", text)
        self.assertIn("HDF5_ROOT=<prefix>", text)

    def test_none_is_refused(self):
        code, text = configured("FALSE", "FALSE")
        self.assertNotEqual(code, 0)
        self.assertIn("HDF5 1.10.2 or newer, built with MPI", text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
