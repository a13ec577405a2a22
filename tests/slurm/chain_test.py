# SPDX-License-Identifier: MIT
"""slurm/chain.sbatch on a real Slurm: signals, preemption and a wall time interrupt a run, which goes on to the same bits; a chain
that gets nowhere ends."""
from chain_case import ChainCase
from slurm_case import PROGRAM, main


class Chain(ChainCase):
    def test_1_signals_and_preemption(self):
        job = self.start("disturbed")
        job.wait_for_progress(1)
        job.signal("USR1")  # a checkpoint off the schedule, and no end
        job.wait_for("USR1 brings a checkpoint", lambda: any(step % 1000 for step in job.steps()))
        self.assertEqual(len(job.record()), 1)
        job.signal("USR2")
        job.wait_for_progress(2)
        self.preempt()
        job.set_end(2)
        self.assertEqual(job.wait(), 0, job.text())
        self.assertRegex(job.record()[0], r"attempt 1 on node\[1-2\] from step 0: stopped early .*SIGUSR2.*back into the queue")
        self.assertRegex(job.record()[1], r"attempt 2 .*stopped early .*SIGTERM.*back into the queue")
        self.assertRegex(job.record()[2], r"attempt 3 .*: done")
        self.assert_same_results(job.folder)

    def test_2_walltime(self):
        job = self.start("walltime", "--walltime", "4s")
        job.set_end(1)
        self.assertEqual(job.wait(), 0, job.text())
        self.assertRegex(job.record()[0], "attempt 1 .*stopped early .*time is nearly up.*back into the queue")
        self.assert_same_results(job.folder)

    def test_3_wrong_configuration(self):
        job = self.start("wrong", "--set", "grid.cels=[8]")
        self.assertEqual(job.wait(), 2)
        self.assertIn("cels", job.text())

    def test_4_no_progress(self):
        stuck = self.work / "stuck"
        stuck.write_text(f'#!/bin/sh\n[ "$1" = run ] && exit 75\nexec {PROGRAM} "$@"\n', encoding="utf-8")
        stuck.chmod(0o755)
        self.cluster.environment["HALOTHERM"] = str(stuck)
        self.addCleanup(self.cluster.environment.update, HALOTHERM=PROGRAM)
        job = self.start("without-progress")
        self.assertEqual(job.wait(), 75, job.text())
        self.assertRegex(job.record()[-1], "gives up, as the last 3 attempts made no progress")


if __name__ == "__main__":
    main(Chain)
