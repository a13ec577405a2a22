// SPDX-License-Identifier: MIT
// Which numbers of ranks a scaling study measures, on which grids and in which order.
#pragma once

#include "app/config/config.hpp"
#include "app/measure/bottleneck.hpp"
#include "comm/partition/box.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace halotherm::app {

/// {1, 2, 4} of "1,2,4", as given to --ranks, in ascending order. Throws comm::Error (usage) unless
/// they are whole numbers from 1 on, each once.
std::vector<int> parse_counts(const std::string& text);

/// 1, 2, 4, … below `size`, and `size`.
std::vector<int> usual_rank_counts(int size);

/// Blocks along each axis of a weak study's grid on this number of ranks: as near to a cube as
/// possible, the most along the slowest axis.
comm::Int3 growth(int dimensions, int ranks);

/// The configuration on this number of ranks. Strong: unchanged. Weak: the domain is `growth` times
/// as large, with cells of the same size, and every rank's block is the configured grid. Throws
/// comm::Error (usage) if the configuration fixes the blocks, or if a file's data set would have to
/// grow.
Config config_for(ScaleKind kind, const Config& config, int ranks);

/// The numbers below `counts`, each `repeats` times, in an order that depends on `seed` only.
std::vector<int> shuffled_order(std::size_t counts, int repeats, std::uint64_t seed);

}  // namespace halotherm::app
