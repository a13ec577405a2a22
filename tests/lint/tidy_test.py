# SPDX-License-Identifier: MIT
"""The rules of .clang-tidy pass on a small file of the tree and bite on seeded violations. (scripts/tidy checks the whole tree.)"""
import tempfile
import unittest
from pathlib import Path

from seeded import SOURCE, need, run

# offending text, rule
VIOLATIONS = [
    ("int CamelCase(int x) { return x; }", "readability-identifier-naming"),
    ("int same(int Value) { return Value; }", "readability-identifier-naming"),
    ("class lower { int x_ = 0; };", "readability-identifier-naming"),
    ("class Seeded { int without_underscore = 0; };", "readability-identifier-naming"),
    ("struct Seeded { Seeded(int value); };", "google-explicit-constructor"),
    ("struct Base { virtual ~Base() = default; virtual void go() {} };\nstruct Seeded : Base { void go() {} };",
     "modernize-use-override"),
    ("int zero_divided(int x) { int zero = 0; return x / zero; }", "clang-analyzer-core.DivideZero"),
    ("bool seeded(int x) { return x == 1 && x == 1; }", "misc-redundant-expression"),
]


class Tidy(unittest.TestCase):
    def test_a_file_of_the_tree_passes(self):
        code, output = run(str(SOURCE / "scripts/tidy"), str(SOURCE / "comm/partition/box.cpp"))
        self.assertEqual(code, 0, output)

    def test_seeded_violations_are_found(self):
        with tempfile.TemporaryDirectory(prefix="halotherm-lint-") as folder:
            source = Path(folder) / "seeded.cpp"
            for text, rule in VIOLATIONS:
                with self.subTest(text=text):
                    source.write_text(text + "\n", encoding="utf-8")
                    code, output = run("clang-tidy-16", "--quiet", f"--config-file={SOURCE}/.clang-tidy",
                                       "--warnings-as-errors=*", str(source), "--", "-std=c++20")
                    self.assertNotEqual(code, 0, output)
                    self.assertIn(f"[{rule}", output)


if __name__ == "__main__":
    need("clang-tidy-16")
    unittest.main()
