# SPDX-License-Identifier: MIT
"""What halotherm_vtk_sample (sample.cpp) writes, as a viewer must show it."""
import os
import subprocess

import numpy

# name: extents of the points, spacing, origin, cells along x, y, z
GRIDS = {
    "solid": ((0, 6, 0, 5, 0, 4), (0.25, 0.5, 1), (-0.875, 0.75, 2.5), (7, 6, 5)),
    "single": ((0, 6, 0, 5, 0, 4), (0.25, 0.5, 1), (-0.875, 0.75, 2.5), (7, 6, 5)),
    "sheet": ((0, 6, 0, 5, 0, 1), (0.25, 0.5, 0.25), (-0.875, 0.75, 0), (7, 6, 1)),
    "rod": ((0, 6, 0, 1, 0, 1), (0.25, 0.25, 0.25), (-0.875, 0, 0), (7, 1, 1)),
    "slice": ((0, 6, 0, 5, 0, 1), (0.25, 0.5, 1), (-0.875, 0.75, 2), (7, 6, 1)),
}
# series in netCDF, whose cells double in width along x and z: coordinates of the points along x, y, z
_centres = [-1 + 0.125 * (1.5 * 2**n - 1) for n in range(7)], [0.75 + 0.5 * n for n in range(6)], [2 + 0.125 * (1.5 * 2**n - 1) for n in range(5)]
UNEVEN = {"layers": _centres, "layered_sheet": (*_centres[:2], [0.0])}
TIMES = {0: 0.0, 40: 5.0}  # s, of each step


def write(program, folder):
    subprocess.run([os.environ.get("MPIEXEC", "mpiexec"), "-n", "3", program, folder], check=True)


def expected_values(cells, extent, step):
    """The field at the image's points, x fastest; an axis of one cell has two equal layers."""
    points = [extent[2 * axis + 1] + 1 for axis in range(3)]
    i, j, k = (numpy.minimum(numpy.arange(points[axis]), cells[axis] - 1) for axis in range(3))
    return (256.0 + i[None, None, :] + j[None, :, None] / 16 + k[:, None, None] / 256 + step).ravel()
