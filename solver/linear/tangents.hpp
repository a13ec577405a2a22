// SPDX-License-Identifier: MIT
// What a matrix needs of sides and sources that depend on the temperature: linearized at the
// present one.
#pragma once

#include "comm/device/execution.hpp"
#include "solver/equation/boundary.hpp"
#include "solver/medium/cell_value.hpp"

#include <functional>
#include <vector>

namespace halotherm::solver {

/// Tangents T_ghost = alpha T_inside + beta of conditions that need not be linear, since a face
/// radiates or K depends on the temperature: difference quotients of the ghost temperatures that
/// Boundary::balance finds. Instantiated for float and double.
template <class Real>
class SideTangents {
 public:
  explicit SideTangents(const Boundary<Real>& boundary) : boundary_(boundary) {}

  /// Makes the conditions of faces those of a temperature, and waits.
  using Balance = std::function<void(const comm::GridView<const Real>& T)>;
  /// Makes the tangents those at `T`; overwrites `warmer`, a field of the same layout, in the cells
  /// next to sides. The conditions become those of `warmer`. Blocking; allocates the first time.
  void set(const comm::Space& space, const comm::GridView<const Real>& T,
           const comm::GridView<Real>& warmer, const Balance& balance);
  /// For kernels; valid until the tangents or a condition are set.
  Sides<Real> view() const;

 private:
  const Boundary<Real>& boundary_;
  std::vector<Kokkos::View<Affine<Real>*, comm::Memory>>
      tangents_;  ///< empty where one holds for all
};

/// By how much a source falls as the temperature rises, −dq/dT [W/(m³ K)], 0 where it rises:
/// difference quotients in the block's cells. `source_at` makes the source that of a temperature,
/// waits and gives it. Overwrites `warmer`, a field like T; the source becomes that of T. Blocking.
/// Instantiated for float and double.
template <class Real>
using SourceAt = std::function<CellSource<Real>(const comm::GridView<const Real>& T)>;
template <class Real>
void set_source_fall(const comm::Space& space, const comm::Box& owned,
                     const comm::GridView<const Real>& T, const comm::GridView<Real>& warmer,
                     const SourceAt<Real>& source_at, const comm::GridView<Real>& fall);

}  // namespace halotherm::solver
