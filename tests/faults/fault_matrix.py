# SPDX-License-Identifier: MIT
"""A disk fails a run in every place where it can. Each time: the exit code that docs/exit_codes.md promises, one message that says
what to do, no hang, no file under a final name that is not good, the older ones still there, and a restart that ends in the same bits.

    HALOTHERM=... MPIEXEC=mpirun HALOTHERM_FAULT_LIBRARY=... fault_matrix.py [--writer background] [--all] [--only TEXT]

Some of the places are tried, with one error and one of both values of output.on_failure in turn; --all tries everything (many minutes;
ctest -C long -L faults-long). Where parallel HDF5 writes and a rank fails within a call of MPI-IO that the others wait in, they all end
with that one within watchdog.seconds."""
import argparse
import itertools
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from fault_places import LIVES, OUTCOMES, places_of
from faults import MODES, RANKS, STEPS, Fault, Results, error_lines, hits, is_good, run, same_field, step_of

REASONS = {"ENOSPC": os.strerror(28), "EDQUOT": os.strerror(122), "EIO": os.strerror(5), "EACCES": os.strerror(13),
           "EROFS": os.strerror(30), "ESTALE": os.strerror(116), "short": os.strerror(28), "corrupt": ""}


class Wrong(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Wrong(text)


class Matrix:
    def __init__(self, work, writer):
        self.work, self.writer, self.count = work, writer, 0
        self.undisturbed = {mode: self.reference(mode) for mode in MODES}

    def run(self, *arguments, **more):
        return run(*arguments, **more, writer=self.writer)

    def reference(self, mode):
        code, text, results = self.run(self.work / mode, "--set", f"output.on_failure={mode}", "--set", "output.fields.steps=2")
        require(code == 0 and not error_lines(text), f"the undisturbed run failed\n{text}")
        require(all(is_good(file, self.work) for file in results.checkpoints()), "the undisturbed run left a bad checkpoint")
        return results

    def judge(self, place, fault, mode):
        """Runs into the fault, and says in a few words what became of it; throws what is wrong."""
        self.count += 1
        folder = self.work / f"run{self.count}"
        log = self.work / f"hits{self.count}"
        settings = [word for setting in place.settings for word in ("--set", setting)]
        code, text, results = self.run(folder, "--set", f"output.on_failure={mode}", *settings, variables=fault.variables(log))
        try:
            require(hits(log) > 0, "the fault was not hit")
            return self.judge_run(place, fault, mode, code, text, results)
        except Wrong as wrong:
            raise Wrong(f"{wrong}\n{text}") from None

    def judge_run(self, place, fault, mode, code, text, results):
        outcome = self.outcome(place, fault, mode, code, text)
        expected = OUTCOMES[outcome][mode]
        if outcome != "ended":  # whose file the next run removes
            require(not left_in(results), f"left behind: {left_in(results)}")
        self.judge_checkpoints(results, mode, place)
        final = self.undisturbed[mode].checkpoints()[-1]
        ended = step_of(results.checkpoints()[-1]) == STEPS
        require(ended or code != 0, "a run that succeeded has no final checkpoint")
        if not ended or code != 0:
            self.judge_restart(results, expected, RANKS if outcome == "ended" else 1)
            require(not left_in(results), f"left behind by the restart: {left_in(results)}")
        require(same_field(results.checkpoints()[-1], final), "another temperature after the last step")
        if not expected.rows_missing:
            require(results.diagnostics_text() == self.undisturbed[mode].diagnostics_text(), "other diagnostics")
        return f"{code}{' ' + expected.says if expected.says else ''}{', all ended by the rank' if outcome == 'ended' else ''}"

    def outcome(self, place, fault, mode, code, text):
        """The one of those that are right here which became of the run."""
        wrong = []
        for outcome in place.outcomes_of(fault.error):
            expected = OUTCOMES[outcome][mode]
            try:
                require(code == expected.code, f"exit {code} instead of {expected.code}")
                self.judge_message(place, fault, text, expected)
                return outcome
            except Wrong as failure:
                wrong.append(str(failure))
        raise Wrong("; or else: ".join(wrong))

    def judge_message(self, place, fault, text, expected):
        lines = error_lines(text)
        kind = {"error": "halotherm: ", "warning": "warning  "}.get(expected.says)
        wanted = [line for line in lines if kind and line.startswith(kind)]
        require(len(wanted) == (1 if kind else 0), f"{len(wanted)} messages instead of {1 if kind else 0}: {lines}")
        for line in wanted:
            reason = re.search(r"\((.*)\); (.*)", line)
            named = place.named in line or (place.within_mpi and re.search(r"(checkpoint|temperature)_\d{10}", line))  # a later file
            require(named, f"the message does not name {place.named}: {line}")
            has_reason = reason and (place.within_mpi or REASONS[fault.error] in reason.group(1))
            require(has_reason, f"the message lacks the reason: {line}")
            advice = re.split(r" \[rank|; the run continues", reason.group(2))[0]
            require(len(advice.split()) >= 3, f"the message lacks advice: {line}")

    def judge_checkpoints(self, results, mode, place):
        found = results.checkpoints()
        require(place.older in map(step_of, found), "the good older checkpoint is gone")
        for file in found:
            twin = self.undisturbed[mode].folder / "checkpoints" / file.name
            require(file.read_bytes() == twin.read_bytes() or is_good(file, self.work), f"{file.name} is not good")

    def judge_restart(self, results, expected, ranks):
        code, text, _ = self.run(results.folder.parent, "--restart", "latest", "--set", "parallel.ranks=auto", ranks=ranks)
        require(code == 0, f"the restart ended with {code}\n{text}")
        warnings = [line for line in text.splitlines() if line.startswith("warning")]
        if expected.rows_missing:
            require(len(warnings) == 1 and "diagnostics.csv" in warnings[0], f"the restart does not say which rows are missing\n{text}")
        else:
            require(not warnings, f"the restart warned\n{text}")


def left_in(results):
    return sorted(path.name for path in results.folder.rglob("*.partial"))


def judge_reading(matrix):
    """Checkpoints that cannot be read now may be good tomorrow: a restart must not take the place of them."""
    results = Results(shutil.copytree(matrix.undisturbed["stop"].folder, matrix.work / "unreadable" / "results"))
    results.checkpoints()[-1].unlink()
    log = matrix.work / "unreadable.hits"
    fault = Fault("open_read", "EIO", "*/checkpoint_*.h5", count=0)
    before = results.checkpoints()
    for restart in ("auto", "latest"):
        code, text, _ = matrix.run(results.folder.parent, "--restart", restart, variables=fault.variables(log))
        require(hits(log) > 0, "the fault was not hit")
        require(code == 4, f"--restart {restart} from an unreadable disk ended with {code}\n{text}")
        require(results.checkpoints() == before, f"--restart {restart} has moved checkpoints that it could not read")
    code, text, _ = matrix.run(results.folder.parent, "--restart", "auto")
    require(code == 0 and not error_lines(text), f"the restart ended with {code}\n{text}")
    require(same_field(results.checkpoints()[-1], matrix.undisturbed["stop"].checkpoints()[-1]), "another temperature")
    print("unreadable checkpoints: --restart auto and latest end with 4 and leave them alone")


def selected(writer, everything):
    """(place, fault, mode) of every cell, or of one cell for some of the places. The life of a snapshot is that of a checkpoint, and
    what comes with them is the same for both writers."""
    of_a_checkpoint, common, of_a_snapshot = places_of(writer)
    if everything:
        cells = itertools.product([*of_a_checkpoint, *common, *of_a_snapshot], MODES)
        return [(place, place.fault(error), mode) for place, mode in cells for error in place.errors]
    if writer == "background":
        some = [*of_a_checkpoint[::2], *common[::3], *of_a_snapshot[1::8]]
    else:
        some = of_a_checkpoint[2::3]
    return [(place, place.fault(place.errors[0]), mode) for place, mode in zip(some, itertools.cycle(MODES))]


def prove_that_it_can_fail(matrix):
    place = places_of(matrix.writer)[0][0]
    missed = Fault("pwrite", "EIO", "*/no_such_file")
    try:
        matrix.judge(place, missed, "stop")
    except Wrong as wrong:
        require("not hit" in str(wrong), f"failed for another reason: {wrong}")
        return
    raise Wrong("a fault that is not there was not missed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--writer", default="background", choices=LIVES, help="output.writer")
    parser.add_argument("--all", action="store_true", help="every error with both values of output.on_failure")
    parser.add_argument("--only", default="", help="the places whose name has this text")
    options = parser.parse_args()
    begin, wrong, cells = time.monotonic(), [], 0
    with tempfile.TemporaryDirectory(prefix="halotherm-faults-") as temporary:
        matrix = Matrix(Path(temporary), options.writer)
        prove_that_it_can_fail(matrix)
        judge_reading(matrix)
        for place, fault, mode in selected(options.writer, options.all):
            if options.only not in place.name:
                continue
            cells += 1
            try:
                outcome = matrix.judge(place, fault, mode)
            except (Wrong, AssertionError) as failure:
                outcome = "WRONG: " + str(failure).split("\n", 1)[0]
                wrong.append(f"{place.name}, {fault}, {mode}: {failure}")
            print(f"{place.name:44} rank {fault.rank}  {fault.error:8} {mode:9} {outcome}", flush=True)
    print(f"{cells} cells, {len(wrong)} wrong, {time.monotonic() - begin:.0f} s")
    sys.exit("\n\n".join(wrong) if wrong else 0)


main()
