# SPDX-License-Identifier: MIT
"""A restarted run goes on as if it had never stopped."""
import shutil

from bits import STEPS, BitsCase, problem, step_of
from halotherm_runner import Results

RANKS = (3, 1, 2, 4, 8, 1, 3)
EVERY_THIRD = {"checkpoint": {"steps": 3, "keep": 100}}


class Restart(BitsCase):
    def uninterrupted(self, ranks=3, **sections):
        output = problem(3)["output"] | EVERY_THIRD
        return self.run_program(problem(3, output=output, **sections), ranks)

    def killed_after(self, results, step):
        """A copy of the results as a run would have left them that was killed some time after its checkpoint of that step."""
        copy = Results(self.work / f"killed{step}")
        shutil.copytree(results.folder, copy.folder)
        for checkpoint in copy.checkpoints():
            if step_of(checkpoint) > step:
                checkpoint.unlink()
        return copy

    def test_from_every_third_step(self):
        for precision in ("float64", "float32"):
            config = problem(3, precision)
            whole = self.uninterrupted(grid={"precision": precision})
            steps = [step_of(checkpoint) for checkpoint in whole.checkpoints()]
            self.assertEqual(steps, list(range(3, STEPS + 1, 3)))
            for step, ranks in zip(steps[:-1], RANKS if precision == "float64" else RANKS[::-1]):
                with self.subTest(step=step, ranks=ranks, precision=precision):
                    again = self.run_program(config, ranks, self.killed_after(whole, step).folder, ["--restart", "latest"])
                    self.assert_same(again, whole, f"restart at step {step} on {ranks} ranks")
                    self.forget(again)
            print(f"{precision}: killed after each third step and restarted on other ranks: the same field and diagnostics")

    def test_chain_of_restarts(self):
        """Three steps at a time, each time on other ranks and with another exchange."""
        whole, folder = self.uninterrupted(), self.work / "chain"
        for leg, ranks in enumerate(RANKS):
            parallel = {"overlap": leg % 2 == 0, "halo": 1 + leg % 3, "transport": "staged" if leg % 2 else "auto"}
            config = problem(3, time={"steps": 3 * (leg + 1)}, parallel=parallel)
            last = self.run_program(config, ranks, folder, ["--restart", "latest"] if leg else [])
        self.assert_same(last, whole, "a chain of restarts")

    def test_from_a_named_file_into_another_folder(self):
        whole = self.uninterrupted()
        middle = whole.checkpoints()[3]
        elsewhere = self.run_program(problem(3), 2, arguments=["--restart", str(middle)])
        self.assertEqual(elsewhere.state()[0].tobytes(), whole.temperature().tobytes())
        rows, wanted = elsewhere.diagnostics_text().splitlines(), whole.diagnostics_text().splitlines()
        self.assertEqual(rows[0], wanted[0])
        self.assertEqual(rows[1:], wanted[2 + step_of(middle):], "diagnostics after the restart")

    def test_shortened_last_step(self):
        """The end is no multiple of dt; the time is hit exactly, restarted or not, and a finished run stays as it is."""
        timing = {"time": {"steps": None, "end": 0.00426}}
        whole = self.run_program(self.without_steps(timing))
        _, about = whole.state()
        self.assertEqual(float(about["time"]), 0.00426)
        remainder = 0.00426 / float(about["dt"]) % 1
        self.assertTrue(0.05 < remainder < 0.95, f"the last step is a whole one: choose another end ({remainder})")
        for step in (3, step_of(whole.checkpoints()[-2])):
            again = self.run_program(self.without_steps(timing), 4, self.killed_after(whole, step).folder, ["--restart", "latest"])
            self.assert_same(again, whole, f"restart at step {step}")
        finished = self.killed_after(whole, 1000000)
        again = self.run_program(self.without_steps(timing), 2, finished.folder, ["--restart", "latest"])
        self.assert_same(again, whole, "restart of a finished run")
        self.assertNotIn("\nnote ", again.output, "nothing is computed")
        further = self.without_steps({"time": {"steps": None, "end": 0.0046}})
        again = self.run_program(further, 2, finished.folder, ["--restart", "latest"])
        self.assertIn("last step was shortened to end at time.end = 0.00426 s", again.output)
        again = self.run_program(further, 2, self.killed_after(whole, 6).folder, ["--restart", "latest"])
        self.assertNotIn("\nnote ", again.output, "an earlier checkpoint is as good as any")

    @staticmethod
    def without_steps(timing):
        config = problem(3, output=problem(3)["output"] | EVERY_THIRD, **timing)
        del config["time"]["steps"]
        return config
