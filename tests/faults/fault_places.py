# SPDX-License-Identifier: MIT
"""The places at which a disk may fail a run, and what is to become of the run."""
import dataclasses

from faults import LAST, RANKS, Fault

STEP = 4  # whose files are hit: an older checkpoint is there, and a later one follows
CHECKPOINT = f"checkpoint_{STEP:010}.h5"
SNAPSHOT = f"temperature_{STEP:010}.hdf"
STEPS = "main"  # the thread that takes the steps and writes rows; all else is done by others
LAID_OUT = "fallocate:2"  # on rank 0: its space was tried, and set aside


@dataclasses.dataclass(frozen=True)
class Expected:
    code: int
    says: str = ""  # error, warning, or nothing
    rows_missing: bool = False


OUTCOMES = {
    "lost": {"stop": Expected(4, "error"), "continue": Expected(0, "warning")},
    "fatal": {"stop": Expected(4, "error"), "continue": Expected(4, "error")},
    "unharmed": {"stop": Expected(0), "continue": Expected(0)},
    "kept": {"stop": Expected(0, "warning"), "continue": Expected(0, "warning")},
    # a rank that failed while others wait within MPI-IO for ever: it ends them all, after watchdog.seconds
    "ended": {"stop": Expected(4, "error"), "continue": Expected(4, "error")},
    "rows lost": {"stop": Expected(4, "error", True), "continue": Expected(0, "warning", True)},
}


@dataclasses.dataclass(frozen=True)
class Place:
    name: str
    call: str
    path: str
    errors: tuple
    rank: int = 0
    thread: str = ""
    after: str = ""
    at: int = 1
    count: int = 1
    outcome: str = "lost"
    named: str = CHECKPOINT  # in the message
    settings: tuple = ()
    older: int = 2  # step of a checkpoint that is there before
    within_mpi: bool = False  # a call of MPI-IO, of which other ranks may learn, or wait for this one; the system's reason may be lost

    def fault(self, error):
        count = 0 if error == "short" and self.count == 1 else self.count  # the disk stays full
        return Fault(self.call, error, self.path, self.rank, self.thread, self.after, self.at, count)

    def outcomes_of(self, error):
        """Any of which is right."""
        if self.within_mpi:
            harmless = error == "half" or self.call == "close"  # what was written is on the disk before
            return (self.outcome, "ended", "unharmed") if harmless else (self.outcome, "ended")
        return ("unharmed",) if error in ("half", "EINVAL") else (self.outcome,)


def partial(name):
    return f"*/.{name}.partial"


def of_a_beginning(name, path, first):
    """On rank 0, before anybody else looks at the file."""
    yield Place(f"{name}: making it", "open", path, ("EACCES", "EROFS", "EDQUOT", "ESTALE"), **first)
    yield Place(f"{name}: trying its size", "fallocate", path, ("ENOSPC", "EDQUOT", "EIO"), **first)


def of_reading_back(name, path, at_rank):
    yield Place(f"{name}: opening to read back", "open_read", path, ("ESTALE",), **at_rank)
    yield Place(f"{name}: reading back", "pread", path, ("EIO", "half", "corrupt"), **at_rank)


def of_a_name(name, file, first):
    yield Place(f"{name}: giving its name", "rename", f"*/{file}", ("EIO", "EACCES", "EROFS", "ENOSPC", "ESTALE"), **first)


def of_a_file(name, file, settings=()):
    """Every place in the life of a checkpoint or a snapshot that ranks write in the background."""
    path, first = partial(file), dict(named=file, settings=settings)
    yield from of_a_beginning(name, path, first)
    yield Place(f"{name}: HDF5 opens it", "open", path, ("EIO",), at=2, count=2, **first)
    yield Place(f"{name}: HDF5 lays it out", "pwrite", path, ("ENOSPC", "EIO", "EDQUOT", "short", "half"), **first)
    yield Place(f"{name}: HDF5 closes it", "close", path, ("EIO",), after="pwrite", **first)
    yield Place(f"{name}: setting space aside", "fallocate", path, ("ENOSPC",), at=2, **first)
    for rank, after in ((0, LAID_OUT), (LAST, "")):
        at_rank = dict(rank=rank, after=after, **first)
        yield Place(f"{name}: opening to write values", "open", path, ("ESTALE", "EACCES"), **at_rank)
        yield Place(f"{name}: writing values", "pwrite", path, ("ENOSPC", "EIO", "EDQUOT", "short", "half", "corrupt"), **at_rank)
        yield Place(f"{name}: flushing values", "fsync", path, ("EIO", "ENOSPC", "EDQUOT"), **at_rank)
        yield from of_reading_back(name, path, at_rank)
    yield Place(f"{name}: flushing it", "fsync", path, ("EIO", "ENOSPC"), at=2, **first)
    yield from of_a_name(name, file, first)


TOGETHER = ("watchdog.seconds=5", f"output.hints.cb_nodes={RANKS}")  # all ranks write, where MPI-IO follows the hint


