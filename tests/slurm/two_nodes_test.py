# SPDX-License-Identifier: MIT
"""slurm/run.sbatch and probe.sbatch on a real Slurm of two nodes: output, exit codes, the same bits as plain srun, the build that
fits the job, nothing left."""
import glob
import json
import shutil
import subprocess

from slurm_case import CASE, PROGRAM, SOURCE, SlurmCase, main, newest_checkpoint


class TwoNodes(SlurmCase):
    cluster_options = {"nodes": 2, "cpus": 4, "gpus": 2}

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

    def fake_program(self, file, libraries=""):
        """Says its own name; an ELF file, as the libraries that a program is linked with are looked at."""
        file.parent.mkdir(parents=True)
        source = ('#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  const char *gpus = getenv("SLURM_GPUS_ON_NODE");\n'
                  f'  printf("started {file.relative_to(self.work)} with %s GPUs\\n", gpus ? gpus : "no");\n}}\n')
        subprocess.run(["cc", "-o", file, "-x", "c", "-", "-x", "none", *libraries.split()], input=source, text=True, check=True)

    def tree(self, name, *programs):
        """The batch scripts, with programs beside them."""
        shutil.copytree(SOURCE / "slurm", self.work / name / "slurm")
        for program in programs:
            self.fake_program(self.work / name / program)
        return self.work / name

    def test_5_the_build_fits_the_job(self):
        both = self.tree("both", "build/cpu/bin/halotherm", "build/cuda/bin/halotherm")
        only_cpu = self.tree("only_cpu", "build/cpu/bin/halotherm")
        only_cuda = self.tree("only_cuda", "build/cuda/bin/halotherm")
        installed, installed_cuda = self.tree("prefix/share"), self.tree("prefix_cuda/share")
        for prefix in ("prefix", "prefix_cuda"):  # <prefix>/bin/halotherm and <prefix>/share/halotherm/slurm
            shutil.move(self.work / prefix / "share/slurm", self.work / prefix / "share/halotherm/slurm")
        stub = self.work / "libcuda.so.1"
        subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-Wl,-soname,libcuda.so.1", "-o", stub], check=True)
        self.fake_program(self.work / "prefix/bin/halotherm")
        self.fake_program(self.work / "prefix_cuda/bin/halotherm", f"-Wl,--no-as-needed {stub} -Wl,-rpath,{self.work}")
        gpus, cpu, cuda = ["--gpus-per-node=2"], "build/cpu/bin/halotherm", "build/cuda/bin/halotherm"
        refused = "only a CUDA build uses"
        cases = [(both, [], 0, f"started both/{cpu} with no GPUs"), (both, gpus, 0, f"started both/{cuda} with 2 GPUs"),
                 (both, ["--gres=gpu:1"], 0, f"started both/{cuda} with 1 GPUs"), (both, ["--gpus=2"], 0, f"started both/{cuda} with"),
                 (both, ["--gpus-per-node=0"], 0, f"started both/{cpu} with no GPUs"),
                 (both, ["--exclusive"], 0, f"started both/({cpu} with no|{cuda} with 2) GPUs"),  # Slurm's version decides
                 (only_cpu, gpus, 2, refused), (only_cuda, [], 2, "have no GPUs"),
                 (installed / "halotherm", [], 0, "started prefix/bin/halotherm"), (installed / "halotherm", gpus, 2, refused),
                 (installed_cuda / "halotherm", gpus, 0, "started prefix_cuda/bin/halotherm"),
                 (only_cpu, [*gpus, f"--export=ALL,HALOTHERM={both / cpu}"], 0, f"started both/{cpu}")]
        named = self.cluster.environment.pop("HALOTHERM")
        self.addCleanup(self.cluster.environment.update, HALOTHERM=named)
        jobs = [self.submit("run", "x.yaml", options=options, source=source) for source, options, _, _ in cases]
        for (job, log), (source, options, code, said) in zip(jobs, cases):
            with self.subTest(source=source.name, options=options):
                self.assertEqual(self.end_of(job), code, log.read_text(encoding="utf-8"))
                self.assertRegex(log.read_text(encoding="utf-8"), said)


if __name__ == "__main__":
    main(TwoNodes)
