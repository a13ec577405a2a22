// SPDX-License-Identifier: MIT
#include "solver/linear/smoother.hpp"

#include "comm/device/for_each_cell.hpp"

#include <cmath>
#include <numbers>

namespace halotherm::solver {

namespace {

/// 0 where the diagonal is; without a branch, so that CPUs compute several cells at once.
KOKKOS_FORCEINLINE_FUNCTION float quotient(float value, float diagonal) {
  const float result = value / (diagonal > 0 ? diagonal : 1.0F);
  return diagonal > 0 ? result : 0.0F;
}

template <int Dim, class Matrix>
struct FirstSweep {
  Matrix A;
  float weight;
  comm::GridView<const float> b;
  comm::GridView<float> x;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    x(i, j, k) = quotient(weight * b(i, j, k), A.template around<Dim>(i, j, k).diagonal());
  }
};

template <int Dim, class Matrix>
struct Sweep {
  Matrix A;
  float weight;
  comm::GridView<const float> b, x;
  comm::GridView<float> next;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const auto faces = A.template around<Dim>(i, j, k);
    const float left = b(i, j, k) + faces.flow(x, i, j, k);
    next(i, j, k) = x(i, j, k) + quotient(weight * left, faces.diagonal());
  }
};

template <int Dim>
struct ClearVoidCells {
  MatrixView A;
  comm::GridView<float> x;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    if (!(A.template around<Dim>(i, j, k).diagonal() > 0)) x(i, j, k) = 0;
  }
};

template <int Dim, class Matrix>
struct CellsResidual {
  Matrix A;
  comm::GridView<const float> b, x;
  comm::GridView<float> result;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const float flow = A.template around<Dim>(i, j, k).flow(x, i, j, k);
    result(i, j, k) = b.data == nullptr ? flow : b(i, j, k) + flow;
  }
};

}  // namespace

template <int Sweeps>
Kokkos::Array<float, Sweeps> chebyshev_weights(double lowest) {
  constexpr double highest = 2;
  Kokkos::Array<float, Sweeps> weights{};
  for (int n = 0; n < Sweeps; ++n) {
    const double angle = std::numbers::pi * (2 * n + 1) / (2 * Sweeps);
    const double root = (highest + lowest) / 2 + (highest - lowest) / 2 * std::cos(angle);
    weights[static_cast<std::size_t>(n)] = static_cast<float>(1 / root);
  }
  return weights;
}
template Kokkos::Array<float, 2> chebyshev_weights<2>(double);
template Kokkos::Array<float, 3> chebyshev_weights<3>(double);

void first_sweep(const comm::Space& space, int dimensions, const comm::Box& owned,
                 const AnyMatrixView& A, float weight, const comm::GridView<const float>& b,
                 const comm::GridView<float>& x) {
  with_matrix(A, dimensions, [&](const auto& matrix, auto dim) {
    using Form = std::decay_t<decltype(matrix)>;
    comm::for_each_cell(space, "first sweep", owned, FirstSweep<dim(), Form>{matrix, weight, b, x});
  });
}

void sweep(const comm::Space& space, int dimensions, const comm::Box& owned, const AnyMatrixView& A,
           float weight, const comm::GridView<const float>& b, const comm::GridView<const float>& x,
           const comm::GridView<float>& next) {
  with_matrix(A, dimensions, [&](const auto& matrix, auto dim) {
    using Form = std::decay_t<decltype(matrix)>;
    comm::for_each_cell(space, "sweep", owned, Sweep<dim(), Form>{matrix, weight, b, x, next});
  });
}

void clear_void_cells(const comm::Space& space, int dimensions, const comm::Box& owned,
                      const AnyMatrixView& A, const comm::GridView<float>& x) {
  const auto* stored = std::get_if<MatrixView>(&A);
  if (stored == nullptr || stored->of_anchor == 0) return;  // there are none
  with_dimensions(dimensions, [&](auto dim) {
    comm::for_each_cell(space, "clear void cells", owned, ClearVoidCells<dim()>{*stored, x});
  });
}

void residual(const comm::Space& space, int dimensions, const comm::Box& owned,
              const AnyMatrixView& A, const comm::GridView<const float>& b,
              const comm::GridView<const float>& x, const comm::GridView<float>& result) {
  with_matrix(A, dimensions, [&](const auto& matrix, auto dim) {
    using Form = std::decay_t<decltype(matrix)>;
    comm::for_each_cell(space, "residual", owned, CellsResidual<dim(), Form>{matrix, b, x, result});
  });
}

}  // namespace halotherm::solver
