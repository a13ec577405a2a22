// SPDX-License-Identifier: MIT
// Vectors on a block: sums of products that do not depend on order or partition, and updates.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/grid_view.hpp"
#include "comm/partition/box.hpp"
#include "solver/diagnostics/exact_reduction.hpp"
#include "solver/equation/heat_equation.hpp"
#include "solver/linear/any_matrix.hpp"

namespace halotherm::solver {

/// The sum of a · b over a block, or of a if `b` has no data. Blocking. Instantiated for float and
/// double.
template <class Value>
ProductSum sum_of_products(const comm::Space& space, const comm::Box& owned,
                           const comm::GridView<const Value>& a,
                           const comm::GridView<const Value>& b, const SumScale& scale);

/// Rounds factor · a value · the share of its cell's volume to float; 0 in void cells.
template <class Real>
struct Rounding {
  HeatContent<Real> heat;
  VolumeShares shares;
  double factor;

  Rounding(const HeatEquation<Real>& equation, double the_factor)
      : heat(equation.heat_content()), shares(equation.volume_shares()), factor(the_factor) {}

  KOKKOS_FORCEINLINE_FUNCTION float operator()(Real value, int i, int j, int k) const {
    return heat.is_void(i, j, k) ? 0.0F : with_share(value, shares(i, j, k));
  }
  /// In a cell that is not void.
  KOKKOS_FORCEINLINE_FUNCTION float with_share(Real value, double share) const {
    return static_cast<float>(factor * static_cast<double>(value) * share);
  }
};

/// Values that are rounded where they are read.
template <class Real>
struct Rounded {
  Rounding<Real> rounding;
  comm::GridView<const Real> values;
};

/// b = the rounded values. Instantiated for float and double. All updates are asynchronous on
/// `space`.
template <class Real>
void round_to(const comm::Space& space, const comm::Box& owned, const Rounded<Real>& rounded,
              const comm::GridView<float>& b);
/// x = 0.
void clear(const comm::Space& space, const comm::Box& owned, const comm::GridView<float>& x);
/// The magnitude of the terms that a cell's residual consists of: D T.
template <class Real>
void residual_terms(const comm::Space& space, int dimensions, const comm::Box& owned,
                    const AnyMatrixView& A, const comm::GridView<const Real>& T,
                    const comm::GridView<float>& terms);
/// value + factor · x, rounded once.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real corrected(Real value, double factor, float x) {
  return static_cast<Real>(static_cast<double>(value) + factor * static_cast<double>(x));
}
/// T += factor · x.
template <class Real>
void correct(const comm::Space& space, const comm::Box& owned, double factor,
             const comm::GridView<const float>& x, const comm::GridView<Real>& T);

}  // namespace halotherm::solver
