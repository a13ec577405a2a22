#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_docs.py [ROOT]: does everything that the documents name exist?

Checks the targets of links in Markdown files, with their headings, and the files and folders of the tree that are named in code spans;
and the documents that sources name."""
import re
import sys
from pathlib import Path

from wrap_markdown import files

LINK = re.compile(r"\[[^\[\]]*\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
SPAN = re.compile(r"`([^`]+)`")
FOLDERS = "app|comm|io|solver|tests|scripts|cmake|docs|configs|slurm"
PATH = re.compile(rf"(?:{FOLDERS}|\.github)(?:/[\w.-]+)*/?|[\w.-]+\.(?:hpp|cpp|py|sh|sbatch|cmake)")
DOCUMENT = re.compile(r"\b(?:docs|slurm|configs)/[\w/-]+\.md\b")
EXAMPLES = re.compile(r"NNNN|libibverbs|a100")


def prose(text):
    """The text without fenced code."""
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(path):
    return {slug(line) for line in re.findall(r"^#+ (.*)$", prose(path.read_text(encoding="utf-8")), re.MULTILINE)}


def missing_link(target, path):
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    file = path.parent / name if name else path
    if not file.exists():
        return "no such file"
    if anchor and anchor not in anchors(file):
        return "no such heading"
    return None


def missing_path(span, root, names):
    if not PATH.fullmatch(span) or EXAMPLES.search(span):
        return None
    found = (root / span).exists() if "/" in span else span in names or (root / span).exists()
    return None if found else "no such file or folder"


def problems(path, root, names):
    text = prose(path.read_text(encoding="utf-8"))
    for target in (first or second for first, second in LINK.findall(text)):
        if (problem := missing_link(target, path)):
            yield f"{target}: {problem}"
    for span in SPAN.findall(text):
        if (problem := missing_path(span, root, names)):
            yield f"{span}: {problem}"


def documents_of_sources(folders, root):
    for path in (file for folder in folders for file in folder.rglob("*") if file.suffix in (".hpp", ".cpp", ".py", ".cmake")):
        if path.parts[-2] == "lint":  # seeded names
            continue
        for name in DOCUMENT.findall(path.read_text(encoding="utf-8")):
            if not (root / name).exists() and not EXAMPLES.search(name):
                yield f"{path.relative_to(root)}: {name}: no such file"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    folders = [root / name for name in FOLDERS.split("|")]
    names = {file.name for folder in folders for file in folder.rglob("*")}
    found = [f"{path.relative_to(root)}: {line}" for path in files(root) for line in problems(path, root, names)]
    found += documents_of_sources(folders, root)
    if found:
        sys.exit("\n".join(found))
    print("everything that the documents name exists")


if __name__ == "__main__":
    main()
