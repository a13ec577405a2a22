// SPDX-License-Identifier: MIT
// petsc_solve CELLS CONTRAST TOLERANCE OUTPUT [options of PETSc]: conjugate gradients of PETSc with
// a cycle of PCMG as preconditioner, whose levels are those of a DMDA.
#include "conduction.hpp"

#include <petscdmda.h>
#include <petscksp.h>

using conduction::Box;
using conduction::Cube;

namespace {

double contrast = 1;

PetscErrorCode box_of(DM grid, Box& box) {
  std::array<int, 3> extents{};
  PetscCall(DMDAGetCorners(grid, &box.lower[0], &box.lower[1], &box.lower[2], &extents[0],
                           &extents[1], &extents[2]));
  for (std::size_t axis = 0; axis < 3; ++axis) box.upper[axis] = box.lower[axis] + extents[axis];
  return 0;
}

Cube cube_of(DM grid) {
  PetscInt cells = 0;
  DMDAGetInfo(grid, nullptr, &cells, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
              nullptr, nullptr, nullptr, nullptr);
  return {cells, conduction::Body("box"), contrast};
}

template <class Work>
PetscErrorCode for_rows(DM grid, const Work& work) {
  Box box{};
  PetscCall(box_of(grid, box));
  const auto cube = cube_of(grid);
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) PetscCall(work(i, j, k, cube.row(i, j, k)));
    }
  }
  return 0;
}

/// Rows are balances of heat, so restriction, which adds up, fits the same rows on each level.
PetscErrorCode set_matrix(KSP solver, Mat, Mat A, void*) {
  DM grid = nullptr;
  PetscCall(KSPGetDM(solver, &grid));
  PetscCall(for_rows(grid, [&](int i, int j, int k, const Cube::Row& row) -> PetscErrorCode {
    const MatStencil own{k, j, i, 0};
    std::array<MatStencil, 7> columns{own};
    std::array<double, 7> values{row.diagonal};
    PetscInt count = 1;
    for (int face = 0; face < 6; ++face) {
      const double value = row.neighbours[static_cast<std::size_t>(face)];
      if (value == 0) continue;
      MatStencil other = own;
      PetscInt& place = face / 2 == 0 ? other.i : face / 2 == 1 ? other.j : other.k;
      place += face % 2 == 0 ? -1 : 1;
      columns[static_cast<std::size_t>(count)] = other;
      values[static_cast<std::size_t>(count++)] = value;
    }
    return MatSetValuesStencil(A, 1, &own, count, columns.data(), values.data(), INSERT_VALUES);
  }));
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY);
}

PetscErrorCode set_right(KSP solver, Vec b, void*) {
  DM grid = nullptr;
  PetscCall(KSPGetDM(solver, &grid));
  double*** values = nullptr;
  PetscCall(DMDAVecGetArray(grid, b, &values));
  PetscCall(for_rows(grid, [&](int i, int j, int k, const Cube::Row& row) -> PetscErrorCode {
    values[k][j][i] = row.right;
    return 0;
  }));
  return DMDAVecRestoreArray(grid, b, &values);
}

/// Levels by halves down to some 4 cells an axis.
int levels_of(int cells) {
  int levels = 1;
  for (; cells % 2 == 0 && cells > 4; cells /= 2) ++levels;
  return levels;
}

PetscErrorCode set_options(const char* tolerance, int cells) {
  const auto levels = std::to_string(levels_of(cells));
  const std::array<std::array<const char*, 2>, 6> usual{{{"-ksp_type", "cg"},
                                                         {"-ksp_norm_type", "unpreconditioned"},
                                                         {"-ksp_rtol", tolerance},
                                                         {"-ksp_max_it", "200"},
                                                         {"-pc_type", "mg"},
                                                         {"-pc_mg_levels", levels.c_str()}}};
  for (const auto& option : usual) {
    PetscBool given = PETSC_FALSE;
    PetscCall(PetscOptionsHasName(nullptr, nullptr, option[0], &given));
    if (!given) PetscCall(PetscOptionsSetValue(nullptr, option[0], option[1]));
  }
  return 0;
}

PetscErrorCode run(char** words) {
  const int cells = std::atoi(words[1]);
  contrast = std::atof(words[2]);
  PetscCall(set_options(words[3], cells));
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  conduction::Laps laps;
  DM grid = nullptr;
  PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                         DMDA_STENCIL_STAR, cells, cells, cells, 1, 1, size, 1, 1, nullptr, nullptr,
                         nullptr, &grid));
  PetscCall(DMDASetInterpolationType(grid, DMDA_Q0));  // constant in a coarse cell
  PetscCall(DMSetFromOptions(grid));
  PetscCall(DMSetUp(grid));
  KSP solver = nullptr;
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetDM(solver, grid));
  PetscCall(KSPSetComputeRHS(solver, set_right, nullptr));
  PetscCall(KSPSetComputeOperators(solver, set_matrix, nullptr));
  PetscCall(KSPSetFromOptions(solver));
  PetscCall(KSPSetUp(solver));
  const auto setup = laps.lap();
  PetscCall(KSPSolve(solver, nullptr, nullptr));
  const auto solve = laps.lap();

  PetscInt iterations = 0;
  PetscCall(KSPGetIterationNumber(solver, &iterations));
  if (rank == 0) conduction::print_result(setup, solve, iterations);
  Box box{};
  PetscCall(box_of(grid, box));
  Vec x = nullptr;
  const double* values = nullptr;
  PetscCall(KSPGetSolution(solver, &x));
  PetscCall(VecGetArrayRead(x, &values));
  conduction::write_part(words[4], rank, box, {values, values + box.size()});
  return VecRestoreArrayRead(x, &values);
}

}  // namespace

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc < 5) {
    std::cerr << "usage: petsc_solve CELLS CONTRAST TOLERANCE OUTPUT [options of PETSc]\n";
    MPI_Abort(PETSC_COMM_WORLD, 2);
  }
  PetscCall(run(argv));
  return PetscFinalize();
}
