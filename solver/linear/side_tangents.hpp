// SPDX-License-Identifier: MIT
// The sides of a block as a matrix needs them: ghost temperatures linearized at the present ones.
#pragma once

#include "comm/device/execution.hpp"
#include "solver/equation/boundary.hpp"

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

}  // namespace halotherm::solver
