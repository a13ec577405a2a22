// SPDX-License-Identifier: MIT
// The step that one would write without further thought, for the solver's own to be compared with:
// forward Euler on a uniform 3-D grid with constant coefficients, seven points, one value read and
// one written a cell.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/grid_view.hpp"
#include "comm/partition/box.hpp"

namespace halotherm::baseline {

template <class Real>
struct Coefficients {
  Real c;           ///< dt/(rho c) [m³ K/J * s]
  Real gx, gy, gz;  ///< K/h² of each axis [W/(m³ K)]
};

/// next = T + c (gx (W + E - 2 T) + gy (...) + gz (...)) on `box`, whose indices are not negative;
/// ghost cells must be current. All forms evaluate the same expression in the same order, so they
/// give the same bits. Instantiated for float and double.
///
/// A Kokkos::MDRangePolicy that runs along memory, with the tiles that Kokkos chooses. Asynchronous
/// on `space`.
template <class Real>
void plain_mdrange(const comm::Space& space, const comm::Box& box,
                   const comm::GridView<const Real>& T, const comm::GridView<Real>& next,
                   const Coefficients<Real>& coefficients);

/// The same with tiles of 32 x 4 x 1 cells: a warp a row, four rows a block.
template <class Real>
void tiled_mdrange(const comm::Space& space, const comm::Box& box,
                   const comm::GridView<const Real>& T, const comm::GridView<Real>& next,
                   const Coefficients<Real>& coefficients);

/// Three nested loops over pointers, in one thread. Only where kernels run in host memory.
/// Blocking.
template <class Real>
void triple_loop(const comm::Box& box, const comm::GridView<const Real>& T,
                 const comm::GridView<Real>& next, const Coefficients<Real>& coefficients);

/// The same with the planes shared among OpenMP's threads; one thread where the compiler has no
/// OpenMP.
template <class Real>
void parallel_triple_loop(const comm::Box& box, const comm::GridView<const Real>& T,
                          const comm::GridView<Real>& next, const Coefficients<Real>& coefficients);

}  // namespace halotherm::baseline
