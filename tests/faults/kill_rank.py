# SPDX-License-Identifier: MIT
"""kill -9 of one rank in mid-run ends the whole job soon and with an error, and a restart goes on to the same bits as a run that
nobody disturbed."""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RANKS, STEPS, EVERY = 3, 3000, 40
CASE = f"""
title: To be killed
grid: {{cells: [40, 36, 32], lower: [0, 0, 0], upper: [1, 1, 1]}}
material: {{conductivity: 401, density: 8960, heat_capacity: 385}}
initial: {{temperature: "300 + 500*exp(-((x-0.5)^2+(y-0.5)^2+(z-0.5)^2)/0.01)"}}
boundary:
  x-: {{type: dirichlet, value: 300}}
  x+: {{type: robin, coefficient: 25, ambient: 293}}
  y: {{type: periodic}}
  z: {{type: neumann, flux: 0}}
time: {{steps: {STEPS}}}
output: {{checkpoint: {{steps: {EVERY}, keep: 3}}}}
"""


def command(case, folder, *more):
    return [os.environ["MPIEXEC"], "-n", str(RANKS), os.environ["HALOTHERM"], "run", str(case),
            "--set", f"output.directory={folder}", *more]


def checkpoints(folder):
    return sorted((folder / "checkpoints").glob("checkpoint_*.h5"))


def step_of(checkpoint):
    return int(checkpoint.stem.removeprefix("checkpoint_"))


def ranks_of(launcher):
    """Processes that run the program in this launcher's session."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            same_program = os.path.samefile(process / "exe", os.environ["HALOTHERM"])
            if same_program and launcher in ancestors(int(process.name)):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def ancestors(process):
    chain = []
    while process > 1:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
        process = int(stat.rpartition(")")[2].split()[1])
        chain.append(process)
    return chain


def kill_one_rank(case, folder):
    """Starts a run, kills a rank after its first checkpoint. Gives the exit code and the seconds that the job outlived the rank."""
    with open(folder.with_suffix(".log"), "wb") as log, subprocess.Popen(command(case, folder), stdout=log, stderr=log) as job:
        while not checkpoints(folder):
            assert job.poll() is None, "the run ended before its first checkpoint:\n" + Path(log.name).read_text(encoding="utf-8")
            time.sleep(0.01)
        ranks = ranks_of(job.pid)
        assert len(ranks) == RANKS, f"{len(ranks)} ranks found instead of {RANKS}"
        os.kill(max(ranks), signal.SIGKILL)
        killed_at = time.monotonic()
        try:
            code = job.wait(10)
        except subprocess.TimeoutExpired:
            job.kill()
            raise AssertionError("the job still runs 10 s after one of its ranks was killed") from None
        left = [rank for rank in ranks if Path(f"/proc/{rank}/maps").exists() and Path(f"/proc/{rank}/maps").read_bytes()]
        assert not left, f"ranks left behind: {left}"
        return code, time.monotonic() - killed_at


def run(*arguments):
    done = subprocess.run(command(*arguments), text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}"
    return done.stdout


def main():
    with tempfile.TemporaryDirectory(prefix="halotherm-kill-") as temporary:
        work = Path(temporary)
        case = work / "case.yaml"
        case.write_text(CASE, encoding="utf-8")
        undisturbed, disturbed = work / "undisturbed", work / "disturbed"

        code, seconds = kill_one_rank(case, disturbed)
        assert code != 0, "a job that lost a rank reported success"
        reached = step_of(checkpoints(disturbed)[-1])
        assert 0 < reached < STEPS, f"killed too late: step {reached} of {STEPS}"
        print(f"killed after the checkpoint of step {reached} of {STEPS}: exit {code} after {seconds:.1f} s")

        run(case, disturbed, "--restart", "latest")
        run(case, undisturbed)
        ends = [checkpoints(folder)[-1] for folder in (disturbed, undisturbed)]
        assert [step_of(end) for end in ends] == [STEPS, STEPS], ends
        same = subprocess.run(["h5diff", *ends, "/T"], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert same.returncode == 0, f"the restarted run ended differently\n{same.stdout}"
        print("restarted: /T after the last step is the same to the bit")


try:
    main()
except AssertionError as failure:
    sys.exit(f"FAILED: {failure}")
