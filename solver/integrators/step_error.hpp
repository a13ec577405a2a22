// SPDX-License-Identifier: MIT
// The estimated error of a step, from the fields that its stages leave.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/grid_view.hpp"
#include "comm/partition/box.hpp"
#include "solver/integrators/scheme.hpp"

namespace halotherm::solver {

/// The fields of an ErrorEstimate.
template <class Real>
struct ErrorFields {
  comm::GridView<const Real> before;  ///< Y_0
  comm::GridView<const Real> result;
  comm::GridView<const Real> last;
  comm::GridView<const Real> first;  ///< Y_1
};

/// The largest error in a cell of `box`, which is not empty [K]; infinite if one is not a number.
/// Void cells, which keep their temperature, have none. Comes after all that `space` has to do, and
/// blocks. Instantiated for float and double.
template <class Real>
double largest_error(const comm::Space& space, const comm::Box& box, const ErrorEstimate& estimate,
                     const ErrorFields<Real>& fields);

}  // namespace halotherm::solver
