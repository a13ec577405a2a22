# SPDX-License-Identifier: MIT
"""Copies of the source tree into which a test seeds a violation."""
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(os.environ.get("HALOTHERM_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COPIED = ("comm", "solver", "io", "app", "scripts", "cmake", "tests", ".clang-format", ".clang-tidy")


@contextmanager
def tree(*names):
    """A temporary copy of what the checks read; of these files and folders alone, if some are named, beside empty folders."""
    with tempfile.TemporaryDirectory(prefix="halotherm-lint-") as folder:
        root = Path(folder)
        for name in COPIED:
            source = SOURCE / name
            if names and name not in names:
                (root / name).mkdir()
            elif source.is_dir():
                shutil.copytree(source, root / name, ignore=shutil.ignore_patterns("__pycache__", "data"))
            else:
                shutil.copy(source, root / name)
        yield root


def append(root, name, text):
    """Adds text to a file; gives the number of the text's first line."""
    path = root / name
    path.parent.mkdir(exist_ok=True)
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(old + text, encoding="utf-8")
    return old.count("\n") + 1


def run(*command, root=SOURCE):
    """(exit code, output) of a command of the tree's own scripts folder or of PATH."""
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(command, cwd=root, env=environment, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def need(tool):
    """Ends the test as skipped where the pinned tool is not installed."""
    if shutil.which(tool) is None:
        print(f"{tool} is not installed (scripts/setup installs it)")
        sys.exit(77)
