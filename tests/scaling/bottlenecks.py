# SPDX-License-Identifier: MIT
"""Set-ups that are bad for one reason, which `halotherm scale` has to name: a throttled link, a slow one, ranks on one core. They
are so bad that other programs on the machine cannot make another reason the largest."""
import os

from jobs import CONFIG, NotPossible, ShapedHosts, missing, on, read, run, run_or_skip

# the messages of 128 x 128 cells take 50 ms, those of a single one next to nothing; the step some 0.3 ms
THROTTLED = {"rate": 20e6}, "[128,128,16]"
# here all messages take 20 ms
SLOW = {"delay": 20e-3}, "[16,16,16]"


def words(cells, file):
    return ["scale", "--weak", CONFIG, "--set", f"grid.cells={cells}", "--json", file,
            "--ranks", "1,2", "--steps", 8]


def check(name, study):
    row = study["results"][-1]
    text = row["bottleneck"]["text"]
    print(f"{name}: {text}", flush=True)
    assert row["bottleneck"]["name"] == name, f"expected {name}\n{text}"


def shaped(folder, link, cells):
    with ShapedHosts(folder, **link) as hosts:
        on(hosts, *words(cells, folder / "study.json"))
    return read(folder / "study.json")


def one_core(folder):
    core = min(os.sched_getaffinity(0))
    run(["taskset", "--cpu-list", core, os.environ["MPIEXEC"], "--bind-to", "none", "-n", 2, os.environ["HALOTHERM"],
         *words("[64,64,64]", folder / "study.json")])
    return read(folder / "study.json")


def test(folder):
    check("shared processor", one_core(folder))
    if reason := missing():
        raise NotPossible(reason)
    check("link bandwidth", shaped(folder, *THROTTLED))
    check("latency", shaped(folder, *SLOW))


run_or_skip(test, "halotherm-bottlenecks-")
