# SPDX-License-Identifier: MIT
"""A host that is cut off in mid-run: with keepalives, mpirun ends the job within seconds, and
`--restart auto` on the host that is left goes on to the same bits as a run that nobody disturbed."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from hosts import Hosts, NotPossible, missing, run_or_skip  # noqa: E402

STEPS, EVERY, LIMIT = 2000, 100, 20  # [s] after which the job must have ended; 3 + 3 * 1 by the keepalives, and what is slow here
KEEPALIVE = {"oob_tcp_keepalive_time": 3, "oob_tcp_keepalive_intvl": 1, "oob_tcp_keepalive_probes": 3}
CASE = f"""
title: To be cut off
grid: {{cells: [40, 36, 32], lower: [0, 0, 0], upper: [1, 1, 1]}}
materials: {{solid: {{conductivity: 401, density: 8960, heat_capacity: 385}}}}
initial: {{temperature: "300 + 500*exp(-((x-0.5)^2+(y-0.5)^2+(z-0.5)^2)/0.01)"}}
sides:
  x-: {{temperature: 300}}
  x+: {{convection: {{coefficient: 25, ambient: 293}}}}
  y: periodic
  z: {{flux: 0}}
time: {{steps: {STEPS}}}
output: {{checkpoint: {{steps: {EVERY}, keep: 3}}, diagnostics: {{steps: {EVERY}}}}}
"""


def command(hosts, names, case, folder, *more):
    """Two ranks a host, on those that are named."""
    return [*hosts.mpirun(names, 2, **KEEPALIVE), os.environ["HALOTHERM"], "run", str(case),
            "--set", f"output.directory={folder}", *more]


def checkpoints(folder):
    return sorted((folder / "checkpoints").glob("checkpoint_*.h5"))


def cut_off(hosts, case, folder):
    """Starts a run on both hosts and cuts off the second after the first checkpoint. Gives the exit code, and the seconds that the
    job and what ran on the lost host lived after that."""
    log = folder.with_suffix(".log")
    words = command(hosts, hosts.names, case, folder)
    with open(log, "wb") as output, subprocess.Popen(words, stdout=output, stderr=output) as job:
        while not checkpoints(folder):
            assert job.poll() is None, "the run ended before its first checkpoint:\n" + log.read_text(encoding="utf-8")
            time.sleep(0.02)
        hosts.cut(hosts.names[1])
        start = time.monotonic()
        try:
            code = job.wait(LIMIT)
        except subprocess.TimeoutExpired:
            job.send_signal(signal.SIGKILL)
            raise AssertionError(f"the job still runs {LIMIT} s after one of its hosts was cut off") from None
        seconds = time.monotonic() - start
        hosts.wait_until_empty(hosts.names[1], LIMIT)
        return code, seconds, time.monotonic() - start


def run(words):
    done = subprocess.run(words, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}"
    return done.stdout


def test(work):
    if reason := missing():
        raise NotPossible(reason)
    case, undisturbed, disturbed = work / "case.yaml", work / "undisturbed", work / "disturbed"
    case.write_text(CASE, encoding="utf-8")
    with Hosts(work) as hosts:
        banner = run(command(hosts, hosts.names, case, undisturbed))
        assert all(name in banner for name in hosts.names), banner
        code, seconds, orphans = cut_off(hosts, case, disturbed)
        assert code != 0, "a job that lost a host reported success"
        reached = checkpoints(disturbed)[-1].stem
        print(f"cut off: exit {code} after {seconds:.1f} s, the lost host's processes gone after {orphans:.1f} s, {reached}")
        resumed = run(command(hosts, hosts.names[:1], case, disturbed, "--restart", "auto"))
        assert "restart        from" in resumed, resumed
    assert not hosts.left(), hosts.left()
    ends = [checkpoints(folder)[-1] for folder in (disturbed, undisturbed)]
    assert ends[0].name == ends[1].name, ends
    run(["h5diff", *map(str, ends), "/T"])
    assert (disturbed / "diagnostics.csv").read_bytes() == (undisturbed / "diagnostics.csv").read_bytes(), "diagnostics differ"
    print("restarted on the other host: /T and diagnostics.csv are the same to the bit")


run_or_skip(test, "halotherm-cut-")
