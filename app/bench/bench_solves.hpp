// SPDX-License-Identifier: MIT
// The measurements of bench on linear solves.
#pragma once

#include "app/bench/bench.hpp"

#include <functional>

namespace halotherm::app {

/// Collective. Solves for steady states from 300 K everywhere to 1e-8 of the first residual, each
/// rank on a grid of its own: one conductivity with sides of every kind, a box that conducts 1e4
/// times as well, and a stack of dies with layers of 2 um between them. Fewer repeats where they
/// would take long. Grids of one dimension, and of fewer than 5 cells along an axis, have none.
/// Instantiated for float and double. Throws CollectiveError.
template <class Real>
void measure_solves(const comm::Communicator& world, const comm::Int3& cells, int repeats,
                    const std::function<void(BenchRow)>& add);

}  // namespace halotherm::app
