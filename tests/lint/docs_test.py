# SPDX-License-Identifier: MIT
"""scripts/check_docs.py passes on the tree and finds names of things that do not exist."""
import re
import sys
import tempfile
import unittest
from pathlib import Path

from seeded import SOURCE, run

sys.path.insert(0, str(SOURCE / "scripts"))
from check_layers import ROOMS  # noqa: E402

CHECK = str(SOURCE / "scripts/check_docs.py")
GOOD = "# A heading: `code`\n[here](#a-heading-code) [there](docs/page.md#page) <img src=\"docs/page.md\"> `docs/page.md` `app/main.cpp` `main.cpp`\n"


class Docs(unittest.TestCase):
    def check(self, readme, source=""):
        with tempfile.TemporaryDirectory(prefix="halotherm-lint-") as folder:
            for name, text in (("README.md", readme), ("docs/page.md", "# Page\n"), ("app/main.cpp", source)):
                path = Path(folder) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return run(CHECK, folder)

    def test_tree_passes(self):
        code, output = run(CHECK)
        self.assertEqual(code, 0, output)

    def test_readme_lists_the_rooms(self):
        readme = " ".join((SOURCE / "README.md").read_text(encoding="utf-8").split())
        for layer, rooms in ROOMS.items():
            self.assertIn(f"{layer}/ " + " · ".join(rooms), readme)

    def test_every_library_is_documented(self):
        manual = (SOURCE / "docs/installation.md").read_text(encoding="utf-8")
        setup = (SOURCE / "scripts/setup").read_text(encoding="utf-8")
        for package in re.findall(r"lib[\w-]+-dev", re.search(r"run_packages=\((.*?)\)", setup, re.DOTALL).group(1)):
            self.assertIn(package, manual)

    def test_what_exists_is_accepted(self):
        code, output = self.check(GOOD + "```\n[an example](of/code.md)\n```\n", "// docs/page.md\n")
        self.assertEqual(code, 0, output)

    def test_seeded_names_are_found(self):
        for seeded in ("[x](docs/gone.md)", "[x](docs/page.md#gone)", "[x](#gone)", "`app/gone.cpp`", "`gone.hpp`", "`solver/kernels/`",
                       '<img src="docs/gone.png">'):
            code, output = self.check(GOOD + seeded + "\n")
            self.assertEqual(code, 1, seeded)
            self.assertRegex(output, "README.md: .*(gone|kernels).*: no such")
        code, output = self.check(GOOD, "// docs/gone.md\n")
        self.assertEqual(code, 1)
        self.assertIn("app/main.cpp: docs/gone.md", output)


if __name__ == "__main__":
    unittest.main()
