// SPDX-License-Identifier: MIT
#include "io/distribution/file_domains.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace halotherm::io {

FileDomains::FileDomains(const comm::Int3& extent, std::int64_t unit, std::vector<int> owners)
    : order_(extent),
      unit_(unit),
      units_((order_.values() + unit - 1) / unit),
      owners_(std::move(owners)) {}

ValueRange FileDomains::range(int domain) const {
  const auto place = [&](std::int64_t n) {
    return std::min(units_ * n / count() * unit_, order_.values());
  };
  return {place(domain), place(std::int64_t{domain} + 1)};
}

ValueRange FileDomains::range_of(int rank) const {
  const auto found = std::ranges::lower_bound(owners_, rank);
  if (found == owners_.end() || *found != rank) return {};
  return range(static_cast<int>(found - owners_.begin()));
}

std::int64_t FileDomains::largest() const {
  return std::min((units_ + count() - 1) / count() * unit_, order_.values());
}

/// The last domain whose first unit is at or before that of the place.
int FileDomains::domain_with(std::int64_t place) const {
  return static_cast<int>(((place / unit_ + 1) * count() - 1) / units_);
}

std::pair<int, int> FileDomains::overlapping(const ValueRange& range) const {
  if (range.empty()) return {0, 0};
  return {domain_with(range.first), domain_with(range.end - 1) + 1};
}

std::vector<int> spread(const std::vector<int>& ranks, std::int64_t count) {
  std::vector<int> chosen;
  const auto all = static_cast<std::int64_t>(ranks.size());
  for (std::int64_t n = 0; n < count; ++n)
    chosen.push_back(ranks[static_cast<std::size_t>(n * all / count)]);
  return chosen;
}

FileDomains domains_to_write(const comm::Int3& extent, std::size_t value_bytes, int ranks) {
  constexpr std::int64_t largest_unit = 1 << 20, smallest_unit = 1 << 16, least_units = 4;
  const auto bytes = FileOrder(extent).values() * static_cast<std::int64_t>(value_bytes);
  std::int64_t unit = largest_unit;
  while (unit > smallest_unit && bytes < least_units * unit * ranks) unit /= 2;
  const auto writers = std::clamp<std::int64_t>(bytes / (least_units * unit), 1, ranks);
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return {extent, unit / static_cast<std::int64_t>(value_bytes), spread(all, writers)};
}

int rank_to_verify(const std::vector<int>& nodes, int rank) {
  std::vector<int> by_node(nodes.size());
  std::iota(by_node.begin(), by_node.end(), 0);
  std::ranges::stable_sort(by_node, {},
                           [&](int one) { return nodes[static_cast<std::size_t>(one)]; });
  std::map<int, std::size_t> ranks_on;
  std::size_t largest = 1;
  for (const int node : nodes) largest = std::max(largest, ++ranks_on[node]);
  const auto all = nodes.size();
  const auto shift = largest < all ? largest : all > 1 ? 1 : 0;
  const auto place = static_cast<std::size_t>(std::ranges::find(by_node, rank) - by_node.begin());
  return by_node[(place + all - shift) % all];
}

}  // namespace halotherm::io
