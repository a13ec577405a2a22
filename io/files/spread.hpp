// SPDX-License-Identifier: MIT
// Chooses the ranks that write or read a file for all.
#pragma once

#include <cstdint>
#include <vector>

namespace halotherm::io {

/// `count` of the given ranks, evenly spread, the first one among them.
inline std::vector<int> spread(const std::vector<int>& ranks, std::int64_t count) {
  std::vector<int> chosen;
  const auto all = static_cast<std::int64_t>(ranks.size());
  for (std::int64_t n = 0; n < count; ++n)
    chosen.push_back(ranks[static_cast<std::size_t>(n * all / count)]);
  return chosen;
}

}  // namespace halotherm::io
