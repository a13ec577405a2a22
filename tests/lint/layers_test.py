# SPDX-License-Identifier: MIT
"""scripts/check_layers.py passes on the tree and names file, line and rule of each seeded violation."""
import unittest

from seeded import SOURCE, append, run, tree

CHECK = str(SOURCE / "scripts/check_layers.py")

HEADER = "// SPDX-License-Identifier: MIT\n// A seeded header.\n#pragma once\n"

# file, offending text, rule
VIOLATIONS = [
    ("comm/partition/box.cpp", '#include "solver/field/field.hpp"\n', "layer"),
    ("comm/partition/box.cpp", '#include "io/field/dataset.hpp"\n', "layer"),
    ("comm/partition/box.cpp", '#  include "app/config/config.hpp"  // why not\n', "layer"),
    ("solver/field/field.cpp", '#include "io/field/dataset.hpp"\n', "layer"),
    ("io/field/dataset.cpp", '#include "solver/field/field.hpp"\n', "layer"),
    ("comm/partition/box.cpp", '#include "comm/halo/halo_plan.hpp"\n', "room"),
    ("io/yaml/yaml_tree.cpp", '#include "io/field/dataset.hpp"\n', "room"),
    ("app/seeded.hpp", HEADER, "room"),
    ("io/other/seeded.hpp", HEADER, "room"),
    ("io/files/seeded.cpp", "int seeded();\n", "own-header"),
    ("solver/field/field.cpp", '#include "comm/mpi/error.hpp"\n', "forbidden-include"),
    ("solver/CMakeLists.txt", "target_link_libraries(halotherm_solver PUBLIC halotherm_io)\n", "layer"),
    ("comm/partition/box.cpp", "#include <hdf5.h>\n", "forbidden-include"),
    ("solver/field/field.cpp", "#include <mpi.h>\n", "forbidden-include"),
    ("solver/field/field.cpp", "#include <iostream>\n", "forbidden-include"),
    ("solver/field/field.cpp", "#include <cstdio>\n", "forbidden-include"),
    ("solver/field/field.cpp", "#include <fstream>\n", "forbidden-include"),
    ("solver/field/field.cpp", "#include <yaml-cpp/yaml.h>\n", "forbidden-include"),
    ("solver/field/field.hpp", "using Rank = MPI_Comm;\n", "mpi-outside-comm"),
    ("solver/field/seeded.hpp", "// SPDX-License-Identifier: MIT\n// A seeded header.\nint seeded();\n", "pragma-once"),
    ("solver/streaming/purposeless.hpp", "// SPDX-License-Identifier: MIT\n#pragma once\n", "purpose"),
    ("io/files/checksum.cpp", "int rank(MPI_Comm c) { int r; MPI_Comm_rank(c, &r); return r; }\n", "mpi-outside-comm"),
    ("app/run/simulation.cpp", "void stop() { MPI_Abort (MPI_COMM_WORLD, 1); }\n", "mpi-outside-comm"),
    ("solver/field/field.cpp", 'void seeded() { Kokkos::fence("all"); }\n', "global-fence"),
    ("comm/partition/box.cpp", "void seeded() { Kokkos :: fence(); }\n", "global-fence"),
    ("app/run/simulation.cpp", "void seeded() { Kokkos::fence(); }\n", "global-fence"),
    ("comm/partition/box.cpp", "void seeded() { cudaDeviceSynchronize(); }\n", "cuda-outside-gpu-runtime"),
    ("solver/field/field.cpp", "CUstream_st* seeded; void sync() { cuStreamSynchronize(seeded); }\n", "cuda-outside-gpu-runtime"),
    ("solver/field/field.cpp", 'void seeded() { std::cerr << "no"; }\n', "solver-prints"),
]

# text that looks like a violation and is none
ALLOWED = [
    ("solver/field/field.cpp", '// MPI_Init() and Kokkos::fence() are not called here\nconst char* seeded = "Kokkos::fence()";\n'),
    ("comm/device/gpu_runtime.cpp", "void seeded() { cudaDeviceSynchronize(); }\n"),
    ("comm/partition/box.cpp", "const void* seeded(Kokkos::Cuda space) { return space.cuda_stream(); }  // not cudaMalloc\n"),
    ("io/files/checksum.cpp", "struct Seeded { MPI_Comm who; };\n"),
    ("app/run/simulation.cpp", '#include "solver/field/field.hpp"\n#include "io/field/dataset.hpp"\n#include <fstream>\n'),
    ("solver/field/field.cpp", 'void seeded(Kokkos::OpenMP space) { space.fence("why"); }\n'),
]


class Layers(unittest.TestCase):
    def test_tree_passes(self):
        code, output = run(CHECK, str(SOURCE))
        self.assertEqual(code, 0, output)

    def test_seeded_violations_are_found(self):
        with tree() as root:  # all in one, as a check reads the whole tree
            expected = [f"{file}:{append(root, file, text)}: {rule}: " for file, text, rule in VIOLATIONS]
            code, output = run(CHECK, str(root))
        self.assertEqual(code, 1, output)
        for line in expected:
            self.assertEqual(output.count(line), 1, f"{line}\n{output}")
        self.assertEqual(len(output.splitlines()), len(expected), output)

    def test_a_room_of_too_many_units_is_found(self):
        with tree() as root:
            for number in range(17):
                append(root, f"app/control/seeded_{number}.cpp", "")
            code, output = run(CHECK, str(root))
            self.assertEqual(code, 1, output)
            self.assertIn("app/control:1: room: 19 units, at most 16", output)

    def test_lookalikes_pass(self):
        with tree() as root:
            for file, text in ALLOWED:
                append(root, file, text)
            code, output = run(CHECK, str(root))
        self.assertEqual(code, 0, output)


if __name__ == "__main__":
    unittest.main()
