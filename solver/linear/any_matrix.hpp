// SPDX-License-Identifier: MIT
// A matrix of either form, and kernels that are compiled for both.
#pragma once

#include "solver/field/dimensions.hpp"
#include "solver/linear/separable_matrix.hpp"

#include <variant>

namespace halotherm::solver {

using AnyMatrix = std::variant<Matrix, SeparableMatrix>;
using AnyMatrixView = std::variant<MatrixView, SeparableView>;

inline AnyMatrixView view_of(const AnyMatrix& matrix) {
  return std::visit([](const auto& any) -> AnyMatrixView { return any.view(); }, matrix);
}

/// Calls `work` with the matrix and with the number of axes as an integral constant.
template <class Work>
void with_matrix(const AnyMatrixView& A, int dimensions, const Work& work) {
  std::visit(
      [&](const auto& matrix) {
        with_dimensions(dimensions, [&](auto dim) { work(matrix, dim); });
      },
      A);
}

}  // namespace halotherm::solver
