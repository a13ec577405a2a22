#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the input fields of configs/chip.yaml: a processor die under a copper heat spreader.

The die is "close to the Alpha EV6 processor", the example floorplan of HotSpot 7 (K. Skadron, M. R. Stan, W. Huang, S. Velusamy,
K. Sankaranarayanan, D. Tarjan: Temperature-Aware Microarchitecture, ISCA 2003; https://github.com/uvahotspot/HotSpot, files
examples/example1/ev6.flp, gcc.ptrace and example.config). Positions of the blocks, their powers (the first interval of the trace of gcc,
59.1 W in all) and the materials are the numbers published there.

From bottom to top (z): die, interface material, copper spreader that overhangs the die by 2 mm on each side
(7 mm in that example); filler around the die. The heat sink is left out: the spreader's top has the convection resistance of that
example's sink, 0.1 K/W for its whole spreader of 9 cm2, as convection. The interface layer is 0.05 mm thick instead of 0.02 mm, since the thinnest cell bounds the explicit time step; its conductivity and heat capacity
are scaled so that its thermal resistance and its heat capacity for an area are the published ones.
"""
import argparse
import pathlib
import sys

import h5py
import numpy

# name: width, height, left, bottom [m], power [W]
BLOCKS = {
    "L2_left": (4.9e-3, 6.2e-3, 0.0, 9.8e-3, 1.44),
    "L2": (16e-3, 9.8e-3, 0.0, 0.0, 7.37),
    "L2_right": (4.9e-3, 6.2e-3, 11.1e-3, 9.8e-3, 1.44),
    "Icache": (3.1e-3, 2.6e-3, 4.9e-3, 9.8e-3, 8.27),
    "Dcache": (3.1e-3, 2.6e-3, 8.0e-3, 9.8e-3, 14.3),
    "Bpred_0": (1.033e-3, 0.7e-3, 4.9e-3, 12.4e-3, 1.51667),
    "Bpred_1": (1.033e-3, 0.7e-3, 5.933e-3, 12.4e-3, 1.51667),
    "Bpred_2": (1.033e-3, 0.7e-3, 6.967e-3, 12.4e-3, 1.51667),
    "DTB_0": (1.033e-3, 0.7e-3, 8.0e-3, 12.4e-3, 0.05967),
    "DTB_1": (1.033e-3, 0.7e-3, 9.033e-3, 12.4e-3, 0.05967),
    "DTB_2": (1.033e-3, 0.7e-3, 10.067e-3, 12.4e-3, 0.05967),
    "FPAdd_0": (1.1e-3, 0.9e-3, 4.9e-3, 13.1e-3, 0.62),
    "FPAdd_1": (1.1e-3, 0.9e-3, 6.0e-3, 13.1e-3, 0.62),
    "FPReg_0": (0.55e-3, 0.38e-3, 4.9e-3, 14.0e-3, 0.19375),
    "FPReg_1": (0.55e-3, 0.38e-3, 5.45e-3, 14.0e-3, 0.19375),
    "FPReg_2": (0.55e-3, 0.38e-3, 6.0e-3, 14.0e-3, 0.19375),
    "FPReg_3": (0.55e-3, 0.38e-3, 6.55e-3, 14.0e-3, 0.19375),
    "FPMul_0": (1.1e-3, 0.95e-3, 4.9e-3, 14.38e-3, 0.665),
    "FPMul_1": (1.1e-3, 0.95e-3, 6.0e-3, 14.38e-3, 0.665),
    "FPMap_0": (1.1e-3, 0.67e-3, 4.9e-3, 15.33e-3, 0.02355),
    "FPMap_1": (1.1e-3, 0.67e-3, 6.0e-3, 15.33e-3, 0.02355),
    "IntMap": (0.9e-3, 1.35e-3, 7.1e-3, 14.65e-3, 1.07),
    "IntQ": (1.3e-3, 1.35e-3, 8.0e-3, 14.65e-3, 0.365),
    "IntReg_0": (0.9e-3, 0.67e-3, 9.3e-3, 15.33e-3, 2.585),
    "IntReg_1": (0.9e-3, 0.67e-3, 10.2e-3, 15.33e-3, 2.585),
    "IntExec": (1.8e-3, 2.23e-3, 9.3e-3, 13.1e-3, 7.7),
    "FPQ": (0.9e-3, 1.55e-3, 7.1e-3, 13.1e-3, 0.0354),
    "LdStQ": (1.3e-3, 0.95e-3, 8.0e-3, 13.7e-3, 3.46),
    "ITB_0": (0.65e-3, 0.6e-3, 8.0e-3, 13.1e-3, 0.2),
    "ITB_1": (0.65e-3, 0.6e-3, 8.65e-3, 13.1e-3, 0.2),
}
DIE_SIDE = 16e-3
SIDE = 20e-3  # of the spreader and the domain
CELLS = (80, 80, 24)  # of 0.25 mm x 0.25 mm x 0.05 mm; those of configs/chip.yaml
HEIGHT = 1.2e-3
DIE_TOP, INTERFACE_TOP = 0.15e-3, 0.2e-3

# conductivity [W/(m K)], density [kg/m3], volumetric heat capacity [J/(m3 K)]; published: conductivities and heat capacities of the first three
SILICON = (130.0, 2330.0, 1630300.0)
INTERFACE = (4.0 * 0.05 / 0.02, 2500.0, 4.0e6 * 0.02 / 0.05)
COPPER = (400.0, 8960.0, 3.55e6)
FILLER = (0.8, 1800.0, 1.8e6)


def overlap(edges, lower, upper):
    """How much of [lower, upper] lies in each of the intervals between `edges`."""
    return numpy.clip(numpy.minimum(edges[1:], upper) - numpy.maximum(edges[:-1], lower), 0, None)


def power_map(cells):
    """Heat source [W/m3], (z, y, x): each block's power, evenly over its area, in the lowest layer of the published 0.05 mm cells."""
    nx, ny, nz = cells
    x, y, z = (numpy.linspace(0, length, n + 1) for length, n in ((SIDE, nx), (SIDE, ny), (HEIGHT, nz)))
    offset = (SIDE - DIE_SIDE) / 2
    areal = numpy.zeros((ny, nx))  # W in each column of cells
    for width, height, left, bottom, power in BLOCKS.values():
        shares_x = overlap(x, offset + left, offset + left + width) / width
        shares_y = overlap(y, offset + bottom, offset + bottom + height) / height
        areal += power * shares_y[:, None] * shares_x[None, :]
    depth = HEIGHT / CELLS[2]
    volume = (SIDE / nx) * (SIDE / ny) * (HEIGHT / nz)
    return overlap(z, 0, depth)[:, None, None] / depth * areal / volume


