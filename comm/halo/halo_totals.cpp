// SPDX-License-Identifier: MIT
#include "comm/halo/halo_totals.hpp"

#include <algorithm>
#include <array>

namespace halotherm::comm {

namespace {

/// What directions with this step along an axis have in common.
struct Along {
  std::int64_t blocks = 0;  ///< that have a neighbour there
  std::int64_t cells = 0;   ///< thickness of their messages along the axis, in all
  int thickest = 0;         ///< of them
};

Along along(const Partition& partition, int axis, int step, int width) {
  const auto& points = partition.split_points()[static_cast<std::size_t>(axis)];
  const std::int64_t blocks = partition.dims()[axis];
  if (step != 0) {
    const auto with = partition.periodic()[axis] ? blocks : blocks - 1;
    return {with, with * width, width};
  }
  Along all{blocks, points.back(), 0};
  for (std::size_t n = 1; n < points.size(); ++n)
    all.thickest = std::max(all.thickest, points[n] - points[n - 1]);
  return all;
}

/// Whether the neighbour in this direction is the rank itself.
bool is_self(const Partition& partition, const Int3& direction) {
  for (int axis = 0; axis < 3; ++axis) {
    if (direction[axis] != 0 && partition.is_split(axis)) return false;
  }
  return true;
}

std::int64_t cells_between_nodes(const Partition& partition, const Int3& direction, int width,
                                 const std::vector<int>& nodes) {
  std::int64_t cells = 0;
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto neighbour = partition.neighbour(rank, direction);
    const auto node = [&](int one) { return nodes[static_cast<std::size_t>(one)]; };
    if (!neighbour || node(*neighbour) == node(rank)) continue;
    const auto owned = partition.owned(rank);
    std::int64_t size = 1;
    for (int axis = 0; axis < 3; ++axis) size *= direction[axis] == 0 ? owned.extent(axis) : width;
    cells += size;
  }
  return cells;
}

}  // namespace

HaloTotals halo_totals(const Partition& partition, int width, GhostRegion region,
                       const std::vector<int>& nodes) {
  const bool one_node = std::ranges::all_of(nodes, [&](int node) { return node == nodes[0]; });
  HaloTotals totals;
  for (const auto& direction : halo_directions(region)) {
    std::int64_t blocks = 1, cells = 1;
    HaloMessage largest{.neighbour = 0, .direction = direction, .send = {}, .receive = {}};
    for (int axis = 0; axis < 3; ++axis) {
      const auto [with, thickness, thickest] = along(partition, axis, direction[axis], width);
      blocks *= with;
      cells *= thickness;
      largest.send.upper[axis] = thickest;
    }
    if (blocks == 0) continue;
    require_countable(largest);
    if (is_self(partition, direction)) continue;
    totals.messages += blocks;
    totals.cells += cells;
    if (!one_node) totals.between_nodes += cells_between_nodes(partition, direction, width, nodes);
  }
  return totals;
}

std::vector<int> kinds_of_blocks(const Partition& partition) {
  std::array<std::vector<int>, 3> places;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& points = partition.split_points()[static_cast<std::size_t>(axis)];
    const int last = partition.dims()[axis] - 1;
    auto& some = places[static_cast<std::size_t>(axis)];
    some = {0, last};
    const auto extent = [&](int n) {
      const auto lower = points.begin() + n;
      return lower[1] - lower[0];
    };
    for (int n = 1; n < last; ++n) {
      if (some.size() == 2) some.push_back(n);
      if (extent(n) > extent(some[2])) some[2] = n;
    }
    std::ranges::sort(some);
    some.erase(std::ranges::unique(some).begin(), some.end());
  }
  std::vector<int> ranks;
  const auto& dims = partition.dims();
  for (const int z : places[2]) {
    for (const int y : places[1]) {
      for (const int x : places[0]) ranks.push_back(x + dims[0] * (y + dims[1] * z));
    }
  }
  return ranks;
}

}  // namespace halotherm::comm
