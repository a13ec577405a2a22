# SPDX-License-Identifier: MIT
"""A restarted run goes on as if it had never stopped."""
import json
import re
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
            for step, ranks in list(zip(steps[:-1], RANKS))[:: 1 if precision == "float64" else 3]:
                with self.subTest(step=step, ranks=ranks, precision=precision):
                    again = self.run_program(config, ranks, self.killed_after(whole, step).folder, ["--restart", "latest"])
                    self.assert_same(again, whole, f"restart at step {step} on {ranks} ranks")
                    self.forget(again)
            print(f"{precision}: killed after third steps and restarted on other ranks: the same field and diagnostics")

    def test_chain_of_restarts(self):
        """Three steps at a time, each time on other ranks and with another exchange."""
        whole, folder = self.uninterrupted(), self.work / "chain"
        for leg, ranks in enumerate(RANKS):
            parallel = {"overlap": leg % 2 == 0, "halo": 1 + leg % 3, "transport": "staged" if leg % 2 else "auto"}
            config = problem(3, time={"steps": 3 * (leg + 1)}, parallel=parallel)
            last = self.run_program(config, ranks, folder, ["--restart", "latest"] if leg else [])
        self.assert_same(last, whole, "a chain of restarts")

    def test_integrators(self):
        """They keep the temperature alone from step to step; the number of stages follows from the step, the shortened last one too."""
        for integrator in ("rk2", "rkl2"):
            stages = {"end": 0.02, "stages": 5} if integrator == "rkl2" else {"end": 0.00326}
            timing = {"time": {"steps": None, "integrator": integrator} | stages}
            whole = self.run_program(self.without_steps(timing))
            steps = step_of(whole.checkpoints()[-1])
            self.assertGreater(steps, 6)
            for step, ranks in ((3, 4), (6, 2)):
                with self.subTest(integrator=integrator, step=step):
                    again = self.run_program(self.without_steps(timing), ranks, self.killed_after(whole, step).folder, ["--restart", "latest"])
                    self.assert_same(again, whole, f"{integrator}, restart at step {step} of {steps}")
                    self.forget(again)

    def test_tolerance(self):
        """The controller goes on from its last error and step; another tolerance may be given, and is said."""
        for integrator, end in (("rk2", 0.004), ("rkl2", 0.02), ("tr-bdf2", 0.02), ("backward-euler", 0.02)):
            timing = {"time": {"steps": None, "integrator": integrator, "end": end, "tolerance": 0.2}}
            output = EVERY_THIRD | {"fields": {"every": end / 3}}
            whole = self.run_program(self.without_steps(timing, output))
            steps = step_of(whole.checkpoints()[-1])
            self.assertGreater(steps, 12)
            self.assertEqual(float(whole.state()[1]["time"]), end)
            for step, ranks in ((3, 4), (9, 2)):
                with self.subTest(integrator=integrator, step=step):
                    again = self.run_program(self.without_steps(timing, output), ranks, self.killed_after(whole, step).folder, ["--restart", "latest"])
                    self.assert_same(again, whole, f"{integrator}, restart at step {step} of {steps}")
                    self.assertNotIn("\nnote ", again.output)
                    self.forget(again)
            timing["time"]["tolerance"] = 0.3
            other = self.run_program(self.without_steps(timing, output), 2, self.killed_after(whole, 6).folder, ["--restart", "latest"])
            self.assertIn("time.tolerance is 0.3 K from here on, and was 0.2 K before", other.output)
            del timing["time"]["tolerance"]
            arguments = ["--restart", "latest"]
            if integrator in ("tr-bdf2", "backward-euler"):  # nothing else gives their length
                timing["time"]["dt"] = end / 40
                arguments += ["--allow-changes"]
            other = self.run_program(self.without_steps(timing, output), 2, self.killed_after(whole, 12).folder, arguments)
            self.assertIn("time.tolerance is none from here on, and was 0.2 K before", other.output)
            for step in (6, 12):
                self.forget(Results(self.work / f"killed{step}"))

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

    def test_snapshots_land_on_their_times(self):
        """In whole runs and in those that were killed between two snapshots."""
        output = EVERY_THIRD | {"fields": {"every": 0.0011}}
        whole = self.run_program(self.without_steps({"time": {"steps": None, "end": 0.00426}}, output))
        for results in (whole, self.killed_after(whole, 6)):
            if results is not whole:
                self.run_program(self.without_steps({"time": {"steps": None, "end": 0.00426}}, output), 2, results.folder, ["--restart", "latest"])
                self.assertEqual(results.state()[0].tobytes(), whole.temperature().tobytes())
                self.assertEqual(results.diagnostics_text(), whole.diagnostics_text())
            series = json.loads(next((results.folder / "fields").glob("*.series")).read_text(encoding="utf-8"))
            self.assertEqual([entry["time"] for entry in series["files"]], [0, 0.0011, 2 * 0.0011, 3 * 0.0011, 0.00426])
        other = self.without_steps({"time": {"steps": None, "end": 0.00426}}, EVERY_THIRD | {"fields": {"every": 0.002}})
        again = self.run_program(other, 2, self.killed_after(whole, 3).folder, ["--restart", "latest"])
        self.assertIn("output.fields.every differs from the checkpoint's", again.output)

    def test_progress_lines_say_whose_temperatures_they_show(self):
        output = {"diagnostics": {"steps": 8}, "checkpoint": {"steps": 1000000}}
        results = self.run_program(problem(3, output=output))
        lines = [line for line in results.output.splitlines() if " %  step " in line]
        self.assertGreater(len(lines), 3)
        for line in lines:
            step = int(re.search(r"step (\d+)", line)[1])
            taken = re.search(r" K at step (\d+)", line)
            self.assertEqual(int(taken[1]) if taken else step, step if step == STEPS else step - step % 8, line)
        lowest, highest = re.search(r"T = (\S+) \.\. (\S+) K", lines[-1]).groups()
        last = results.diagnostics()[-1]
        self.assertEqual((lowest, highest), (f"{last['min_K']:.4g}", f"{last['max_K']:.4g}"), "the end's own")

    @staticmethod
    def without_steps(timing, output=None):
        config = problem(3, output=problem(3)["output"] | (output or EVERY_THIRD), **timing)
        del config["time"]["steps"]
        return config
