# SPDX-License-Identifier: MIT
"""suites_test.py PROGRAM BUILD: is every suite of the test program run by a ctest? One that no CMakeLists.txt names would never run."""
import json
import re
import subprocess
import sys


def suites(listed):
    return set(re.findall(r"^(\S+)\.(?:  #.*)?$", listed, re.M))


def missing(listed, commands):
    """Suites of which no part is named: parametrised and typed ones are PREFIX/SUITE and SUITE/TYPE."""
    named = set(re.findall(r"[=:](\w+)\.", " ".join(commands)))
    return sorted(name for name in suites(listed) if not named & set(name.split("/")))


assert missing("A.\n  One\nPrefix/B.\n  Two/0  # GetParam() = 1\nC/1.  # TypeParam = float\n", ["--gtest_filter=A.*:A/*"]) == ["C/1", "Prefix/B"]
program, build = sys.argv[1:]
tests = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout)
listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
found = missing(listed, [word for test in tests["tests"] for word in test.get("command", [])])
if not suites(listed) or found:
    sys.exit(f"suites that no ctest runs: {', '.join(found) or 'none was listed'}; add them with halotherm_test()")
print(f"all {len(suites(listed))} suites are run")
