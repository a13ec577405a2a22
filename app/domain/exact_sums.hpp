// SPDX-License-Identifier: MIT
// Exact sums over all ranks.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "solver/diagnostics/exact_sum.hpp"

#include <span>
#include <vector>

namespace halotherm::app {

/// Collective. Replaces each sum by that of all ranks, by one reduction of integers, so it depends
/// on neither their order nor the partition. A rank's sums are carried before (exact_carry.hpp), so
/// that integers suffice for the largest grid on any number of ranks.
void sum_over_ranks(const comm::Communicator& world, std::span<solver::ExactSum> sums);

/// Collective. The sum of all ranks' numbers, which depends neither on their order nor on ranks.
double exact_sum(const comm::Communicator& world, const std::vector<double>& numbers);

}  // namespace halotherm::app
