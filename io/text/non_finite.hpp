// SPDX-License-Identifier: MIT
// Finds NaN and infinite values before they are written or used.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/text/grid_shape.hpp"

#include <span>
#include <string>

namespace halotherm::io {

/// Local. Throws comm::Error (numerics) that names the block's first cell whose value is not
/// finite, in the order of the file: its global index and its position. `values` has the cells of
/// `block`, x fastest; `what` is its subject.
template <class Real>
void require_finite(const std::string& what, const GridShape& grid, const comm::Box& block,
                    std::span<const Real> values);

/// "the cell (1, 2, 3), position (0.1, 0.2, 0.3) m".
std::string place_text(const GridShape& grid, const comm::Int3& cell);

/// Collective. The global linear index of the first value that is not finite, in the order of the
/// file, or -1; over all ranks. Looks at the cells of `region`, a part of `block`, whose cells
/// `values` has, x fastest.
template <class Real>
double first_non_finite(const comm::Communicator& communicator, const GridShape& grid,
                        const comm::Box& region, const comm::Box& block,
                        std::span<const Real> values);

/// The cell of a global linear index.
comm::Int3 cell_of(const GridShape& grid, double index);

}  // namespace halotherm::io
