# SPDX-License-Identifier: MIT
"""scripts/check_messages.py passes on the tree, reads its messages, and finds seeded ones without the form."""
import re
import unittest

from seeded import SOURCE, append, run, tree

CHECK = str(SOURCE / "scripts/check_messages.py")
GOOD = '''
void seeded(const comm::YamlReader& yaml, int n) {
  // throw Error(code, "a comment (is free) use it");
  throw comm::Error(comm::ExitCode::usage, {"key: is " + std::to_string(n), fmt::format("at most {}", f(n, "a")), "take less"});
  yaml.fail(*yaml.find("x"), {"is wrong", "must be right", n > 2 ? "" : "did you mean " + name + "?"});
  throw Error(ExitCode::internal, {error.what(), "", ""});
  io::fail("cannot read", file, errno, "check its path");
}
'''
BAD = ('throw Error(code, {"x is wrong (it is too large) take less", "", ""});',
       'throw Error(code, {"x is wrong", "it is too large"});',
       'throw Error(code, {"x is wrong", "it is too large.", "take less"});',
       'throw Error(code, {"x is wrong", "(it is too large)", "take less"});',
       'throw CollectiveError(ExitCode::usage, {"x is wrong", "it is too large", "it should be less"});',
       'throw Error(code, {"", "it is too large", "take less"});',
       'throw Error(code, {"x is wrong", "", ""});',
       'yaml.fail(yaml.find("x"), {"is 3", "must be 2", n > 2 ? "less" : "take 2"});',
       'io::fail("cannot read", file, errno, "its path is wrong");',
       'log.line("the hints (" + n + ") have no effect (none) remove them");')


class Messages(unittest.TestCase):
    def seeded(self, text):
        with tree() as root:
            line = append(root, "io/seeded.cpp", text)
            code, output = run(CHECK, str(root))
        return code, output, line

    def test_tree_passes(self):
        code, output = run(CHECK)
        self.assertEqual(code, 0, output)
        self.assertGreater(int(re.search(r"(\d+) messages", output).group(1)), 120)

    def test_good_messages_pass(self):
        code, output, _ = self.seeded(GOOD)
        self.assertEqual(code, 0, output)

    def test_bad_messages_are_found(self):
        code, output, line = self.seeded("\n".join(BAD) + "\n")
        self.assertEqual(code, 1)
        for place, text in enumerate(BAD, line):
            self.assertIn(f"io/seeded.cpp:{place}:", output, text)


if __name__ == "__main__":
    unittest.main()