def of_a_parallel_file(name, file, settings=()):
    """Every place in the life of a checkpoint or a snapshot that is written by parallel HDF5."""
    path, first = partial(file), dict(named=file, settings=(*settings, *TOGETHER))
    yield from of_a_beginning(name, path, first)
    yield Place(f"{name}: setting space aside", "fallocate", path, ("ENOSPC",), at=2, **first)
    for rank, at in ((0, 2), (LAST, 1)):
        at_rank = dict(rank=rank, within_mpi=True, **first)
        yield Place(f"{name}: all open it", "open", path, ("ESTALE", "EACCES"), at=at, **at_rank)
        yield Place(f"{name}: all describe it", "pwrite", path, ("ENOSPC", "EIO"), **at_rank)
        yield Place(f"{name}: all write values", "pwrite", path, ("ENOSPC", "EIO", "EDQUOT", "short", "half", "corrupt"), after="pwrite",
                    **at_rank)
        yield Place(f"{name}: all flush it", "fsync", path, ("EIO", "ENOSPC"), **at_rank)
        yield Place(f"{name}: all close it", "close", path, ("EIO",), after="fsync", **at_rank)
        yield from of_reading_back(name, path, dict(rank=rank, **first))
    yield from of_a_name(name, file, first)


def of_a_completion(writer):
    path = partial(CHECKPOINT)
    done = dict(after="pread")  # once the values were read back
    yield Place("completion: HDF5 opens it", "open", path, ("EACCES",), count=2, **done)
    yield Place("completion: HDF5 writes", "pwrite", path, ("ENOSPC", "EIO", "short", "half"), **done)
    yield Place("completion: HDF5 writes something else", "pwrite", path, ("corrupt",), at=2, **done)  # the first bytes do not matter
    if writer == "background":  # the other opens and closes it more often before
        yield Place("completion: HDF5 closes it", "close", path, ("EIO",), after="open_read", at=2)


def of_folders(writer):
    folder = dict(path="*/checkpoints", named="checkpoints")
    if writer == "background":  # whose start opens it so often before
        yield Place("folder: opening it", "open_read", errors=("EACCES",), at=12, **folder)
    yield Place("folder: flushing it", "fsync", errors=("EIO", "EINVAL"), at=2, **folder)
    yield Place("retirement", "unlink", "*/checkpoint_0000000002.h5", ("EACCES", "EIO", "EROFS"), outcome="kept",
                named="checkpoint_0000000002.h5", settings=("output.checkpoint.keep=2",), count=0)


def of_the_end(writer):
    last = partial("checkpoint_0000000006.h5")
    named = dict(named="checkpoint_0000000006.h5", within_mpi=writer != "background", settings=SETTINGS[writer])
    yield Place("last checkpoint: once", "pwrite", last, ("ENOSPC",), after=LAID_OUT, **named)
    yield Place("last checkpoint: always", "fsync", last, ("EIO",), count=0, outcome="fatal", **named)
    # both are begun after the last step; the one that fails must not take the other with it
    snapshot = "temperature_0000000006.hdf"
    yield Place("last snapshot", "fallocate", partial(snapshot), ("ENOSPC",), named=snapshot, older=4,
                settings=("output.fields.steps=4", "output.checkpoint.steps=4"))
    for call, error in (("open", "EACCES"), ("pwrite", "ENOSPC"), ("fsync", "EIO")):
        yield Place(f"report: {call}", call, partial("report.json"), (error,), named="report.json")
    yield Place("report: rename", "rename", "*/report.json", ("EIO",), named="report.json")


def of_rows():
    file = dict(path="*/diagnostics.csv", named="diagnostics.csv")
    yield Place("diagnostics: once", "pwrite", errors=("ENOSPC", "half", "EIO"), at=3, outcome="unharmed", **file)
    yield Place("diagnostics: half of a row, twice", "pwrite", errors=("short",), at=3, count=2, outcome="unharmed", **file)
    yield Place("diagnostics: opening once", "open", errors=("EACCES",), thread=STEPS, at=4, outcome="unharmed", **file)
    yield Place("diagnostics: closing once", "close", errors=("EIO",), thread=STEPS, at=4, outcome="unharmed", **file)
    yield Place("diagnostics: always", "pwrite", errors=("ENOSPC",), at=3, count=0, outcome="rows lost", **file)


FIELDS = ("output.fields.steps=2",)


def of_a_series():
    listed = dict(at=2, named="temperature.hdf.series", settings=FIELDS)
    yield Place("series: writing", "pwrite", partial("temperature.hdf.series"), ("ENOSPC",), **listed)
    yield Place("series: name", "rename", "*/temperature.hdf.series", ("EIO",), **listed)


SETTINGS = {"background": (), "parallel-hdf5": TOGETHER}
LIVES = {"background": of_a_file, "parallel-hdf5": of_a_parallel_file}


def places_of(writer):
    """Of a checkpoint, of what comes with it, and of a snapshot."""
    life = LIVES[writer]
    common = [*of_a_completion(writer), *of_folders(writer), *of_the_end(writer), *of_rows(), *of_a_series()]
    return [*life("checkpoint", CHECKPOINT)], common, [*life("snapshot", SNAPSHOT, FIELDS)]
