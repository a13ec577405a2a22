# SPDX-License-Identifier: MIT
"""scripts/check_format passes on the tree and fails on seeded lines of C++ and Markdown."""
import tempfile
import unittest
from pathlib import Path

from seeded import SOURCE, append, need, run, tree

CHECK = str(SOURCE / "scripts/check_format")
COLUMNS = str(SOURCE / "scripts/check_columns.py")
WRAP = str(SOURCE / "scripts/wrap_markdown.py")


class Format(unittest.TestCase):
    def test_tree_passes(self):
        code, output = run(CHECK)
        self.assertEqual(code, 0, output)

    def test_seeded_violation_is_found_and_fixed(self):
        with tree("comm", ".clang-format") as root:
            line = append(root, "comm/partition/box.cpp", "int  seeded( int x ){return x ;}\n")
            code, output = run(CHECK, str(root))
            self.assertNotEqual(code, 0)
            self.assertIn(f"comm/partition/box.cpp:{line}:", output)
            run(CHECK, "--fix", str(root))
            code, output = run(CHECK, str(root))
            self.assertEqual(code, 0, output)

    def columns(self, *lines):
        """Whether a source of these lines passes the check of its width."""
        with tempfile.TemporaryDirectory(prefix="halotherm-lint-") as folder:
            path = Path(folder) / "app/seeded.cpp"
            path.parent.mkdir()
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            code, output = run(COLUMNS, folder)
            self.assertIn(f"app/seeded.cpp:{len(lines)}: " if code else "", output)
            return code == 0

    def test_long_lines_of_cpp_are_found(self):
        text = "µ" * 89
        reason = "  // Long line: the message is searched for as a whole."
        self.assertTrue(self.columns(f"  // {text} 12345"))  # 100 characters
        self.assertFalse(self.columns(f"  // {text} 123456"))
        self.assertFalse(self.columns(reason, f"  // {text} 123456"))
        for word in (f'  "{text} and {text}",', f"  // https://example.org/{text}"):
            self.assertFalse(self.columns(word))
            self.assertFalse(self.columns("  // Long line:", word))
            self.assertTrue(self.columns(reason, word))
        self.assertFalse(self.columns(reason, f'  call("{text}", "{text}");'))

    def wrap(self, text, *options):
        """(exit code, output, the file afterwards) of the Markdown check on a file with this text."""
        with tempfile.TemporaryDirectory(prefix="halotherm-lint-") as folder:
            path = Path(folder) / "page.md"
            path.write_text(text, encoding="utf-8")
            code, output = run(WRAP, *options, folder)
            return code, output, path.read_text(encoding="utf-8")

    def test_seeded_prose_is_found_and_wrapped(self):
        words = " ".join(["word"] * 40)
        for begin, indent in (("", ""), ("- ", "  "), ("12. ", "    "), ("  - ", "    ")):
            code, output, _ = self.wrap(begin + words + "\n")
            self.assertEqual(code, 1)
            self.assertRegex(output, r"page.md:1: \d+ columns")
            code, output, text = self.wrap(begin + words + "\n", "--fix")
            self.assertEqual((code, output.strip()), (0, ""))
            self.assertEqual(text.replace("\n" + indent, " ").strip(), (begin + words).strip())
            self.assertLessEqual(max(map(len, text.splitlines())), 120)
        self.assertEqual(self.wrap("two short lines\nof one paragraph\n", "--fix")[2], "two short lines of one paragraph\n")

    def test_what_cannot_be_wrapped_by_tool_is_found_and_left(self):
        words = " ".join(["word"] * 40)
        for text in (f"| {words} |\n", f"# {words}\n", f"```\n{words}\n```\n", f"text:\n\n    {words}\n", f"<p>{words}</p>\n"):
            code, output, after = self.wrap(text, "--fix")
            self.assertEqual((code, after), (1, text))
            self.assertIn("columns, at most 120", output)

    def test_links_and_code_are_not_broken(self):
        for word in (f"[{'a link ' * 20}](page.md)", f"`{'code ' * 30}`", "https://example.org/" + "a" * 120):
            code, output, text = self.wrap(f"Before it {word}\n", "--fix")
            self.assertEqual((code, text), (0, f"Before it\n{word}\n"), output)

    def test_no_line_begins_like_another_block(self):
        for word in ("-", "+", "1.", "#", "%", "| a", "<p>", "=="):
            text = self.wrap("x" * 115 + f" abcd {word} end\n", "--fix")[2]
            self.assertEqual(text.splitlines()[1], f"abcd {word} end")


if __name__ == "__main__":
    need("clang-format-14")
    unittest.main()
