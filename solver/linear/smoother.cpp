// SPDX-License-Identifier: MIT
#include "solver/linear/smoother.hpp"

#include "solver/field/set_cells.hpp"

#include <cmath>
#include <numbers>

namespace halotherm::solver {

namespace {

template <int Dim, class Matrix>
struct FirstSweep {
  Matrix A;
  float weight;
  comm::GridView<const float> b;
  comm::GridView<float> x;
  KOKKOS_FORCEINLINE_FUNCTION float value(int i, int j, int k) const {
    return A.template around<Dim>(i, j, k).swept(weight, b(i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(int i, int j, int k, float value) const {
    x(i, j, k) = value;
  }
};

template <int Dim, class Matrix>
struct Sweep {
  Matrix A;
  float weight;
  comm::GridView<const float> b, x;
  comm::GridView<float> next;
  KOKKOS_FORCEINLINE_FUNCTION float value(int i, int j, int k) const {
    return A.template around<Dim>(i, j, k).swept(weight, b(i, j, k), star_at<Dim>(x, i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(int i, int j, int k, float value) const {
    next(i, j, k) = value;
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
  KOKKOS_FORCEINLINE_FUNCTION float value(int i, int j, int k) const {
    return b(i, j, k) + A.template around<Dim>(i, j, k).flow(star_at<Dim>(x, i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(int i, int j, int k, float value) const {
    result(i, j, k) = value;
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
    set_cells(space, "first sweep", owned, FirstSweep<dim(), Form>{matrix, weight, b, x});
  });
}

void sweep(const comm::Space& space, int dimensions, const comm::Box& owned, const AnyMatrixView& A,
           float weight, const comm::GridView<const float>& b, const comm::GridView<const float>& x,
           const comm::GridView<float>& next) {
  with_matrix(A, dimensions, [&](const auto& matrix, auto dim) {
    using Form = std::decay_t<decltype(matrix)>;
    set_cells(space, "sweep", owned, Sweep<dim(), Form>{matrix, weight, b, x, next});
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
    set_cells(space, "residual", owned, CellsResidual<dim(), Form>{matrix, b, x, result});
  });
}

}  // namespace halotherm::solver
