# SPDX-License-Identifier: MIT
"""scripts/check_sizes.py passes on the tree, warns above the aim and fails above the limit."""
import unittest

from seeded import SOURCE, append, run, tree

CHECK = str(SOURCE / "scripts/check_sizes.py")


def function(lines):
    body = "\n".join(f"  x += {i};  // }} in a comment does not end it" for i in range(lines))
    return f"class Seeded {{\n void long_one(int x) const {{\n{body}\n\n}}\n}};\n"


class Sizes(unittest.TestCase):
    def expect(self, text, code, *parts):
        with tree() as root:
            append(root, "comm/seeded.cpp", text)
            got, output = run(CHECK, str(root))
            self.assertEqual(got, code, output)
            for part in parts:
                self.assertIn(part, output)

    def test_tree_passes(self):
        code, output = run(CHECK, str(SOURCE))
        self.assertEqual(code, 0, output)

    def test_long_files(self):
        self.expect("// line\n" * 151, 0, "comm/seeded.cpp: warning: the file has 151 lines (aim 150)")
        self.expect("// line\n" * 301, 1, "comm/seeded.cpp: error: the file has 301 lines (limit 300)")

    def test_long_functions(self):
        self.expect(function(25), 0)
        self.expect(function(26), 0, "comm/seeded.cpp:2: warning: long_one has 26 lines (aim 25)")
        self.expect(function(61), 1, "comm/seeded.cpp:2: error: long_one has 61 lines (limit 60)")

    def test_constructors_with_braced_members(self):
        body = "  go();\n" * 61
        self.expect(f"Seeded::Seeded(int x)\n    : a_{{x}}, b_{{x, x}} {{\n{body}}}\n", 1, "Seeded::Seeded has 61 lines")


if __name__ == "__main__":
    unittest.main()
