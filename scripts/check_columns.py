#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_columns.py [ROOT]: has any line of C++ more than 100 columns?

clang-format leaves long strings and words of comments as they are. Only a line of one string or one URL may be longer, and the line
above it states why: // Long line: REASON."""
import re
import sys
from pathlib import Path

from cpp_text import LAYERS, sources

WIDTH = 100
ONE_WORD = re.compile(r'\s*(?:[(<]*\s*(?:u8|L|R)?"(?:[^"\\]|\\.)*"[),;]*|(?://+|\*)?\s*\S+)\s*')
REASON = re.compile(r"\s*// Long line: \S")


def too_long(lines):
    """(number, columns) of each line that is too long."""
    for number, line in enumerate(lines, 1):
        excused = number > 1 and ONE_WORD.fullmatch(line) and REASON.match(lines[number - 2])
        if len(line) > WIDTH and not excused:
            yield number, len(line)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = [f"{path.relative_to(root)}:{number}: {columns} columns, at most {WIDTH}"
                for path in sources(root, LAYERS + ("tests",))
                for number, columns in too_long(path.read_text(encoding="utf-8").splitlines())]
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
