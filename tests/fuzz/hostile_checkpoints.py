#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""hostile_checkpoints.py GOOD FOLDER: files that HDF5 finds in order and that are no checkpoints.

Each is the checkpoint GOOD, of 3 x 4 x 2 cells in double precision, with one thing changed, written to FOLDER under a name that says what.
"""
import shutil
import sys
from pathlib import Path

import h5py
import numpy as np

HUGE = 2**31 - 1


def attribute(name, value=None, **how):
    """Sets an attribute; `how` is h5py's shape and dtype."""
    def change(file):
        del file.attrs[name]
        file.attrs.create(name, value, **how)
    return change


def field(*arguments, **how):
    """Another data set /T, given as to create_dataset; without data, nothing is stored."""
    def change(file):
        del file["T"]
        file.create_dataset("T", *arguments, **how)
    return change


def link(target):
    def change(file):
        file.move("T", "field")
        file["T"] = target(file)
    return change


def chunk_of_gigabytes(file):
    field((2, 4, 3), dtype="f8", maxshape=(None,) * 3, chunks=(2, 4, 2**25), compression="gzip")(file)
    file["T"].id.write_direct_chunk((0, 0, 0), bytes(64))


def field_elsewhere(file):
    del file["T"]
    file.create_dataset("T", (2, 4, 3), dtype="f8", external=[("/dev/zero", 0, h5py.h5f.UNLIMITED)])


def field_virtual(file):
    del file["T"]
    layout = h5py.VirtualLayout((2, 4, 3), dtype="f8")
    layout[...] = h5py.VirtualSource("/dev/zero", "T", (2, 4, 3))
    file.create_virtual_dataset("T", layout)


def extents_of_nothing(file):
    attribute("cells", np.array([HUGE, 4194304, 1]))(file)
    field((1, 4194304, HUGE), dtype="f8", chunks=(1, 1, 1024))(file)


def odd_float(file):
    kind = h5py.h5t.IEEE_F64LE.copy()
    kind.set_fields(63, 1, 62, 63, 0)
    del file["T"]
    h5py.h5d.create(file.id, b"T", kind, h5py.h5s.create_simple((2, 4, 3)))


def text(length):
    def change(file):
        kind = h5py.h5t.C_S1.copy()
        kind.set_size(length)
        del file["config"]
        h5py.h5d.create(file.id, b"config", kind, h5py.h5s.create(h5py.h5s.SCALAR))
    return change


CHANGES = {
    "cells_huge": attribute("cells", np.array([HUGE] * 3)),
    "cells_negative": attribute("cells", np.array([-1, 4, 2])),
    "cells_beyond_int": attribute("cells", np.array([2**63, 4, 2], dtype="u8")),
    "cells_of_one_entry": attribute("cells", np.array([3])),
    "cells_of_many_entries": attribute("cells", np.zeros(400, dtype="i1")),
    "cells_empty": attribute("cells", h5py.Empty("i8")),
    "cells_of_other_shape": field((1, 1, 1), dtype="f8"),
    "extents_of_nothing": extents_of_nothing,
    "dimensions_many": attribute("dimensions", np.array(2**40)),
    "spacing_nan": attribute("spacing", np.array([np.nan, 1, 1])),
    "time_infinite": attribute("time", np.array(np.inf)),
    "time_an_integer": attribute("time", np.array(1)),
    "step_a_fraction": attribute("step", np.array(1.5)),
    "dt_a_record": attribute("dt", np.zeros((), dtype=[("a", "f8"), ("b", "S100")])),
    "title_of_any_length": attribute("title", "a", dtype=h5py.string_dtype()),
    "title_a_list": attribute("title", np.array([b"a"] * 100)),
    "checksum_of_letters": attribute("checksum", np.bytes_(b"x" * 16)),
    "format_version_later": attribute("format_version", np.array(2**31)),
    "config_of_a_gigabyte": text(2**30),
    "config_never_written": text(2**23),
    "field_missing": lambda file: file.move("T", "field"),
    "field_a_folder": link(lambda file: file.create_group("folder")),
    "field_the_root": link(lambda file: file["/"]),
    "field_linked": link(lambda file: h5py.SoftLink("/field")),
    "field_in_another_file": link(lambda file: h5py.ExternalLink("/dev/zero", "/T")),
    "field_elsewhere": field_elsewhere,
    "field_virtual": field_virtual,
    "field_of_integers": field((2, 4, 3), dtype="i8"),
    "field_of_odd_numbers": odd_float,
    "chunk_of_gigabytes": chunk_of_gigabytes,
}


def make(good, folder):
    for name, change in CHANGES.items():
        shutil.copyfile(good, folder / f"{name}.h5")
        with h5py.File(folder / f"{name}.h5", "r+") as file:
            change(file)
    whole = good.read_bytes()
    (folder / "cut_in_the_middle.h5").write_bytes(whole[: len(whole) // 2])
    (folder / "cut_after_the_superblock.h5").write_bytes(whole[:96])


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]))
