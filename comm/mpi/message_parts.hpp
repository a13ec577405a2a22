// SPDX-License-Identifier: MIT
// MPI counts in ints: what is longer travels in parts.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace halotherm::comm {

/// Elements that one call of MPI takes.
inline constexpr std::int64_t most_at_once = std::int64_t{1} << 30;

/// Calls `part(first, count)` for consecutive parts of at most `most` of `total` elements; at least
/// once.
template <class Part>
void for_each_part(std::int64_t total, std::int64_t most, const Part& part) {
  std::int64_t first = 0;
  do {
    part(first, static_cast<int>(std::min(most, total - first)));
    first += most;
  } while (first < total);
}

/// Collective. Every rank's text, in the order of the ranks; one call of MPI receives at most
/// `most` bytes, or one from each rank.
std::vector<std::string> gather_in_parts(const Communicator& communicator, const std::string& text,
                                         std::int64_t most);

}  // namespace halotherm::comm
