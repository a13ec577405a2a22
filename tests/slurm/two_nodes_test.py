# SPDX-License-Identifier: MIT
"""slurm/run.sbatch and probe.sbatch on a real Slurm of two nodes: output, exit codes, the same bits as plain srun, nothing left."""
import glob
import json
import subprocess

from slurm_case import CASE, PROGRAM, SlurmCase, main, newest_checkpoint


class TwoNodes(SlurmCase):
    cluster_options = {"nodes": 2, "cpus": 4}

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
        self.assertTrue(glob.glob(f"{folder}/fields/*.hdf"))
        self.assertEqual(newest_checkpoint(folder).name, "checkpoint_0000000040.h5")

    def test_2_plain_srun_gives_the_same_bits(self):
        folder = self.work / "srun"
        done = self.cluster.run("srun", "-n", "4", PROGRAM, "run", CASE, "--set", f"output.directory={folder}")
        self.assertEqual(done.returncode, 0, done.stdout)
        same = subprocess.run(["h5diff", "-v", newest_checkpoint(self.work / "batch"), newest_checkpoint(folder), "/T"],
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


if __name__ == "__main__":
    main(TwoNodes)
