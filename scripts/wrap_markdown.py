#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/wrap_markdown.py [--fix] [ROOT]

Checks that the prose of all Markdown files is wrapped at 120 columns; --fix wraps it. Code, tables, headings and HTML are left as they
are, but their lines count: they are shortened by hand. Links and code spans are never broken, so a line of one such word may be longer."""
import argparse
import re
import sys
from pathlib import Path

WIDTH = 120
SKIPPED = ("build", "results")
MARKER = re.compile(r"( *)([-*+]|\d+[.)])( +)")
BLOCK = re.compile(r"\||#{1,6} |</?[a-z!]")  # lines of tables, headings and HTML
NEVER_FIRST = re.compile(r"[-*+]|\d+[.)]|#{1,6}|=+|--+|[|>%].*|</?[a-z!].*")  # would begin a block, or belongs to a number
WORD = re.compile(r"(?:`[^`]*`|!?\[(?:[^\[\]`]|`[^`]*`)*\]\([^)]*\)|\S)+")
HARD_BREAK = re.compile(r"(  |\\)$")


def files(root):
    for path in sorted(root.rglob("*.md")):
        if not any(part in SKIPPED or part.startswith(".") for part in path.relative_to(root).parts[:-1]):
            yield path


def filled(lines):
    """A paragraph or list item, wrapped: continuation lines begin below the text of the first."""
    marker = MARKER.match(lines[0])
    first = marker.group(0) if marker else re.match(" *", lines[0]).group(0)
    text = " ".join([lines[0][len(first):].strip(), *(line.strip() for line in lines[1:])])
    words = []
    for word in WORD.findall(text):
        if words and NEVER_FIRST.fullmatch(word):
            words[-1] += " " + word
        else:
            words.append(word)
    lines = [first + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(" " * len(first) + word)
        else:
            lines[-1] += " " + word
    return lines


class Wrapper:
    """Takes a file line by line; `out` has its lines with the paragraphs filled."""

    def __init__(self):
        self.out, self.paragraph, self.fenced, self.item = [], [], False, 0  # item: the column of the list item's text

    def flush(self):
        if self.paragraph:
            self.out += filled(self.paragraph)
        self.paragraph = []

    def verbatim(self, line):
        self.flush()
        self.out.append(line)

    def add(self, line):
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        fence = text.startswith("```")
        if self.fenced or fence:
            self.fenced ^= fence
            self.verbatim(line)
        elif not text or BLOCK.match(text):
            self.verbatim(line.rstrip())
        elif MARKER.match(line):
            self.flush()
            self.item = MARKER.match(line).end()
            self.paragraph = [line]
        elif self.paragraph:
            self.paragraph.append(line)
        elif indent >= (self.item if indent >= self.item else 0) + 4:
            self.verbatim(line)  # indented code
        else:
            self.item = min(self.item, indent)
            self.paragraph = [line]
        if HARD_BREAK.search(line):
            self.flush()


def wrapped(text):
    wrapper = Wrapper()
    for line in text.splitlines():
        wrapper.add(line)
    wrapper.flush()
    return wrapper.out


def too_long(line):
    marker = MARKER.match(line)
    return len(line) > WIDTH and (line.lstrip().startswith("|") or len(WORD.findall(line[marker.end() if marker else 0:])) > 1)


def check(path, root, fix):
    lines = path.read_text(encoding="utf-8").splitlines()
    wanted = wrapped("\n".join(lines))
    if fix and wanted != lines:
        path.write_text("\n".join(wanted) + "\n", encoding="utf-8")
        lines = wanted
    name = path.relative_to(root)
    problems = [f"{name}:{number}: {len(line)} columns, at most {WIDTH}" for number, line in enumerate(lines, 1) if too_long(line)]
    if wanted != lines:
        at = next((i for i, (a, b) in enumerate(zip(wanted, lines)) if a != b), min(len(wanted), len(lines)))
        problems.append(f"{name}:{at + 1}: prose is not wrapped; scripts/check_format --fix wraps it")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="wrap the prose")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    problems = [line for path in files(options.root) for line in check(path, options.root, options.fix)]
    print("\n".join(problems), file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
