#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_messages.py [ROOT]: does every error message consist of problem, reason and remedy?

It reads the places of the C++ sources at which an ErrorText is made. Each has three parts without punctuation at their ends, and the
remedy begins with a verb in the imperative. No text holds a reason in parentheses and a remedy at once. Violations exit 1.
"""
import re
import sys
from pathlib import Path

LAYERS = ("app", "io", "solver", "comm")
IMPERATIVES = set("""add ask change check choose close compare continue correct cool delete exchange free give go install keep leave look make modprobe
mount move name probe put read remove rename repair report restart rewrite run see set shorten start take transpose try use wait
write""".split())
STRING = r'"(?:[^"\\\n]|\\.)*"'
CALL = re.compile(r"\b(?:Error|CollectiveError|fail|fail_key|refuse|note|emplace|to_string)\((?:[^(){};]|\([^(){};]*(?:\([^(){};]*\))?[^(){};]*\))*$"
                  r"|\bErrorText(?: \w+)?$|\berror\.code\(\),\s*$")
SEPARATE = re.compile(r"\b(?:fail|refuse|fail_missing)\(")  # functions whose last argument is the remedy


def without_comments(text):
    return re.sub(rf"({STRING})|//[^\n]*", lambda m: m.group(1) or " " * len(m.group()), text)


def closing(text, start):
    """The index of the bracket that closes the one at `start`."""
    depth = 0
    for match in re.compile(rf"{STRING}|'(?:[^'\\]|\\.)'|[({{\[]|[)}}\]]").finditer(text, start):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(match.group(), 0)
        if depth == 0:
            return match.start()
    return len(text)


def parts(text):
    """What stands between the commas that no bracket or string encloses."""
    found, depth, begin = [], 0, 0
    for match in re.compile(rf"{STRING}|'(?:[^'\\]|\\.)'|[({{\[]|[)}}\]]|,").finditer(text):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(match.group(), 0)
        if match.group() == "," and depth == 0:
            found.append(text[begin:match.start()].strip())
            begin = match.end()
    return found + [text[begin:].strip()]


def literal(part):
    """The text of a part that is one literal, else None."""
    return "".join(s[1:-1] for s in re.findall(STRING, part)) if re.fullmatch(rf"(?:{STRING}\s*)+", part) else None


def wrong_remedy(part):
    for match in re.finditer(STRING, part):  # of what is joined, the first counts, in each branch of a condition
        if part[:match.start()].rstrip()[-1:] not in ("", "?", ":", "("):
            continue
        text = match.group()[1:-1]
        if text and text.split()[0] not in IMPERATIVES and not text.startswith(("did you mean ", ", or ")):
            return f"the remedy is no imperative: {text}"
    return ""


def wrong_group(group):
    """Why a braced group is no problem, reason and remedy."""
    if len(group) != 3:
        return f"{len(group)} parts instead of problem, reason and remedy: {', '.join(group)[:80]}"
    for part in group:
        text = literal(part)
        if text and text[-1] in ".;,":
            return f"punctuation at the end of a part: {text}"
        if text and text.startswith("("):
            return f"parentheses around a part: {text}"
    if literal(group[0]) == "":
        return "the problem is empty"
    if literal(group[1]) == literal(group[2]) == "" and literal(group[0]):
        return f"neither reason nor remedy: {group[0]}"
    return wrong_remedy(group[2])


def violations(text):
    """(number of messages, [(line, what)])"""
    text = without_comments(text)
    found, count = [], 0

    def note(place, what):
        if what:
            found.append((text.count("\n", 0, place) + 1, what))

    for match in re.finditer(r"\{", text):
        if CALL.search(text, max(0, match.start() - 300), match.start()) and text[match.start() - 2:match.start()] != ") ":
            group = parts(text[match.start() + 1:closing(text, match.start())])
            if not group[0].startswith("."):  # settings
                count += 1
                note(match.start(), wrong_group(group))
    for match in SEPARATE.finditer(text):
        arguments = parts(text[match.end():closing(text, match.end() - 1)])
        if len(arguments) > 1 and not arguments[-1].startswith("{"):
            count += 1
            note(match.start(), wrong_remedy(arguments[-1]))
    for match in re.finditer(rf"(?:{STRING}\s*)+", text):
        joined = "".join(string[1:-1] for string in re.findall(STRING, match.group()))
        for verb in re.findall(r"\) (\w+)", joined):
            note(match.start(), verb in IMPERATIVES and f"no punctuation between a reason and its remedy: ) {verb}")
    return count, found


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    messages, wrong = 0, 0
    for file in sorted(path for layer in LAYERS for path in (folder / layer).rglob("*.?pp")):
        count, found = violations(file.read_text(encoding="utf-8"))
        messages += count
        wrong += len(found)
        for line, what in found:
            print(f"{file.relative_to(folder)}:{line}: {what}")
    print(f"{messages} messages")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
