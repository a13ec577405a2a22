# SPDX-License-Identifier: MIT
"""C++ sources as the checks read them: which files there are, and their text without comments and strings."""
import re
from pathlib import Path

LAYERS = ("comm", "solver", "io", "app")
_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)


def sources(root, folders=LAYERS):
    """All C++ files of the folders, sorted."""
    return sorted(path for folder in folders for path in (Path(root) / folder).rglob("*")
                  if path.suffix in (".hpp", ".cpp", ".in") and "build" not in path.parts)


def blanked(text, keep_strings=False):
    """`text` with comments, and strings unless kept, replaced by spaces: every line keeps its number."""
    def blank(match):
        token = match.group()
        if keep_strings and not token.startswith("/"):
            return token
        return re.sub(r"[^\n]", " ", token)
    return _TOKEN.sub(blank, text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1
