#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_sizes.py [ROOT]: are files and functions short enough to be read?

Files of C++, Python, shell and CMake: 150 lines are the aim, 300 the limit. C++ functions: 25 and 60 lines of code in the body, blank
lines and comments not counted; test cases count as functions. Above the aim prints a warning, above the limit an error and exits 1.
"""
import re
import sys
from pathlib import Path

from cpp_text import LAYERS, blanked, line_of, sources

FILE_AIM, FILE_LIMIT = 150, 300
FUNCTION_AIM, FUNCTION_LIMIT = 25, 60
SCOPE = re.compile(r"^\s*(?:template\s*<.*>\s*|inline\s+)*(?:namespace|class|struct|union|enum|extern)\b", re.DOTALL)


def closing(code, opening):
    depth = 0
    for position in range(opening, len(code)):
        depth += {"{": 1, "}": -1}.get(code[position], 0)
        if depth == 0:
            return position
    return len(code)


def functions(code):
    """(position of the body, name, lines of code in the body) of each function in `code`, which has no comments or strings."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), code, flags=re.MULTILINE)
    position = start = 0
    while (match := re.compile(r"[{};]").search(code, position)):
        position = match.end()
        if match.group() != "{":
            start = position
            continue
        header = code[start:match.start()]
        if "(" not in header and SCOPE.match(header):
            start = position  # go into namespaces and classes
            continue
        end = closing(code, match.start())
        position = end + 1
        if code[position:].lstrip()[:1] in (",", "{"):
            continue  # that was a member's initializer {...} before the constructor's body
        if "(" in header:
            name = re.search(r"([~\w:<>]+|operator[^\s(]*)\s*\(", header)
            body = code[match.end():end].split("\n")
            yield match.start(), name.group(1) if name else "?", sum(1 for line in body if line.strip())
        start = position


def judge(place, what, size, aim, limit, errors):
    if size > limit:
        errors.append(f"{place}: error: {what} has {size} lines (limit {limit})")
    elif size > aim:
        print(f"{place}: warning: {what} has {size} lines (aim {aim})")


def text_files(root):
    found = sources(root, LAYERS + ("tests",))
    for folder in LAYERS + ("tests", "scripts", "cmake", "slurm", "configs"):
        found += [path for path in (root / folder).rglob("*")
                  if path.suffix in (".py", ".sh", ".cmake", ".sbatch") or path.name == "CMakeLists.txt"]
    return sorted(found)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    errors = []
    files = text_files(root)
    for path in files:
        text, name = path.read_text(encoding="utf-8"), path.relative_to(root)
        judge(name, "the file", len(text.splitlines()), FILE_AIM, FILE_LIMIT, errors)
        if path.suffix in (".hpp", ".cpp"):
            code = blanked(text)
            for position, function, size in functions(code):
                judge(f"{name}:{line_of(code, position)}", function, size, FUNCTION_AIM, FUNCTION_LIMIT, errors)
    if errors:
        sys.exit("\n".join(errors))
    print(f"{len(files)} files are within the limits")


if __name__ == "__main__":
    main()