def materials(cells):
    """Conductivity, density and heat capacity for a mass, (z, y, x)."""
    x, y, z = ((numpy.arange(n) + 0.5) * length / n for n, length in zip(cells, (SIDE, SIDE, HEIGHT)))
    over_die = (abs(x - SIDE / 2) < DIE_SIDE / 2)[None, :] & (abs(y - SIDE / 2) < DIE_SIDE / 2)[:, None]
    fields = numpy.empty((3, len(z), len(y), len(x)))
    for k, height in enumerate(z):
        inside = SILICON if height < DIE_TOP else INTERFACE if height < INTERFACE_TOP else COPPER
        outside = COPPER if height > INTERFACE_TOP else FILLER
        for field, (here, there) in enumerate(zip(inside, outside)):
            fields[field, k] = numpy.where(over_die, here, there)
    conductivity, density, volumetric = fields
    return conductivity, density, volumetric / density


def write(output, cells):
    conductivity, density, heat_capacity = materials(cells)
    datasets = {
        "conductivity": (conductivity, "W/(m K)"),
        "density": (density, "kg/m3"),
        "heat_capacity": (heat_capacity, "J/(kg K)"),
        "power": (power_map(cells), "W/m3"),
    }
    partial = output.with_name(f".{output.name}.partial")
    try:
        with h5py.File(partial, "w") as file:
            file.attrs["title"] = "Processor die close to the Alpha EV6 under a copper spreader"
            file.attrs["source"] = "HotSpot 7, examples/example1 (ev6.flp, gcc.ptrace, example.config); Skadron et al., ISCA 2003"
            for name, (values, units) in datasets.items():
                dataset = file.create_dataset(name, data=values, compression="gzip", shuffle=True)
                dataset.attrs["units"] = units
                for axis, label in enumerate("zyx"):  # Halotherm checks them
                    dataset.dims[axis].label = label
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = pathlib.Path(__file__).resolve().parent.parent / "configs" / "chip.h5"
    parser.add_argument("--output", type=pathlib.Path, default=default, help="HDF5 file to write (default: configs/chip.h5)")
    parser.add_argument("--refine", type=int, default=1, metavar="N",
                        help="N times as many cells along each axis; set grid.cells to match (default: 1)")
    options = parser.parse_args()
    if options.refine < 1:
        parser.error("--refine must be at least 1")
    cells = tuple(options.refine * n for n in CELLS)
    try:
        write(options.output, cells)
    except OSError as error:
        sys.exit(f"make_chip: cannot write '{options.output}' ({error})")
    power = sum(block[4] for block in BLOCKS.values())
    print(f"{options.output}: {cells[0]} x {cells[1]} x {cells[2]} cells, {len(BLOCKS)} blocks, {power:.1f} W")


if __name__ == "__main__":
    main()
