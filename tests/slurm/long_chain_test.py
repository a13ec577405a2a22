# SPDX-License-Identifier: MIT
"""slurm/chain.sbatch on a real Slurm, what takes minutes: time limits, lost nodes, preemption without grace, scancel, and many
disturbances in one chain. Not in the default run: ctest -C long -L slurm-long."""
import time

from chain_case import ChainCase, step_of
from slurm_case import main, newest_checkpoint


class LongChain(ChainCase):
    def change_limit(self, job, minutes):
        done = self.cluster.run("scontrol", "update", f"jobid={job.id}", f"timelimit={minutes}")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_0_time_limit(self):
        job = self.start("limit", options=["--time=1", "--signal=URG@1"])  # a signal that does nothing: the ranks look at the clock
        job.set_end(1)
        self.change_limit(job, 5)
        self.assertEqual(job.wait(), 0, job.text())
        self.assertRegex(job.record()[0], "attempt 1 .*time is nearly up.*back into the queue")
        self.assert_same_results(job.folder)

    def test_1_lowered_limit_and_lost_nodes(self):
        if not self.cluster.separate:
            self.skipTest("nodes cannot be told apart here")
        job = self.start("disturbed", options=["--time=10"])
        job.wait_for_progress(1)
        self.change_limit(job, 1)  # what the ranks were told is 10 minutes: Slurm's own signal comes first
        job.wait_for("attempt 2 begins", lambda: len(job.record()) == 2)
        self.change_limit(job, 10)
        job.wait_for_progress(2)
        lost = job.nodes()[1]
        self.cluster.kill(lost)
        job.wait_for_progress(3)
        self.cluster.start_node(lost)
        lost = job.nodes()[0]  # where the batch script runs
        self.cluster.freeze(lost)
        self.write_case(job.yaml, (job.step() // 1000 + 2) * 1000)
        job.wait_for("Slurm takes note", lambda: job.facts()["JobState"] not in ("RUNNING", "unknown"))
        self.cluster.kill(lost)  # else the other node's job step waits for it, and Slurm drains that node
        self.assertEqual(job.wait(), 0, job.text())
        print("\n".join(job.record()))
        for line, why in zip(job.record(), ("SIGUSR2", "died|killed", "killed", "done")):
            self.assertRegex(line, why)
        self.assert_same_results(job.folder)
        self.cluster.start_node(lost)
        self.cluster.wait_until(lambda: self.cluster.idle_nodes() == self.cluster.nodes, "all nodes are back")

    def test_2_preemption_without_grace(self):
        job = self.start("no-grace", options=["--partition=main0"])
        job.wait_for_progress(1)
        self.preempt()
        job.set_end(1)
        self.assertEqual(job.wait(), 0, job.text())
        self.assertRegex(job.record()[0], "attempt 1 .*stopped early .*SIGTERM.*left to Slurm")
        self.assertRegex(job.record()[1], "attempt 2 .*: done")
        self.assert_same_results(job.folder)

    def test_3_cancelled(self):
        job = self.start("cancelled")
        job.wait_for_progress(1)
        self.cluster.run("scancel", job.id)
        self.assertNotEqual(job.wait(), 0)
        job.wait_for("the attempt's line ends", lambda: "left to Slurm" in job.record()[-1])
        self.assertEqual(self.cluster.run("squeue", "-h", "-t", "pending", "-o", "%i").stdout, "")

    def test_4_restarts_are_limited(self):
        self.cluster.environment["HALOTHERM_MAX_RESTARTS"] = "0"
        self.addCleanup(self.cluster.environment.pop, "HALOTHERM_MAX_RESTARTS")
        job = self.start("limited")
        job.wait_for_progress(1)
        job.signal("USR2")
        self.assertEqual(job.wait(), 75, job.text())
        self.assertRegex(job.record()[-1], "gives up, as HALOTHERM_MAX_RESTARTS is reached")

    def test_5_without_requeue(self):
        """Where users may not requeue: jobs of one name, of which one runs at a time; one too many finds nothing to do."""
        folder, case = self.work / "singleton", self.work / "singleton.yaml"
        self.write_case(case, 10**8)

        def submit(number, *more, options=()):
            return self.cluster.run(*self.batch_command(
                self.work / f"singleton-{number}.log", case, "--set", f"output.directory={folder}", "--restart", "auto", *more,
                options=["--job-name=singleton", "--dependency=singleton", *options]))

        first = submit(1, "--walltime", "4s").stdout.strip()
        submit(2, "--walltime", "4s")
        while first in self.cluster.run("squeue", "-h", "-o", "%i").stdout.split():
            time.sleep(0.2)
        self.write_case(case, (step_of(newest_checkpoint(folder)) // 1000 + 20) * 1000)  # too late for the second, maybe
        submit(3)
        done = submit(4, options=["--wait"])
        logs = [(self.work / f"singleton-{number}.log").read_text(encoding="utf-8") for number in (1, 2, 3, 4)]
        self.assertEqual(done.returncode, 0, logs)
        self.assertIn("stopped        after step", logs[0])
        self.assertIn("nothing to do", logs[3])
        self.assert_same_results(folder)


if __name__ == "__main__":
    main(LongChain)
