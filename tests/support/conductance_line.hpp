// SPDX-License-Identifier: MIT
// Small vectors and matrices for tests of the linear solver.
#pragma once

#include "solver/linear/matrix.hpp"

#include <vector>

namespace halotherm::solver {

inline std::vector<float> values_of(const Field<float>& field, const comm::Box& box) {
  std::vector<float> values(static_cast<std::size_t>(box.size()));
  comm::Space().fence("values");
  copy_to_host<float>(field, box, values);
  return values;
}

inline void set(Field<float>& field, const comm::Box& box, const std::vector<float>& values) {
  copy_from_host<float>(values, box, field);
}

/// A line of cells with these conductances of its faces, those of both ends included.
struct Line {
  explicit Line(const std::vector<float>& conductances)
      : grid{1, {static_cast<int>(conductances.size()) - 1, 1, 1}, {false, false, false}},
        box{{0, 0, 0}, grid.cells},
        matrix(grid, box, false) {
    set(matrix.lower(0), grid.faces(box, 0), conductances);
  }
  LevelGrid grid;
  comm::Box box;
  Matrix matrix;
};

}  // namespace halotherm::solver
