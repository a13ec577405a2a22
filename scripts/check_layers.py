#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_layers.py [ROOT]: do the folders keep to their layers?

app may include solver, io and comm; solver and io may include comm, and do not know each other; comm includes nobody above.
The solver computes: no MPI, no files, no printing. MPI is called in comm only, the CUDA runtime in comm/device/gpu_runtime.cpp only. No
fence of all devices. Every header is included once (#pragma once).
Prints file:line: rule: what, and exits 1, for each violation.
"""
import re
import sys
from pathlib import Path

from cpp_text import LAYERS, blanked, line_of, sources

MAY_INCLUDE = {
    "comm": {"comm"},
    "solver": {"solver", "comm"},
    "io": {"io", "comm"},
    "app": {"app", "solver", "io", "comm"},
}

FORMATS = r"hdf5.*|H5.*|yaml-cpp/.*"
FORBIDDEN_INCLUDES = {
    "comm": rf"(?:{FORMATS})",
    "solver": rf"(?:mpi\.h|fstream|filesystem|cstdio|stdio\.h|iostream|ostream|print|syncstream|{FORMATS})",
}

# rule, pattern, folders
FORBIDDEN_TEXT = [
    ("global-fence", r"\bKokkos\s*::\s*fence\s*\(", LAYERS),
    ("mpi-outside-comm", r"\bMPI_\w+", ("solver",)),
    ("mpi-outside-comm", r"\bP?MPI_[A-Z][a-z]\w*\s*\(", ("io", "app")),
    ("cuda-outside-gpu-runtime", r"\bcu(?:da)?[A-Z]\w*", LAYERS),
    ("solver-prints", r"\b(?:std\s*::\s*(?:cout|cerr|clog)|f?printf)\b", ("solver",)),
]
EXEMPT = {("cuda-outside-gpu-runtime", "comm/device/gpu_runtime.cpp")}


def violations_in(path, folder):
    text = path.read_text(encoding="utf-8")
    with_strings = blanked(text, keep_strings=True)
    for match in re.finditer(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"]", with_strings, re.MULTILINE):
        name, line = match.group(1), line_of(text, match.start(1))
        layer = name.split("/")[0]
        if layer in LAYERS and layer not in MAY_INCLUDE[folder]:
            yield line, "layer", f"{folder} must not include {name}"
        elif folder in FORBIDDEN_INCLUDES and re.fullmatch(FORBIDDEN_INCLUDES[folder], name):
            yield line, "forbidden-include", f"{folder} must not include <{name}>"
    code = blanked(text)
    if path.suffix == ".hpp" and not re.search(r"^#pragma once$", code, re.MULTILINE):
        yield 1, "pragma-once", "the header may be included twice"
    for rule, pattern, folders in FORBIDDEN_TEXT:
        if folder in folders and (rule, f"{folder}/{path.name}") not in EXEMPT:
            for match in re.finditer(pattern, code):
                yield line_of(code, match.start()), rule, f"{match.group().rstrip('( ')} in {folder}"


def violations_of_target(path, folder):
    """The same order for what CMake links."""
    text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
    for match in re.finditer(r"\bhalotherm_(comm|solver|io|app)\b", text):
        if match.group(1) not in MAY_INCLUDE[folder]:
            yield line_of(text, match.start()), "layer", f"{folder} must not link {match.group()}"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = []
    checked = [(path, path.relative_to(root).parts[0], violations_in) for path in sources(root)]
    checked += [(root / folder / "CMakeLists.txt", folder, violations_of_target) for folder in LAYERS]
    for path, folder, check in checked:
        found += [f"{path.relative_to(root)}:{line}: {rule}: {what}" for line, rule, what in check(path, folder)]
    if found:
        sys.exit("\n".join(found))
    print(f"{len(checked)} files keep to their layers")


if __name__ == "__main__":
    main()
