# SPDX-License-Identifier: MIT
"""scripts/check_format passes on the tree and fails on a seeded line."""
import unittest

from seeded import SOURCE, append, need, run, tree

CHECK = str(SOURCE / "scripts/check_format")


class Format(unittest.TestCase):
    def test_tree_passes(self):
        code, output = run(CHECK)
        self.assertEqual(code, 0, output)

    def test_seeded_violation_is_found_and_fixed(self):
        with tree() as root:
            line = append(root, "comm/box.cpp", "int  seeded( int x ){return x ;}\n")
            code, output = run(CHECK, str(root))
            self.assertNotEqual(code, 0)
            self.assertIn(f"comm/box.cpp:{line}:", output)
            run(CHECK, "--fix", str(root))
            code, output = run(CHECK, str(root))
            self.assertEqual(code, 0, output)


if __name__ == "__main__":
    need("clang-format-14")
    unittest.main()
