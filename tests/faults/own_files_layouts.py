# SPDX-License-Identifier: MIT
"""Output directories as somebody may have them, and the exit code of every way to start a run into each."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from halotherm_runner import command, environment  # noqa: E402

CASE = {
    "title": "Own files",
    "grid": {"cells": [8], "lower": [0], "upper": [1]},
    "materials": {"solid": {"conductivity": 1, "density": 1, "heat_capacity": 1}},
    "initial": {"temperature": "300 + 50*x"},
    "time": {"steps": 40, "dt": 1e-4},
    "output": {"directory": "out", "diagnostics": {"steps": 1}, "checkpoint": {"steps": 10, "keep": 100}, "fields": {"steps": 10}},
}
STARTS = {"none": [], "overwrite": ["--overwrite"], "auto": ["--restart", "auto"], "latest": ["--restart", "latest"],
          "file": ["--restart", "{file}"]}


def program(folder, *arguments):
    (folder / "case.yaml").write_text(json.dumps(CASE), encoding="utf-8")
    done = subprocess.run([*command(1), "run", "case.yaml", *arguments], cwd=folder, env=environment(), text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
    return done.returncode, done.stdout


def checkpoint(step):
    return f"checkpoints/checkpoint_{step:010}.h5"


def snapshot(step):
    return f"fields/temperature_{step:010}.hdf"


def put(path, text="somebody's"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text} {path.name}\n", encoding="utf-8")


def link(path, target):
    path.symlink_to(target)


class Layout:
    """Changes the output directory `out` in `work` of a run that was killed after step 40, with checkpoints up to step 30. `codes`:
    the exit codes of the starts, in their order."""

    def __init__(self, name, codes, change):
        self.name, self.codes, self.change = name, dict(zip(STARTS, codes)), change


def foreign_everywhere(work, out):
    for name in ("checkpoints/notes.txt", "checkpoints/backup.h5", "fields/mydata.h5", "fields/plots/a.png", "data.csv", ".hidden"):
        put(out / name)


def nearly_own(work, out):
    for name in ("checkpoints/checkpoint_1.h5", "checkpoints/checkpoint_last.h5", "checkpoints/.checkpoint_mine.h5.partial",
                 "checkpoints/checkpoint_0000000010.h5.bak", "fields/temperature_old.hdf", "fields/temperature.hdf",
                 "fields/pressure_0000000010.hdf", "diagnostics.csv~", "report.json.old", "set_aside/mine", "stop.txt"):
        put(out / name)


def moved_behind_a_link(name, where=None):
    def change(work, out):
        target = where() if where else work / "scratch" / Path(name).name
        shutil.move(work / name, target)
        put(target / "notes.txt")
        link(work / name, target)
    return change


def dangling(name):
    def change(work, out):
        shutil.move(work / name, work / "unmounted")
        link(work / name, work / "gone" / "away")
    return change


def without_checkpoints(work, out):
    shutil.rmtree(out / "checkpoints")


def only_foreign(work, out):
    shutil.rmtree(out)
    put(out / "fields/mydata.h5")
    put(out / "checkpoints/mine")


def links_as_partials(work, out):
    put(work / "victim")
    for name in ("diagnostics.csv", "report.json", checkpoint(40), snapshot(40), "fields/temperature.hdf.series", checkpoint(30)):
        path = out / name
        link(path.with_name(f".{path.name}.partial"), work / "victim")


def folder_as(name):
    def change(work, out):
        path = out / name
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        put(path / "mine.txt")
    return change


def file_as_checkpoints(work, out):
    shutil.rmtree(out / "checkpoints")
    put(out / "checkpoints")


def table_elsewhere(work, out):
    shutil.move(out / "diagnostics.csv", work / "table.csv")
    link(out / "diagnostics.csv", "../table.csv")


def garbage(*steps):
    def change(work, out):
        for step in steps:
            (out / checkpoint(step)).write_bytes(b"garbage")
    return change


def renamed_as_damaged(work, out):
    for file in sorted((out / "checkpoints").iterdir()):
        file.rename(file.with_name(file.name + ".damaged"))


def damaged_before(work, out):
    put(out / (checkpoint(30) + ".damaged"))
    garbage(30)(work, out)


def set_aside_before(work, out):
    put(out / "set_aside_1/diagnostics.csv")
    put(out / "fields/set_aside_2/mine")
    without_checkpoints(work, out)


def linked_checkpoints(work, out):
    (work / "archive").mkdir()
    for file in sorted((out / "checkpoints").iterdir()):
        shutil.move(file, work / "archive" / file.name)
        link(file, Path("../../archive") / file.name)


def other_run(work, out):
    """Another run's results up to step 20, of which this one's configuration knows nothing."""
    shutil.rmtree(out)
    code, text = program(work, "--set", "materials.solid.density=3", "--set", "time.steps=20")
    assert code == 0, text


def no_permission(work, out):
    (out / "checkpoints").chmod(0o500)


def other_file_system():
    folder = Path(tempfile.mkdtemp(prefix="halotherm-own-files-", dir="/dev/shm")) / "there"
    OTHERS.append(folder.parent)
    return folder


OTHERS = []  # folders on another file system
#                                                   none overwrite auto latest file
LAYOUTS = [
    Layout("nothing there", (0, 0, 0, 4, 0), lambda work, out: shutil.rmtree(out)),
    Layout("a killed run", (2, 0, 0, 0, 0), lambda work, out: None),
    Layout("a finished run", (2, 0, 0, 0, 0), lambda work, out: program(work, "--restart", "latest")),
    Layout("no checkpoints", (2, 0, 0, 4, 2), without_checkpoints),
    Layout("an empty folder of checkpoints", (2, 0, 0, 4, 2), folder_as("checkpoints")),
    Layout("foreign files everywhere", (2, 0, 0, 0, 0), foreign_everywhere),
    Layout("foreign files, no checkpoints", (2, 0, 0, 4, 2), lambda *a: (without_checkpoints(*a), foreign_everywhere(*a))),
    Layout("foreign files only", (0, 0, 0, 4, 0), only_foreign),
    Layout("names nearly our own", (2, 0, 0, 0, 0), nearly_own),
    Layout("names nearly our own, no checkpoints", (2, 0, 0, 4, 2), lambda *a: (without_checkpoints(*a), nearly_own(*a))),
    Layout("checkpoints: a dangling link", (4, 4, 4, 4, 4), dangling("out/checkpoints")),
    Layout("fields: a dangling link", (4, 4, 4, 4, 4), dangling("out/fields")),
    Layout("diagnostics.csv: a dangling link", (4, 4, 4, 4, 4), dangling("out/diagnostics.csv")),
    Layout("out: a dangling link", (4, 4, 4, 4, 4), dangling("out")),
    Layout("checkpoints: a link", (2, 0, 0, 0, 0), moved_behind_a_link("out/checkpoints")),
    Layout("fields: a link", (2, 0, 0, 0, 0), moved_behind_a_link("out/fields")),
    Layout("out: a link", (2, 0, 0, 0, 0), moved_behind_a_link("out")),
    Layout("fields: another file system, no checkpoints", (2, 0, 0, 4, 2),
           lambda *a: (without_checkpoints(*a), moved_behind_a_link("out/fields", other_file_system)(*a))),
    Layout("checkpoints: another file system", (2, 0, 0, 0, 0), moved_behind_a_link("out/checkpoints", other_file_system)),
    Layout("partial names that are links", (2, 0, 0, 0, 0), links_as_partials),
    Layout("partial names that are links, no checkpoints", (2, 0, 0, 4, 2),
           lambda *a: (links_as_partials(*a), without_checkpoints(*a))),
    Layout("checkpoints: somebody's file", (4, 4, 4, 4, 4), file_as_checkpoints),
    Layout("report.json: somebody's folder", (4, 4, 4, 4, 4), folder_as("report.json")),
    Layout("diagnostics.csv: a link to a table elsewhere", (2, 0, 0, 0, 0), table_elsewhere),
    Layout("checkpoints that are links into an archive", (2, 0, 0, 0, 0), linked_checkpoints),
    Layout("another run's results", (2, 0, 2, 2, 2), other_run),
    Layout("a damaged checkpoint", (2, 0, 0, 0, 0), garbage(30)),
    Layout("a damaged checkpoint, and one before it", (2, 0, 0, 0, 0), damaged_before),
    Layout("only damaged checkpoints", (2, 0, 4, 4, 4), garbage(10, 20, 30)),
    Layout("only checkpoints that are renamed as damaged", (2, 0, 0, 4, 2), renamed_as_damaged),
    Layout("results that were set aside before", (2, 0, 0, 4, 2), set_aside_before),
]
if os.geteuid() != 0:
    LAYOUTS.append(Layout("checkpoints: not to be written", (2, 4, 4, 4, 4), no_permission))
