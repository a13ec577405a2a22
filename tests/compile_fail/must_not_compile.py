# SPDX-License-Identifier: MIT
"""must_not_compile.py COMPILE_COMMANDS SOURCE EXPECTED

Takes the compile command of SOURCE from COMPILE_COMMANDS. With -DCORRECT the source has to compile; without it, it must not, and
the compiler's message has to match EXPECTED.
"""
import json
import os
import re
import shlex
import subprocess
import sys


def command_of(source, database):
    with open(database, encoding="utf-8") as file:
        for entry in json.load(file):
            if os.path.samefile(os.path.join(entry["directory"], entry["file"]), source):
                return shlex.split(entry["command"]), entry["directory"]
    sys.exit(f"{database} has no command for {source}")


def compiled(command, folder, *more):
    position = command.index("-o")
    check_only = command[:position] + command[position + 2:] + ["-fsyntax-only", *more]
    environment = dict(os.environ, LC_ALL="C", CCACHE_DISABLE="1")
    return subprocess.run(check_only, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def main():
    database, source, expected = sys.argv[1:]
    command, folder = command_of(source, database)
    correct = compiled(command, folder, "-DCORRECT")
    if correct.returncode != 0:
        sys.exit(f"does not compile even with -DCORRECT, so the test proves nothing:\n{correct.stderr}")
    wrong = compiled(command, folder)
    if wrong.returncode == 0:
        sys.exit("compiles, but must not")
    if not re.search(expected, wrong.stderr):
        sys.exit(f"does not compile, but not for the expected reason ({expected}):\n{wrong.stderr}")


main()
