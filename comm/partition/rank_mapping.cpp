// SPDX-License-Identifier: MIT
#include "comm/partition/rank_mapping.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace halotherm::comm {

namespace {

/// The ranks of each node, ascending.
std::vector<std::vector<int>> by_node(const std::vector<int>& nodes) {
  std::map<int, std::vector<int>> ranks;
  for (std::size_t r = 0; r < nodes.size(); ++r) ranks[nodes[r]].push_back(static_cast<int>(r));
  std::vector<std::vector<int>> found;
  for (auto& [node, members] : ranks) found.push_back(std::move(members));
  return found;
}

/// The position of number `n` in a box whose numbers run fastest along x.
Int3 position_in(const Int3& box, int n) {
  return {n % box[0], n / box[0] % box[1], n / (box[0] * box[1])};
}

/// The number of boxes of blocks along each axis.
Int3 boxes_in(const Int3& dims, const Int3& box) {
  return {dims[0] / box[0], dims[1] / box[1], dims[2] / box[2]};
}

/// Gives each node one box of blocks. The extents of `box` divide `dims`.
Partition in_boxes(const Partition& partition, const std::vector<std::vector<int>>& nodes,
                   const Int3& box) {
  const auto& dims = partition.dims();
  const auto boxes = boxes_in(dims, box);
  std::vector<int> block_of_rank(static_cast<std::size_t>(partition.ranks()));
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const auto corner = position_in(boxes, static_cast<int>(node));
    int n = 0;
    for (const int rank : nodes[node]) {
      auto at = position_in(box, n++);
      for (int axis = 0; axis < 3; ++axis) at[axis] += corner[axis] * box[axis];
      auto& block = block_of_rank[static_cast<std::size_t>(rank)];
      block = at[0] + dims[0] * (at[1] + dims[1] * at[2]);
    }
  }
  return partition.mapped(block_of_rank);
}

/// All boxes of so many blocks whose extents divide `dims`.
std::vector<Int3> boxes_of(const Int3& dims, int blocks) {
  std::vector<Int3> found;
  for (int x = 1; x <= dims[0]; ++x) {
    for (int y = 1; y <= dims[1]; ++y) {
      if (dims[0] % x != 0 || dims[1] % y != 0 || blocks % (x * y) != 0) continue;
      const int z = blocks / (x * y);
      if (dims[2] % z == 0) found.push_back({x, y, z});
    }
  }
  return found;
}

}  // namespace

std::int64_t cells_between_nodes(const Partition& partition, const std::vector<int>& nodes) {
  const auto node_of = [&](int rank) { return nodes[static_cast<std::size_t>(rank)]; };
  std::int64_t cells = 0;
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto block = partition.owned(rank);
    for (int axis = 0; axis < 3; ++axis) {
      const auto above = partition.neighbour(rank, {axis == 0, axis == 1, axis == 2});
      if (!above || node_of(*above) == node_of(rank)) continue;
      cells += 2 * block.size() / block.extent(axis);  // there and back
    }
  }
  return cells;
}

Partition mapped_by_nodes(const Partition& partition, const std::vector<int>& nodes) {
  const auto members = by_node(nodes);
  const auto size = members.front().size();
  const auto uneven = [&](const auto& ranks) { return ranks.size() != size; };
  if (members.size() == 1 || std::ranges::any_of(members, uneven)) return partition;
  auto fewest = cells_between_nodes(partition, nodes);
  std::optional<Int3> best;
  for (const auto& box : boxes_of(partition.dims(), static_cast<int>(size))) {
    const auto boxes = boxes_in(partition.dims(), box);
    const auto cells = exchanged_cells({partition.cells(), partition.periodic(), boxes});
    if (cells >= fewest) continue;
    best = box;
    fewest = cells;
  }
  return best ? in_boxes(partition, members, *best) : partition;
}

}  // namespace halotherm::comm
