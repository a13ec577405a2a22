// SPDX-License-Identifier: MIT
// Exact sums over all ranks.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "solver/diagnostics/exact_sum.hpp"

#include <span>

namespace halotherm::app {

/// Collective. Replaces each sum by that of all ranks, by one reduction of integers, so it depends
/// on neither their order nor the partition. A rank's sums are carried before (exact_carry.hpp), so
/// that integers suffice for the largest grid on any number of ranks.
void sum_over_ranks(const comm::Communicator& world, std::span<solver::ExactSum> sums);

}  // namespace halotherm::app
