// SPDX-License-Identifier: MIT
// hypre_solve CELLS BODY CONTRAST TOLERANCE pfmg|pfmg-red-black|smg OUTPUT: conjugate gradients of
// hypre's structured interface, with a cycle of PFMG or SMG as preconditioner.
#include "conduction.hpp"

#include <HYPRE.h>
#include <HYPRE_struct_ls.h>

using conduction::Box;
using conduction::Cube;

namespace {

Box box_of(int n, int rank, int size) {
  const auto cut = [&](int part) { return static_cast<int>(std::int64_t{n} * part / size); };
  return {{0, 0, cut(rank)}, {n, n, cut(rank + 1)}};
}

HYPRE_StructGrid grid_of(Box& box) {
  std::array<int, 3> last{};
  for (std::size_t axis = 0; axis < 3; ++axis) last[axis] = box.upper[axis] - 1;
  HYPRE_StructGrid grid = nullptr;
  HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
  HYPRE_StructGridSetExtents(grid, box.lower.data(), last.data());
  HYPRE_StructGridAssemble(grid);
  return grid;
}

/// The symmetric half of the seven points: cell, x-, y-, z-.
HYPRE_StructStencil stencil() {
  std::array<std::array<int, 3>, 4> offsets{{{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  HYPRE_StructStencil result = nullptr;
  HYPRE_StructStencilCreate(3, 4, &result);
  for (int n = 0; n < 4; ++n)
    HYPRE_StructStencilSetElement(result, n, offsets[static_cast<std::size_t>(n)].data());
  return result;
}

struct System {
  HYPRE_StructMatrix A = nullptr;
  HYPRE_StructVector b = nullptr, x = nullptr;
};

System assembled(const Cube& cube, Box& box, HYPRE_StructGrid grid) {
  System system;
  HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil(), &system.A);
  HYPRE_StructMatrixSetSymmetric(system.A, 1);
  HYPRE_StructMatrixInitialize(system.A);
  for (auto* vector : {&system.b, &system.x}) {
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, vector);
    HYPRE_StructVectorInitialize(*vector);
  }
  std::vector<double> values, right;
  values.reserve(4 * box.size());
  right.reserve(box.size());
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) {
        const auto row = cube.row(i, j, k);
        for (const double value :
             {row.diagonal, row.neighbours[0], row.neighbours[2], row.neighbours[4]})
          values.push_back(value);
        right.push_back(row.right);
      }
    }
  }
  std::array<int, 4> entries{0, 1, 2, 3};
  std::array<int, 3> last{box.upper[0] - 1, box.upper[1] - 1, box.upper[2] - 1};
  HYPRE_StructMatrixSetBoxValues(system.A, box.lower.data(), last.data(), 4, entries.data(),
                                 values.data());
  HYPRE_StructVectorSetBoxValues(system.b, box.lower.data(), last.data(), right.data());
  HYPRE_StructVectorSetConstantValues(system.x, 0);
  HYPRE_StructMatrixAssemble(system.A);
  HYPRE_StructVectorAssemble(system.b);
  HYPRE_StructVectorAssemble(system.x);
  return system;
}

/// One V-cycle from 0 as hypre's defaults have it, with weighted Jacobi sweeps or with red-black
/// Gauss-Seidel in the order that keeps the cycle symmetric.
void precondition_by_pfmg(HYPRE_StructSolver cg, bool red_black) {
  HYPRE_StructSolver pfmg = nullptr;
  HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &pfmg);
  HYPRE_StructPFMGSetMaxIter(pfmg, 1);
  HYPRE_StructPFMGSetTol(pfmg, 0);
  HYPRE_StructPFMGSetZeroGuess(pfmg);
  HYPRE_StructPFMGSetRAPType(pfmg, 0);
  HYPRE_StructPFMGSetRelaxType(pfmg, red_black ? 2 : 1);
  HYPRE_StructPFMGSetNumPreRelax(pfmg, 1);
  HYPRE_StructPFMGSetNumPostRelax(pfmg, 1);
  HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg);
}

void precondition_by_smg(HYPRE_StructSolver cg) {
  HYPRE_StructSolver smg = nullptr;
  HYPRE_StructSMGCreate(MPI_COMM_WORLD, &smg);
  HYPRE_StructSMGSetMemoryUse(smg, 0);
  HYPRE_StructSMGSetMaxIter(smg, 1);
  HYPRE_StructSMGSetTol(smg, 0);
  HYPRE_StructSMGSetZeroGuess(smg);
  HYPRE_StructSMGSetNumPreRelax(smg, 1);
  HYPRE_StructSMGSetNumPostRelax(smg, 1);
  HYPRE_StructPCGSetPrecond(cg, HYPRE_StructSMGSolve, HYPRE_StructSMGSetup, smg);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 7) {
    std::cerr
        << "usage: hypre_solve CELLS BODY CONTRAST TOLERANCE pfmg|pfmg-red-black|smg OUTPUT\n";
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  HYPRE_Init();
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Cube cube{std::atoi(argv[1]), conduction::Body(argv[2]), std::atof(argv[3])};
  auto box = box_of(cube.n, rank, size);

  conduction::Laps laps;
  auto system = assembled(cube, box, grid_of(box));
  HYPRE_StructSolver cg = nullptr;
  HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg);
  HYPRE_StructPCGSetTol(cg, std::atof(argv[4]));
  HYPRE_StructPCGSetMaxIter(cg, 1000);
  HYPRE_StructPCGSetTwoNorm(cg, 1);
  const std::string cycle = argv[5];
  if (cycle == "smg") {
    precondition_by_smg(cg);
  } else {
    precondition_by_pfmg(cg, cycle == "pfmg-red-black");
  }
  HYPRE_StructPCGSetup(cg, system.A, system.b, system.x);
  const auto setup = laps.lap();
  HYPRE_StructPCGSolve(cg, system.A, system.b, system.x);
  const auto solve = laps.lap();

  int iterations = 0;
  HYPRE_StructPCGGetNumIterations(cg, &iterations);
  if (rank == 0) conduction::print_result(setup, solve, iterations);
  std::vector<double> values(box.size());
  std::array<int, 3> last{box.upper[0] - 1, box.upper[1] - 1, box.upper[2] - 1};
  HYPRE_StructVectorGetBoxValues(system.x, box.lower.data(), last.data(), values.data());
  conduction::write_part(argv[6], rank, box, values);
  HYPRE_Finalize();
  MPI_Finalize();
}
