// SPDX-License-Identifier: MIT
#include "comm/partition/rank_mapping.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace halotherm::comm {

namespace {

/// The ranks of every node, ascending.
std::vector<std::vector<int>> by_node(const std::vector<int>& nodes) {
  std::map<int, std::vector<int>> ranks;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    ranks[nodes[rank]].push_back(static_cast<int>(rank));
  std::vector<std::vector<int>> found;
  for (auto& [node, members] : ranks) found.push_back(std::move(members));
  return found;
}

/// The place of number `n` in a box whose numbers run fastest along x.
Int3 place_in(const Int3& box, int n) {
  return {n % box[0], n / box[0] % box[1], n / (box[0] * box[1])};
}

/// How many boxes of blocks there are along each axis.
Int3 boxes_in(const Int3& dims, const Int3& box) {
  return {dims[0] / box[0], dims[1] / box[1], dims[2] / box[2]};
}

/// One box of blocks a node, each of the shape `box`, which divides the blocks along each axis.
Partition in_boxes(const Partition& partition, const std::vector<std::vector<int>>& nodes,
                   const Int3& box) {
  const auto& dims = partition.dims();
  const auto boxes = boxes_in(dims, box);
  std::vector<int> block_of_rank(static_cast<std::size_t>(partition.ranks()));
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const auto corner = place_in(boxes, static_cast<int>(node));
    for (std::size_t n = 0; n < nodes[node].size(); ++n) {
      auto at = place_in(box, static_cast<int>(n));
      for (int axis = 0; axis < 3; ++axis) at[axis] += corner[axis] * box[axis];
      block_of_rank[static_cast<std::size_t>(nodes[node][n])] =
          at[0] + dims[0] * (at[1] + dims[1] * at[2]);
    }
  }
  return partition.placed(block_of_rank);
}

std::vector<Int3> boxes_of(const Int3& dims, int blocks) {
  std::vector<Int3> found;
  for (int x = 1; x <= dims[0]; ++x) {
    for (int y = 1; y <= dims[1]; ++y) {
      if (dims[0] % x != 0 || dims[1] % y != 0 || blocks % (x * y) != 0 ||
          dims[2] % (blocks / (x * y)) != 0)
        continue;
      found.push_back({x, y, blocks / (x * y)});
    }
  }
  return found;
}

}  // namespace

std::vector<int> nodes_of(const Communicator& communicator) {
  const auto node = communicator.node();
  return communicator.gather(node.min(communicator.rank()));
}

std::int64_t cells_between_nodes(const Partition& partition, const std::vector<int>& nodes) {
  std::int64_t cells = 0;
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto block = partition.owned(rank);
    for (int axis = 0; axis < 3; ++axis) {
      const auto above = partition.neighbour(rank, {axis == 0, axis == 1, axis == 2});
      if (!above ||
          nodes[static_cast<std::size_t>(*above)] == nodes[static_cast<std::size_t>(rank)])
        continue;
      cells += 2 * block.size() / block.extent(axis);  // there and back
    }
  }
  return cells;
}

Partition mapped_by_nodes(const Partition& partition, const std::vector<int>& nodes) {
  const auto members = by_node(nodes);
  const auto size = members.front().size();
  if (members.size() == 1 ||
      std::ranges::any_of(members, [&](const auto& ranks) { return ranks.size() != size; }))
    return partition;
  auto fewest = cells_between_nodes(partition, nodes);
  std::optional<Int3> best;
  for (const auto& box : boxes_of(partition.dims(), static_cast<int>(size))) {
    const auto cells =
        exchanged_cells({partition.cells(), partition.periodic(), boxes_in(partition.dims(), box)});
    if (cells >= fewest) continue;
    best = box;
    fewest = cells;
  }
  return best ? in_boxes(partition, members, *best) : partition;
}

}  // namespace halotherm::comm
