# SPDX-License-Identifier: MIT
"""The command `halotherm verify`: it passes on any number of ranks, says so in JSON, and leaves no other file."""
import json

from halotherm_runner import Case, launch

GROUPS = {"energy balance", "exact solution", "ghost cells", "order in space", "order in time", "same bits"}


class VerifyCommand(Case):
    def test_quick(self):
        for ranks in (1, 2, 4):
            with self.subTest(ranks=ranks):
                code, text = launch(["verify", "--quick", "--json", "verify.json"], ranks, self.work)
                self.assertEqual(code, 0, text)
                self.assertIn(f"claims hold on {ranks} rank", text)
                report = json.loads((self.work / "verify.json").read_text(encoding="utf-8"))
                self.assertTrue(report["passed"])
                self.assertEqual(report["ranks"], ranks)
                self.assertEqual({claim["group"] for claim in report["claims"]}, GROUPS)
                names = [(claim["group"], claim["name"]) for claim in report["claims"]]
                self.assertEqual(len(set(names)), len(names))
                print(f"{ranks} ranks: {report['measured']} claims in {report['seconds']:.1f} s")
                self.assertEqual([file.name for file in self.work.iterdir()], ["verify.json"])

    def test_a_file_that_cannot_be_written_is_refused_before_the_measurements(self):
        code, text = launch(["verify", "--json", "missing/verify.json"], 1, self.work)
        self.assertEqual(code, 4, text)
        self.assertNotIn("claims", text)
