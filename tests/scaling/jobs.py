# SPDX-License-Identifier: MIT
"""Studies and probes between emulated hosts, one rank with one thread on each, and when to make them."""
import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from hosts import NotPossible, missing, run_or_skip  # noqa: E402, F401
from shaped_hosts import ShapedHosts  # noqa: E402, F401

CONFIG = Path(__file__).resolve().parents[2] / "configs" / "benchmark.yaml"
PREDICT = Path(__file__).resolve().parents[2] / "scripts" / "predict_scaling.py"
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false"}


def run(words, limit=300):
    done = subprocess.run([str(word) for word in words], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=limit, env=os.environ | ENVIRONMENT)
    assert done.returncode == 0, f"exit {done.returncode}: {' '.join(map(str, words))}\n{done.stdout}"
    return done.stdout


def on(hosts, *words, ranks=1):
    """With so many ranks on each."""
    variables = [word for name in ENVIRONMENT for word in ("-x", name)]
    return run([*hosts.mpirun(hosts.names, ranks), *variables, os.environ["HALOTHERM"], *words])


def read(file):
    return json.loads(Path(file).read_text(encoding="utf-8"))


def scale(hosts, kind, cells, file, *more):
    """A study of so many cells along each axis, per rank or in all."""
    on(hosts, "scale", f"--{kind}", CONFIG, "--set", f"grid.cells={list(cells)}",
       "--ranks", "1,2", "--json", file, *more)
    return read(file)


def probe(hosts, file):
    on(hosts, "probe", "--json", file)
    return read(file)


def predict(study, link, at_once, file):
    """What a study says of two hosts that such a link joins, over which messages up to so many bytes are sent at once."""
    run([PREDICT, study, "--nodes", 2, "--ranks-per-node", 1,
         "--link", f"{link['latency_s']},{link['bytes_per_s']},{at_once}", "--json", file])
    return next(row for row in read(file)["predictions"] if row["nodes"] == 2)


def cores_in_use(seconds):
    """By all programs of this machine."""
    def ticks():
        words = [int(word) for word in Path("/proc/stat").read_text(encoding="ascii").split("\n", maxsplit=1)[0].split()[1:9]]
        return sum(words), words[3] + words[4]
    before = ticks()
    time.sleep(seconds)
    total, idle = (after - start for after, start in zip(ticks(), before))
    return os.cpu_count() * (1 - idle / total)


def wait_for_quiet(patience):
    """The cores that others still use when it ends, at the latest after so many seconds."""
    end = time.monotonic() + patience
    while (busy := cores_in_use(min(2, patience + 0.1))) > 0.3 and time.monotonic() < end:
        pass
    return busy
