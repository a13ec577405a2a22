# SPDX-License-Identifier: MIT
"""What tests on a real Slurm have in common: a cluster and a folder for the length of a test class, batch jobs, and a look at
whether anything is left behind."""
import os
import re
import sys
import tempfile
import time
import unittest
from pathlib import Path

from cluster import Cluster, missing_programs

SOURCE = Path(os.environ["HALOTHERM_SOURCE_DIR"])
PROGRAM = os.environ["HALOTHERM"]
CASE = str(Path(__file__).parent / "case.yaml")
ENDS = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")


def newest_checkpoint(folder):
    return max((Path(folder) / "checkpoints").glob("checkpoint_*.h5"), default=None)


def orphaned_shared_memory():
    """Shared memory that no living process has mapped: other programs of this machine may be at work meanwhile."""
    mapped = set()
    for maps in Path("/proc").glob("[0-9]*/maps"):
        try:
            mapped |= {line.split("/dev/shm/")[1] for line in maps.read_text().splitlines() if "/dev/shm/" in line}
        except OSError:
            continue  # gone meanwhile, or another user's
    return set(os.listdir("/dev/shm")) - mapped


def mounts():
    """But for named network namespaces: a cluster makes none, and those of other programs come and go."""
    lines = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    return sorted(line for line in lines if not line.startswith("nsfs "))


class SlurmCase(unittest.TestCase):
    cluster_options = {}  # of Cluster

    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory(prefix="halotherm-slurm-work-")
        cls.addClassCleanup(work.cleanup)
        cls.work = Path(work.name)
        cls.cluster = cls.enterClassContext(Cluster(**cls.cluster_options))
        cls.cluster.environment["HALOTHERM"] = PROGRAM

    @classmethod
    def enterClassContext(cls, context):  # in the standard library since Python 3.11
        value = context.__enter__()
        cls.addClassCleanup(context.__exit__, None, None, None)
        return value

    def setUp(self):
        start = time.monotonic()
        self.addCleanup(lambda: print(f"{time.monotonic() - start:.0f} s ", end="", flush=True))

    def batch_command(self, log, *arguments, script="run", options=(), source=SOURCE):
        return ["sbatch", "--parsable", "--nodes=2", "--ntasks-per-node=2", "--time=5", f"--output={log}", f"--chdir={self.work}",
                *options, str(source / f"slurm/{script}.sbatch"), *arguments]

    def submit(self, kind, *arguments, options=(), source=SOURCE):
        """Number and log of a job that has been submitted, and is not waited for."""
        log = self.work / f"{kind}-{len(list(self.work.iterdir()))}.log"
        command = self.batch_command(log, *arguments, script=kind, options=options, source=source)
        log.touch()
        return self.cluster.run(*command).stdout.strip(), log

    def end_of(self, job, seconds=90):
        """Its exit code. `sbatch --wait` looks every 10 s only."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            facts = dict(re.findall(r"(\S+?)=(\S*)", self.cluster.run("scontrol", "show", "job", job).stdout))
            if facts.get("JobState") in ENDS:
                return int(facts["ExitCode"].split(":")[0])
            time.sleep(0.1)
        return self.fail(f"job {job} does not end")

    def sbatch(self, log, *arguments, script="run"):
        done = self.cluster.run(*self.batch_command(log, *arguments, script=script, options=["--wait"]))
        text = Path(log).read_text(encoding="utf-8") if Path(log).exists() else "(no log)"
        return done.returncode, f"{done.stdout}\n{text}"


class NothingLeft(unittest.TestCase):
    """Runs after the other tests, whose cluster is down by then."""
    case = SlurmCase
    mounts_before = []
    shared_memory_before = set()

    def test_nothing_is_left(self):
        self.assertEqual(self.case.cluster.left_processes(), [])
        self.assertFalse(self.case.cluster.folder.exists())
        self.assertFalse(self.case.work.exists())
        self.assertEqual(mounts(), self.mounts_before)
        self.assertLessEqual(orphaned_shared_memory(), self.shared_memory_before)


def main(case):
    if missing := missing_programs():
        print(f"not installed: {', '.join(missing)} (scripts/setup installs them)")
        sys.exit(77)
    NothingLeft.case, NothingLeft.mounts_before, NothingLeft.shared_memory_before = case, mounts(), set(os.listdir("/dev/shm"))
    loader = unittest.defaultTestLoader
    loader.testNamePatterns = [f"*{word}*" for word in (*sys.argv[1:], "NothingLeft")] if sys.argv[1:] else None
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(tests) for tests in (case, NothingLeft))
    done = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(0 if done.wasSuccessful() else 1)
