# SPDX-License-Identifier: MIT
"""A chain of attempts by slurm/chain.sbatch that tests disturb, and the same run without disturbances."""
import re
import subprocess
import time
from pathlib import Path

from slurm_case import CASE, PROGRAM, SlurmCase, newest_checkpoint

ENDS = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")
PARTITION = "PartitionName={name} Nodes=ALL MaxTime=1:00:00 State=UP PriorityTier={tier} GraceTime={grace}"


def step_of(checkpoint):
    return int(checkpoint.stem.removeprefix("checkpoint_"))


class ChainCase(SlurmCase):
    """Three nodes, of which a chain has two; jobs of `high` preempt those of `main`, which get 20 s, and of `main0`: none."""
    cluster_options = {
        "nodes": 3, "cpus": 4, "credential_seconds": 5, "main": "PriorityTier=1 GraceTime=20",
        "settings": {"PreemptType": "preempt/partition_prio", "PreemptMode": "REQUEUE", "SlurmdTimeout": 10},
        "partitions": [PARTITION.format(name="main0", tier=1, grace=0), PARTITION.format(name="high", tier=10, grace=0)]}

    def write_case(self, file, steps):
        text = Path(CASE).read_text(encoding="utf-8")
        for old, new in (("time: {steps: 40}", f"time: {{steps: {steps}}}"),
                         ("checkpoint: {steps: 20, keep: 2}", "checkpoint: {steps: 1000, keep: 100}"),
                         ("fields: {steps: 20}", "fields: {steps: 5000}"),
                         ("diagnostics: {steps: 10}", "diagnostics: {steps: 100}")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        file.with_suffix(".new").write_text(text, encoding="utf-8")
        file.with_suffix(".new").rename(file)

    def undisturbed(self, steps):
        """One rank is enough, and much faster where ranks share their cores: the result does not depend on their number. Two chains
        may end at the same step."""
        folder, case = self.work / f"undisturbed-{steps}", self.work / f"undisturbed-{steps}.yaml"
        self.write_case(case, steps)
        done = self.cluster.run("srun", "-n", "1", PROGRAM, "run", case, "--overwrite", "--set", f"output.directory={folder}")
        self.assertEqual(done.returncode, 0, done.stdout)
        return folder

    def start(self, name, *more, options=()):
        return ChainJob(self, name, more, options)

    def preempt(self):
        """A job that needs every node, and only for a moment."""
        job = self.cluster.run("sbatch", "--parsable", "--partition=high", "--nodes=3", "--exclusive", "--time=1", "--output=/dev/null",
                               "--wrap=true").stdout.strip()
        self.addCleanup(self.cluster.run, "scancel", job)

    def assert_same_results(self, folder):
        end = newest_checkpoint(folder)
        expected = self.undisturbed(step_of(end))
        same = subprocess.run(["h5diff", "-v", newest_checkpoint(expected), end, "/T"], capture_output=True, text=True, check=False)
        self.assertEqual(same.returncode, 0, same.stdout + same.stderr)
        self.assertIn("0 differences found", same.stdout)
        for name in ("diagnostics.csv", "fields/temperature.hdf.series"):
            self.assertEqual(*((where / name).read_bytes() for where in (expected, folder)), name)


class ChainJob:
    """A chain whose run has no end until `set_end`: how fast this machine is must not decide what a disturbance meets. Each attempt
    reads the configuration anew."""

    def __init__(self, case, name, more, options):
        self.case, self.cluster = case, case.cluster
        self.folder, self.log, self.yaml = case.work / name, case.work / f"{name}.log", case.work / f"{name}.yaml"
        case.write_case(self.yaml, 10**8)
        self.id = self.cluster.run(*case.batch_command(self.log, self.yaml, "--set", f"output.directory={self.folder}", *more,
                                                       script="chain", options=options)).stdout.strip()
        case.addCleanup(self.cluster.run, "scancel", self.id)

    def set_end(self, attempt):
        """When this attempt is over: the next one shall end soon."""
        self.wait_for(f"attempt {attempt} is over", lambda: re.search("queue|Slurm", "".join(self.record()[attempt - 1:])))
        self.case.assertEqual(len(self.record()), attempt, self.text())
        self.case.write_case(self.yaml, (self.step() // 1000 + 2) * 1000)

    def facts(self):
        """What scontrol says of it; nothing while slurmctld is busy with a node that does not answer."""
        facts = dict(re.findall(r"(\S+?)=(\S*)", self.cluster.run("scontrol", "show", "job", self.id).stdout))
        return {"JobState": "unknown", **facts}

    def record(self):
        """The lines of chain.log, one an attempt; the last one may lack its end."""
        file = self.folder / "chain.log"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    def step(self):
        newest = newest_checkpoint(self.folder)
        return step_of(newest) if newest else 0

    def steps(self):
        return [step_of(checkpoint) for checkpoint in (self.folder / "checkpoints").glob("checkpoint_*.h5")]

    def nodes(self):
        return self.cluster.run("scontrol", "show", "hostnames", re.search(r" on (\S+) from", self.record()[-1])[1]).stdout.split()

    def wait_for(self, what, condition, seconds=90):
        end = time.monotonic() + seconds
        ended = False  # seen before the last look at the condition
        while not condition():
            if time.monotonic() > end or ended:
                self.case.fail(f"waited in vain until {what}: {self.text()}\n" + self.cluster.run("squeue", "-l").stdout)
            time.sleep(0.1)
            ended = self.facts()["JobState"] in ENDS

    def wait_for_progress(self, attempt):
        """Until this attempt has written a checkpoint."""
        self.wait_for(f"attempt {attempt} begins", lambda: len(self.record()) >= attempt)
        start = int(re.search(r"from step (\d+)", self.record()[attempt - 1])[1])
        self.wait_for(f"attempt {attempt} makes progress", lambda: self.step() > start)
        self.case.assertEqual(len(self.record()), attempt, self.text())

    def signal(self, name):
        self.cluster.run("scancel", f"--signal={name}", self.id)

    def wait(self, seconds=150):
        """Its exit code, when it has left the queue for good."""
        ends = []

        def ended():
            facts = self.facts()
            ends.extend([facts["ExitCode"]] if facts["JobState"] in ENDS else [])
            return ends

        self.wait_for("the job ends", ended, seconds)
        return int(ends[0].split(":")[0])

    def text(self):
        log = self.log.read_text(encoding="utf-8") if self.log.exists() else "(no log)"
        return "\n".join(self.record()) + "\n" + log
