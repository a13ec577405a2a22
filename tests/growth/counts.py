# SPDX-License-Identifier: MIT
"""What every rank did with every file, as count_calls.cpp counts it."""
import dataclasses
import os
import struct

ROW = struct.Struct("184s9q")
IN_USE = 2


@dataclasses.dataclass(frozen=True)
class Counts:
    """Of one rank and one file."""
    rank: int
    file: str
    opens_to_read: int
    opens_to_write: int
    reads: int
    bytes_read: int
    writes: int
    bytes_written: int
    flushes: int
    on_main_thread: int

    @property
    def opens(self):
        return self.opens_to_read + self.opens_to_write


def variables(folder, pattern):
    """Of the environment, so that the calls on files with such paths are counted into this folder."""
    folder.mkdir()
    return {"LD_PRELOAD": os.environ["HALOTHERM_COUNT_LIBRARY"], "COUNT_FOLDER": str(folder), "COUNT_PATH": pattern}


def counted(folder):
    """Every Counts of the folder."""
    found = []
    for table in sorted(folder.glob("*.counts"), key=lambda path: int(path.stem)):
        for name, taken, *numbers in ROW.iter_unpack(table.read_bytes()):
            if taken == IN_USE:
                found.append(Counts(int(table.stem), name.rstrip(b"\0").decode(), *numbers))
    return found


def of_file(counts, name):
    """Those of a file, under its final name and as the partial file that it is at first."""
    return [count for count in counts if count.file in (name, f".{name}.partial")]
