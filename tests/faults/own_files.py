# SPDX-License-Identifier: MIT
"""Every way to start a run, into every output directory that somebody may have: a run removes or moves nothing but results of its own
names, says where they are, and loses none that was not named by --overwrite. A run that is refused changes nothing at all.

    HALOTHERM=... own_files.py [LAYOUT ...]"""
import concurrent.futures
import contextlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from own_files_layouts import LAYOUTS, OTHERS, STARTS, Layout, checkpoint, foreign_everywhere, program, snapshot

ELSEWHERE = "../base/out/checkpoints/checkpoint_0000000010.h5"


def is_own(path):
    """Whether the file has a name of the run's in the place where it has it."""
    folder, name = path.parent.name, path.name
    if folder == "checkpoints":
        return name.startswith("checkpoint_") and len(name.split(".")[0]) == 21 and (name.endswith(".h5") or ".h5.damaged" in name)
    if folder == "fields":
        return name == "temperature.hdf.series" or (name.startswith("temperature_") and len(name) == 26)
    return name in ("diagnostics.csv", "report.json") and "set_aside" not in folder


def contents(folders):
    """Path -> bytes of every file, or the target of a link to one; folders that are links count as such, too."""
    found = {}
    for folder in folders:
        for root, below, names in os.walk(folder):
            for name in [*names, *(name for name in below if (Path(root) / name).is_symlink())]:
                path = Path(root) / name
                found[path] = os.readlink(path) if path.is_symlink() else path.read_bytes()
    return found


def judge(layout, start, code, text, before, after):
    """Throws what is wrong."""
    assert code == layout.codes[start], f"exit {code} instead of {layout.codes[start]}"
    if code != 0:
        changed = sorted(str(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        assert not changed, f"a refused run changed {changed}"
        return
    everything = set(after.values())
    rows = {row for path, data in after.items() if path.name == "diagnostics.csv" and isinstance(data, bytes)
            for row in data.splitlines()}
    for path, data in before.items():
        if path.name.endswith(".partial") and is_own(path.with_name(path.name[1:-8])):
            continue  # half a file, or a planted link
        if not is_own(path):
            assert after.get(path) == data, f"{path} is not ours, and was changed or removed"
        elif start == "overwrite" or path.name == "temperature.hdf.series":
            continue
        elif path.name == "report.json":
            assert start in ("auto", "latest") and path in after or data in everything, f"{path} is lost"
        elif path.name == "diagnostics.csv" and isinstance(data, bytes):
            assert rows.issuperset(data.splitlines()), f"rows of {path} are lost"
        elif isinstance(data, bytes):
            assert data in everything, f"{path} is lost"
    moved = {part for path in after.keys() - before.keys() for part in path.parts if part.startswith("set_aside_")}
    assert all(name in text for name in moved), f"{moved} is not mentioned"


def attack(layout, start, work, base):
    """One run in a folder of its own; what is wrong, or nothing."""
    shutil.copytree(base, work)
    (work / "scratch").mkdir()
    out = work / "out"
    layout.change(work, out)
    own = (out / checkpoint(10)).exists()
    arguments = [word.format(file="out/" + checkpoint(10) if own else ELSEWHERE) for word in STARTS[start]]
    watched = [work, *(folder for folder in OTHERS for name in ("fields", "checkpoints") if (out / name).resolve().parent == folder)]
    before = contents(watched)
    code, text = program(work, *arguments)
    try:
        judge(layout, start, code, text, before, contents(watched))
    except AssertionError as wrong:
        return f"{layout.name}, {start}: {wrong}\n{text}"
    return None


def rewind(work, base):
    """What a rewind leaves is a run that never went further, and can be gone on with, even if it was killed at once."""
    shutil.copytree(base, work)
    out = work / "out"
    code, text = program(work, "--restart", "out/" + checkpoint(10), "--set", "output.checkpoint.keep=1", "--set", "time.steps=10")
    assert code == 0 and "set_aside_1" in text, text
    left = sorted(path.name for path in (out / "checkpoints").iterdir())
    assert left == [Path(checkpoint(10)).name], f"after a rewind: {left}"
    code, text = program(work, "--restart", "latest")
    assert code == 0 and "step 10" in text, text
    for name in ("diagnostics.csv", *(snapshot(step) for step in (0, 10, 20, 30, 40))):
        assert (out / name).read_bytes() == (base / "out" / name).read_bytes(), f"{name} differs after a rewind"
    listed = json.loads((out / "fields/temperature.hdf.series").read_text(encoding="utf-8"))["files"]
    assert [Path(entry["name"]).name for entry in listed] == [Path(snapshot(step)).name for step in (0, 10, 20, 30, 40)], listed
    aside = json.loads((out / "set_aside_1/fields/temperature.hdf.series").read_text(encoding="utf-8"))["files"]
    assert [Path(entry["name"]).name for entry in aside] == [Path(snapshot(step)).name for step in (20, 30, 40)], aside
    table = (base / "out/diagnostics.csv").read_bytes()
    assert (out / "set_aside_1/diagnostics.csv").read_bytes() == table
    code, text = program(work, "--restart", "latest", "--set", "output.directory=out/set_aside_1")
    assert code == 0 and "step 30" in text and (out / "set_aside_1/diagnostics.csv").read_bytes() == table, text


def here(work):
    """output.directory: . with somebody's files in it."""
    work.mkdir()
    code, text = program(work, "--set", "output.directory=.")
    assert code == 0, text
    foreign_everywhere(work, work)
    shutil.rmtree(work / "checkpoints")
    for start in ("auto", "overwrite"):
        before = contents([work])
        code, text = program(work, *STARTS[start], "--set", "output.directory=.")
        judge(Layout("here", (0,) * 5, None), start, code, text, before, contents([work]))


def prove_that_it_can_fail(base):
    before = contents([base])
    lost, foreign = base / "out" / checkpoint(10), base / "case.yaml"
    for path in (lost, foreign, base / "out/diagnostics.csv"):
        try:
            judge(LAYOUTS[1], "auto", 0, "", before, {name: data for name, data in before.items() if name != path})
        except AssertionError:
            continue
        raise SystemExit(f"the loss of {path} is not seen")


def main():
    chosen = [layout for layout in LAYOUTS if not sys.argv[1:] or layout.name in sys.argv[1:]]
    with tempfile.TemporaryDirectory(prefix="halotherm-own-files-") as temporary, contextlib.ExitStack() as stack:
        stack.callback(lambda: [shutil.rmtree(folder) for folder in OTHERS])
        work = Path(temporary)
        base = work / "base"
        base.mkdir()
        code, text = program(base)
        assert code == 0, text
        (base / "out" / checkpoint(40)).unlink()
        prove_that_it_can_fail(base)
        tasks = [(layout, start, work / f"{n}-{start}", base) for n, layout in enumerate(chosen) for start in STARTS]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = [text for text in pool.map(lambda task: attack(*task), tasks) if text]
        if not wrong:
            rewind(work / "rewind", base)
            here(work / "here")
    print(f"{len(chosen)} layouts, {len(tasks)} starts, {len(wrong)} wrong")
    sys.exit("\n\n".join(wrong) if wrong else 0)


main()
