// SPDX-License-Identifier: MIT
// What a scaling study is going to measure.
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

/// How many blocks of the same shape along each axis make up a weak study's grid on so many ranks:
/// as near to a cube as their product lets them be, the most along the slowest axis.
comm::Int3 growth(int dimensions, int ranks);

/// The configuration on so many ranks. Strong: as it is. Weak: the domain is `growth` times as
/// large, with cells of the same size, and cut so that every rank has a block of the
/// configuration's own grid. Throws comm::Error (usage) where the blocks are prescribed, or where a
/// file's data set would have to grow.
Config config_for(ScaleKind kind, const Config& config, int ranks);

/// The places in `counts`, each `repeats` times, in an order that depends on `seed` only.
std::vector<int> shuffled_order(std::size_t counts, int repeats, std::uint64_t seed);

}  // namespace halotherm::app
