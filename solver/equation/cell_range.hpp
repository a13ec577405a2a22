// SPDX-License-Identifier: MIT
// The extremes of what cells have in a block.
#pragma once

#include "comm/partition/box.hpp"
#include "solver/medium/cell_value.hpp"

#include <utility>

namespace halotherm::solver {

/// The lowest and the highest value in a box that is not empty; both NaN if a value is not finite.
/// Blocking; kernels that write the values must have ended. Instantiated for float and double.
template <class Real>
std::pair<double, double> range_of(const comm::Box& box, const comm::GridView<const Real>& values);
/// The same of a source [W/m³].
template <class Real>
std::pair<double, double> range_of(const comm::Box& box, const CellSource<Real>& source);

}  // namespace halotherm::solver
