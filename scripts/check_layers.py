#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_layers.py [ROOT]: do the folders keep to their layers and rooms?

app may include solver, io and comm; solver and io may include comm, and not each other; comm includes none of them.
Within a layer every source lies in a room, and includes only its own room and those before it in ROOMS.
The solver computes: no MPI, not even by a header that it includes, no files, no printing. MPI is called in comm only, the CUDA
runtime in comm/device/gpu_runtime.cpp only. No fence of all devices. Every header is included once (#pragma once), and its second
line says what it is for; every source has a header of its name. A room has at most 16 units.
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

# each room may include those before it
ROOMS = {
    "comm": ["system", "mpi", "partition", "device", "machine", "transport", "halo"],
    "solver": ["field", "formula", "material", "medium", "equation", "diagnostics", "streaming", "sweeps", "kernels", "waves", "integrators", "linear", "multigrid", "cycle"],
    "io": ["text", "yaml", "hdf5", "files", "distribution", "field"],
    "app": ["config", "import", "control", "domain", "problem", "parts", "linear", "integrate", "results", "output", "measure", "run", "bench", "probe", "scale", "verify", "cli"],
}
OUTSIDE_ROOMS = {"app/main.cpp"}
MOST_UNITS = 16
# a table that keys.hpp declares; the latter are the definitions of apply.hpp, a part each, compiled in parallel
WITHOUT_HEADER = {"app/main.cpp", "app/config/problem_keys.cpp"} | {
    f"solver/kernels/apply_{part}.cpp" for part in ("kinds", "smoother", "stored", "stored_uneven", "stretched", "tabulated", "tabulated_uneven", "uneven")} | {
    f"solver/kernels/apply_{name}_{real}.cpp" for name in ("euler", "runge_kutta") for real in ("double", "float")} | {
    f"solver/waves/apply_steps_{real}.cpp" for real in ("double", "float")}

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


INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"]", re.MULTILINE)


def includes(text):
    """(name, line) of every #include."""
    for match in INCLUDE.finditer(blanked(text, keep_strings=True)):
        yield match.group(1), line_of(text, match.start(1))


def room_of(name):
    """The room of "layer/room/file", or None."""
    parts = name.split("/")
    return parts[1] if len(parts) == 3 and parts[1] in ROOMS.get(parts[0], []) else None


def way_to_mpi(root, name, seen):
    """The headers by which `name` includes mpi.h, or None."""
    if name == "mpi.h":
        return [name]
    path = root / name
    if name in seen or not path.is_file():
        return None
    seen.add(name)
    for inner, _ in includes(path.read_text(encoding="utf-8")):
        way = way_to_mpi(root, inner, seen)
        if way:
            return [name, *way]
    return None


def violations_of_includes(root, name, text):
    layer, room = name.split("/")[0], room_of(name)
    if room is None and name not in OUTSIDE_ROOMS:
        yield 1, "room", f"lies in none of the rooms of {layer}: {', '.join(ROOMS[layer])}"
    for included, line in includes(text):
        to_layer, to_room = included.split("/")[0], room_of(included)
        if to_layer in LAYERS and to_layer not in MAY_INCLUDE[layer]:
            yield line, "layer", f"{layer} must not include {included}"
        elif layer in FORBIDDEN_INCLUDES and re.fullmatch(FORBIDDEN_INCLUDES[layer], included):
            yield line, "forbidden-include", f"{layer} must not include <{included}>"
        elif to_layer == layer and room and to_room and ROOMS[layer].index(to_room) > ROOMS[layer].index(room):
            yield line, "room", f"{layer}/{room} must not include {included}: {to_room} comes after {room}"
        elif layer == "solver" and to_layer == "comm":
            way = way_to_mpi(root, included, set())
            if way:
                yield line, "forbidden-include", f"solver must not include mpi.h, by way of {' > '.join(way)}"


def violations_in(root, path, folder):
    name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
    yield from violations_of_includes(root, name, text)
    code = blanked(text)
    if path.suffix == ".hpp":
        if not re.search(r"^#pragma once$", code, re.MULTILINE):
            yield 1, "pragma-once", "the header may be included twice"
        if not re.match(r"// SPDX[^\n]*\n// \S", text):
            yield 1, "purpose", "the second line does not say what the header is for"
    elif path.suffix == ".cpp" and name not in WITHOUT_HEADER and not path.with_suffix(".hpp").exists():
        yield 1, "own-header", "the source has no header of its own name"
    for rule, pattern, folders in FORBIDDEN_TEXT:
        if folder in folders and (rule, name) not in EXEMPT:
            for match in re.finditer(pattern, code):
                yield line_of(code, match.start()), rule, f"{match.group().rstrip('( ')} in {folder}"


def violations_of_rooms(root):
    """Rooms with too many units: a header with its source is one."""
    for layer, rooms in ROOMS.items():
        for room in rooms:
            units = {path.stem for path in sources(root, (f"{layer}/{room}",))}
            if len(units) > MOST_UNITS:
                yield f"{layer}/{room}:1: room: {len(units)} units, at most {MOST_UNITS}"


def violations_of_target(_, path, folder):
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
        found += [f"{path.relative_to(root)}:{line}: {rule}: {what}" for line, rule, what in check(root, path, folder)]
    found += violations_of_rooms(root)
    if found:
        sys.exit("\n".join(found))
    print(f"{len(checked)} files keep to their layers and rooms")


if __name__ == "__main__":
    main()
