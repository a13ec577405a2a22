// SPDX-License-Identifier: MIT
// Finds NaN and infinite values before they are written or used.
#pragma once

#include "comm/communicator.hpp"
#include "io/grid_shape.hpp"

#include <span>
#include <string>

namespace halotherm::io {

/// Collective. Throws CollectiveError (numerics) that names the grid's first cell whose value is not finite, in the order of the
/// file: what it holds, its global index and its position. `values` has the cells of `owned`, x fastest; `what` is its subject.
template <class Real>
void refuse_non_finite(const comm::Communicator& communicator, const std::string& what, const GridShape& grid,
                       const comm::Box& owned, std::span<const Real> values);

/// Collective. The global linear index of the first value that is not finite, in the order of the file, or -1; over all ranks.
/// Looks at the cells of `region`, a part of `block`, whose cells `values` has, x fastest.
template <class Real>
double first_non_finite(const comm::Communicator& communicator, const GridShape& grid, const comm::Box& region,
                        const comm::Box& block, std::span<const Real> values);

/// The cell of a global linear index.
comm::Int3 cell_of(const GridShape& grid, double index);

}  // namespace halotherm::io
