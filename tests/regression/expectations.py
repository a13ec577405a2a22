# SPDX-License-Identifier: MIT
"""What `check` and `--dry-run` say of a run and refuse, without writing anything."""
import json

import numpy as np

from bits import BitsCase, problem
from halotherm_runner import launch


class Expectations(BitsCase):
    def ask(self, config, expect, *words, ranks=1):
        file = self.work / "problem.yaml"
        file.write_text(json.dumps(config), encoding="utf-8")
        before = sorted(self.work.rglob("*"))
        code, text = launch([*(words or ["check"]), str(file)], ranks, self.work)
        self.assertEqual(code, expect, text)
        self.assertEqual(sorted(self.work.rglob("*")), before, "it wrote")
        return text

    def test_steps_and_time_are_told(self):
        steps = problem(2, time={"steps": 2}, output={"directory": str(self.work / "results")})
        for ranks, words in ((1, ["check"]), (2, ["run", "--dry-run"])):
            text = self.ask(steps, 0, *words, ranks=ranks)
            self.assertRegex(text, r"\nsteps +2 of [0-9.e-]+ s ")
            self.assertRegex(text, r"\ntime +about ")
        long = {key: value for key, value in steps.items() if key != "time"} | {"time": {"end": 1e9}}
        self.assertIn("takes more than a day", self.ask(long, 0))

    def test_what_a_run_would_refuse_is_refused(self):
        field = np.ones((17, 23, 29))
        field[16, 22, 28] = np.nan
        for code, sections in ((3, {"time": {"dt": 1.0}}), (2, {"material": {"density": "1/(x > 0)"}}),
                               (4, {"initial": {"temperature": self.data_set("initial", field)}})):
            self.ask(problem(3, **sections), code)
