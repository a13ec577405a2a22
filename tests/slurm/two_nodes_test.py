# SPDX-License-Identifier: MIT
"""slurm/run.sbatch and probe.sbatch on a real Slurm of two nodes: output, exit codes, the same bits as a plain srun, and nothing left."""
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from cluster import Cluster, missing_programs

SOURCE = Path(os.environ["HALOTHERM_SOURCE_DIR"])
PROGRAM = os.environ["HALOTHERM"]
CASE = str(Path(__file__).parent / "case.yaml")


def last_checkpoint(folder):
    return max((Path(folder) / "checkpoints").glob("checkpoint_*.h5"))


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
    return sorted(Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines())


class TwoNodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory(prefix="halotherm-slurm-work-")
        cls.addClassCleanup(work.cleanup)
        cls.work = Path(work.name)
        cls.cluster = cls.enterClassContext(Cluster(nodes=2, cpus=4))

    @classmethod
    def enterClassContext(cls, context):  # in the standard library since Python 3.11
        value = context.__enter__()
        cls.addClassCleanup(context.__exit__, None, None, None)
        return value

    def sbatch(self, log, *arguments, script="run"):
        self.cluster.environment["HALOTHERM"] = PROGRAM
        done = self.cluster.run("sbatch", "--wait", "--nodes=2", "--ntasks-per-node=2", "--time=5", f"--output={log}",
                                f"--chdir={self.work}", str(SOURCE / f"slurm/{script}.sbatch"), *arguments)
        text = Path(log).read_text(encoding="utf-8") if Path(log).exists() else "(no log)"
        return done.returncode, f"{done.stdout}\n{text}"

    def test_1_batch_job_writes_everything(self):
        folder = self.work / "batch"
        code, text = self.sbatch(self.work / "batch.log", CASE, "--set", f"output.directory={folder}")
        self.assertEqual(code, 0, text)
        self.assertIn("4 ranks", text)
        if self.cluster.separate:
            for node in self.cluster.nodes:  # the start banner lists where each rank is
                self.assertIn(node, text)
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        self.assertTrue(report)
        self.assertTrue((folder / "diagnostics.csv").stat().st_size > 0)
        self.assertTrue(glob.glob(f"{folder}/fields/*.vtkhdf"))
        self.assertEqual(last_checkpoint(folder).name, "checkpoint_0000000040.h5")

    def test_2_plain_srun_gives_the_same_bits(self):
        folder = self.work / "srun"
        done = self.cluster.run("srun", "-n", "4", PROGRAM, "run", CASE, "--set", f"output.directory={folder}")
        self.assertEqual(done.returncode, 0, done.stdout)
        same = subprocess.run(["h5diff", "-v", last_checkpoint(self.work / "batch"), last_checkpoint(folder), "/T"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(same.returncode, 0, same.stdout + same.stderr)
        self.assertIn("0 differences found", same.stdout)

    def test_3_exit_codes_reach_the_submitter(self):
        code, text = self.sbatch(self.work / "wrong.log", CASE, "--set", "grid.cels=[8]")
        self.assertEqual(code, 2, text)
        self.assertIn("cels", text)
        code, text = self.sbatch(self.work / "none.log")
        self.assertEqual(code, 2, text)
        self.assertIn("usage", text)

    def test_4_probe_tells_nodes_apart(self):
        report = self.work / "probe.json"
        code, text = self.sbatch(self.work / "probe.log", "--json", str(report), "--expect", "rdma", script="probe")
        self.assertEqual(code, 5, text)
        self.assertIn("every byte right", text)
        pairs = {tuple(pair["ranks"]): pair["verdict"]["path"] for pair in json.loads(report.read_text(encoding="utf-8"))["pairs"]}
        if self.cluster.separate:
            self.assertEqual(pairs, {(0, 1): "shared memory", (2, 3): "shared memory", (0, 2): "TCP"})
            self.assertIn("missed by 1 of 1 pairs (0-2: TCP)", text)


class NothingLeft(unittest.TestCase):
    """Runs after TwoNodes, whose cluster is down by then."""

    def test_nothing_is_left(self):
        cluster = TwoNodes.cluster
        self.assertEqual(cluster.left_processes(), [])
        self.assertFalse(cluster.folder.exists())
        self.assertFalse(TwoNodes.work.exists())
        self.assertEqual(mounts(), MOUNTS_BEFORE)
        self.assertLessEqual(orphaned_shared_memory(), SHARED_MEMORY_BEFORE)


def load_tests(loader, _standard, _pattern):
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (TwoNodes, NothingLeft))


if __name__ == "__main__":
    if missing := missing_programs():
        print(f"not installed: {', '.join(missing)} (scripts/setup installs them)")
        sys.exit(77)
    MOUNTS_BEFORE = mounts()
    SHARED_MEMORY_BEFORE = set(os.listdir("/dev/shm"))
    unittest.main(verbosity=2)
