# SPDX-License-Identifier: MIT
"""Scaling studies on a real Slurm of two nodes with fake GPUs: slurm/strong.sbatch and weak.sbatch leave tables and a figure,
scripts/submit_scaling does so for several partitions, ranks see all GPUs of their node or the job says why not, failures are told.
The grids are tiny: nothing is said about times."""
import csv
import json
import re
import signal
import subprocess
import sys

from slurm_case import PROGRAM, SOURCE, SlurmCase, main

FEW_CELLS = ("--set", "grid.cells=[32,32,32]", "--repeats", "2")
TINY = (*FEW_CELLS, "--steps", "3")
CONFIG = str(SOURCE / "configs/benchmark.yaml")
SUBMIT = (sys.executable, "-B", str(SOURCE / "scripts/submit_scaling"))  # -B: no __pycache__ in the source tree
ALLOW_ROOT = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
HAS_MATPLOTLIB = any(subprocess.run([python, "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0
                     for python in ("python3", "/usr/bin/python3"))


class Scaling(SlurmCase):
    cluster_options = {"nodes": 2, "cpus": 4, "gpus": 2, "partitions": ["PartitionName=other Nodes=ALL State=UP"]}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        wrapper = cls.work / "halotherm"
        wrapper.write_text(f'#!/bin/sh\necho "rank $SLURM_PROCID sees ${{CUDA_VISIBLE_DEVICES-none}}"\nexec {PROGRAM} "$@"\n',
                           encoding="utf-8")
        wrapper.chmod(0o755)
        cls.cluster.environment["HALOTHERM"] = str(wrapper)

    def submit_scaling(self, *arguments):
        done = subprocess.run([*SUBMIT, *arguments], env=self.cluster.environment, cwd=self.work, capture_output=True, text=True,
                              timeout=120, check=False)
        return done.returncode, done.stdout, done.stderr

    def check_files(self, files, kind, ranks):
        result = json.loads(files.with_suffix(".json").read_text(encoding="utf-8"))
        self.assertEqual((result["kind"], [row["ranks"] for row in result["results"]]), (kind, ranks))
        rows = list(csv.reader(files.with_suffix(".csv").read_text(encoding="utf-8").splitlines()))
        self.assertEqual(len(rows), 1 + len(ranks))
        if self.cluster.separate:  # the first ranks fill the nodes in order
            hosts = [place["host"] for place in result["places"]]
            self.assertEqual(hosts, sorted(hosts))
            self.assertEqual(len(set(hosts)), 2)

    def check_figure(self, png):
        if HAS_MATPLOTLIB:
            self.assertEqual(png.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_1_batch_scripts_leave_tables_and_figure(self):
        jobs = {kind: self.submit(kind, *TINY) for kind in ("strong", "weak")}
        for kind, (job, log) in jobs.items():
            self.assertEqual(self.end_of(job), 0, log.read_text(encoding="utf-8"))
            folder = self.work / f"scaling-{kind}-{job}"
            self.check_files(folder / kind, kind, [1, 2, 4])
            self.check_figure(folder / f"{kind}.png")
            self.assertIn(f"scaling-{kind}-{job}/{kind}.json", log.read_text(encoding="utf-8"))

    def test_2_partitions_in_one_figure(self):
        folder = self.work / "two partitions"
        code, out, err = self.submit_scaling("--strong", "--nodes", "2,1", "--partition", "main:2:2", "--partition", "other",
                                             "--ranks-per-node", "1", "--time", "5", "--sbatch", "--comment=x", "-o", str(folder),
                                             CONFIG, "--", *TINY)
        self.assertEqual((code, err), (0, ""), out)
        self.check_files(folder / "main", "strong", [2, 4])
        self.check_files(folder / "other", "strong", [1, 2])
        self.check_figure(folder / "strong.png")
        for text in ("\nmain\n2 ranks: ", "\n4 ranks: ", "\nother\n1 rank: ", f"results in {folder}: main.csv"):
            self.assertIn(text, out)
        log = (folder / "main.log").read_text(encoding="utf-8")
        self.assertEqual(sorted(re.findall("rank . sees.*", log)), [f"rank {rank} sees 0,1" for rank in range(4)])
        log = (folder / "other.log").read_text(encoding="utf-8")
        self.assertEqual(sorted(re.findall("rank . sees.*", log)), [f"rank {rank} sees none" for rank in range(2)])

    def test_3_hidden_gpus_are_refused(self):
        for options in (["--gpus-per-task=1"], ["--gpus-per-node=2", "--gpu-bind=single:1"]):
            job, log = self.submit("strong", *TINY, options=options)
            self.assertEqual(self.end_of(job), 2)
            self.assertIn("a rank on node1 sees 1 of 2 GPUs", log.read_text(encoding="utf-8"))
            self.assertFalse((self.work / f"scaling-strong-{job}").exists())
        self.cluster.environment["HALOTHERM_SRUN"] = "--gpu-bind=none"  # what the README recommends where a site hides them
        self.addCleanup(self.cluster.environment.pop, "HALOTHERM_SRUN")
        job, log = self.submit("strong", *TINY, "--ranks", "1", options=["--gpus-per-task=1"])
        self.assertEqual(self.end_of(job), 0, log.read_text(encoding="utf-8"))

    def test_4_failures(self):
        folder = self.work / "wrong"
        code, out, err = self.submit_scaling("--weak", "--nodes", "1", "--ranks-per-node", "2", "-o", str(folder), CONFIG, "--",
                                             "--set", "grid.cels=[8]")
        self.assertEqual(code, 2, err)
        self.assertIn("(weak) failed with exit code 2", err)
        self.assertIn("grid.cels", err)
        self.assertIn("results in", out)
        code, _, err = self.submit_scaling("--weak", "--nodes", "1", "--partition", "none:1")
        self.assertEqual((code, len(err.splitlines())), (1, 1), err)
        self.assertRegex(err, "Slurm refuses .*invalid partition")

    def test_5_lone_ranks(self):
        alone = self.work / "alone"
        # Each rank has its own session directory: lone ranks of one node share it, and the first that ends removes it.
        own = f'OMPI_MCA_orte_tmpdir_base="$(mktemp -d {self.work}/rank.XXXXXX)"'
        alone.write_text(f'#!/bin/sh\nexec env -i PATH="$PATH" {ALLOW_ROOT} {own} {PROGRAM} "$@"\n', encoding="utf-8")
        alone.chmod(0o755)
        before = self.cluster.environment["HALOTHERM"]
        self.cluster.environment["HALOTHERM"] = str(alone)
        self.addCleanup(self.cluster.environment.update, HALOTHERM=before)
        job, log = self.submit("strong", *TINY)
        self.assertNotEqual(self.end_of(job), 0)  # srun's: the first that ends takes the others along
        self.assertIn("--ranks is 4 (the job has 1 ranks)", log.read_text(encoding="utf-8"))

    def test_6_interruption_cancels(self):
        command = [*SUBMIT, "--strong", "--nodes", "1", "--ranks-per-node", "1", CONFIG, "--", *FEW_CELLS, "--steps", "1000000"]
        with subprocess.Popen(command, env=self.cluster.environment, cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as study:
            job = re.match(r"job (\d+)", study.stdout.readline())[1]
            study.send_signal(signal.SIGINT)
            _, err = study.communicate(timeout=30)
        self.assertEqual((study.returncode, err), (130, f"submit_scaling: interrupted; cancelled: {job}\n"))
        self.end_of(job)
        self.assertIn("JobState=CANCELLED", self.cluster.run("scontrol", "show", "job", job).stdout)

    def test_7_wrong_options(self):
        some = ["--strong", "--nodes", "1", "--ranks-per-node", "2", "-o", "new"]
        (self.work / "full").mkdir()
        (self.work / "full" / "file").touch()
        for arguments, why in ((some[1:], "--strong --weak is required"), ([*some, "--weak"], "not allowed with"),
                               (some[:3] + some[5:], "--ranks-per-node"), ([*some, "--nodes", "1,0"], "'0'"),
                               ([*some, "--nodes", "1,1"], "'1,1' has a number twice"), ([*some, "--partition", "a:b"], "'b'"),
                               ([*some, "nofile"], "'nofile'"),
                               ([*some, "--partition", "a", "--partition", "a:4"], "twice"),
                               ([*some, "--gpus-per-node", "many"], "'many'"), ([*some, "-o", "full"], "full' is there already")):
            code, out, err = self.submit_scaling(*arguments)
            self.assertEqual((code, out, len(err.splitlines())), (2, "", 1), err)
            self.assertIn(why, err)

    def test_8_dry_run_writes_nothing(self):
        code, out, _ = self.submit_scaling("--weak", "--nodes", "1,4", "--ranks-per-node", "8", "--gpus-per-node", "h100:8",
                                           "-o", "dry", "--dry-run")
        self.assertEqual(code, 0)
        for line in ("--nodes=4\n", "--ntasks-per-node=8\n", "--gpus-per-node=h100:8\n", "weak --ranks 8,32\n"):
            self.assertIn(line, out)
        self.assertFalse((self.work / "dry").exists())


if __name__ == "__main__":
    main(Scaling)
