// SPDX-License-Identifier: MIT
#include "io/distribution/bricks.hpp"

#include "io/distribution/file_domains.hpp"

#include <algorithm>
#include <map>

namespace halotherm::io {

namespace {

std::int64_t parts_of(std::int64_t whole, std::int64_t part) {
  return (whole + part - 1) / part;
}

/// Cells of a brick along an axis of `cells` cells, for about `wanted` bricks of at most `most`
/// cells.
std::int64_t thickness(std::int64_t cells, std::int64_t grain, std::int64_t wanted,
                       std::int64_t most) {
  const auto share = parts_of(cells, wanted);
  const auto even = parts_of(share, parts_of(share, std::max<std::int64_t>(most, 1)));
  auto whole = parts_of(even, grain) * grain;
  if (whole > most && whole > grain) whole -= grain;
  return std::min(whole, cells);
}

/// Divides the slowest axes first: a brick is then contiguous in the file if the grain is.
comm::Int3 shape_of(const comm::Int3& extent, const comm::Int3& grain, std::int64_t most,
                    std::int64_t wanted) {
  auto shape = extent;
  for (const int axis : {2, 1, 0}) {
    std::int64_t below = 1;
    for (int faster = 0; faster < axis; ++faster) below *= extent[faster];
    const auto cells = thickness(extent[axis], grain[axis], wanted, most / below);
    shape[axis] = static_cast<int>(cells);
    wanted = std::max<std::int64_t>(wanted / parts_of(extent[axis], cells), 1);
    most = std::max<std::int64_t>(most / cells, 1);
  }
  return shape;
}

/// At most `most` ranks of each node, evenly spread.
std::vector<int> some_of_each_node(const std::vector<int>& nodes, std::int64_t most) {
  std::map<int, std::vector<int>> ranks_of;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    ranks_of[nodes[rank]].push_back(static_cast<int>(rank));
  std::vector<int> chosen;
  for (const auto& [node, ranks] : ranks_of) {
    const auto some = spread(ranks, std::min(most, static_cast<std::int64_t>(ranks.size())));
    chosen.insert(chosen.end(), some.begin(), some.end());
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

Bricks::Bricks(const comm::Int3& extent, const comm::Int3& shape, std::vector<int> readers)
    : extent_(extent), shape_(shape), readers_(std::move(readers)) {
  for (int axis = 0; axis < 3; ++axis)
    counts_[axis] = static_cast<int>(parts_of(extent[axis], shape[axis]));
}

int Bricks::rounds() const {
  return static_cast<int>(parts_of(count(), static_cast<std::int64_t>(readers_.size())));
}

bool Bricks::reads(int rank) const {
  return std::ranges::binary_search(readers_, rank);
}

comm::Box Bricks::of(int rank, int round) const {
  if (!reads(rank)) return {};
  const auto reader = std::ranges::lower_bound(readers_, rank) - readers_.begin();
  const auto readers = static_cast<std::int64_t>(readers_.size());
  const auto brick = count() * reader / readers + round;
  return brick < count() * (reader + 1) / readers ? box(brick) : comm::Box{};
}

comm::Box Bricks::box(std::int64_t brick) const {
  const auto row = brick / counts_[0];
  const comm::Int3 place{static_cast<int>(brick % counts_[0]), static_cast<int>(row % counts_[1]),
                         static_cast<int>(row / counts_[1])};
  comm::Box cells;
  for (int axis = 0; axis < 3; ++axis) {
    cells.lower[axis] = place[axis] * shape_[axis];
    cells.upper[axis] = static_cast<int>(
        std::min<std::int64_t>(std::int64_t{cells.lower[axis]} + shape_[axis], extent_[axis]));
  }
  return cells;
}

Bricks bricks_to_read(const comm::Int3& extent, const comm::Int3& grain, std::size_t value_bytes,
                      const std::vector<int>& nodes) {
  const auto size = static_cast<std::int64_t>(value_bytes);
  const auto bytes = comm::Box{{0, 0, 0}, extent}.size() * size;
  auto readers = some_of_each_node(nodes, readers_per_node);
  const auto all = static_cast<std::int64_t>(readers.size());
  const auto wanted = std::clamp<std::int64_t>(bytes / least_bytes_of_a_reader, 1, all);
  const auto shape = shape_of(extent, grain, largest_brick_bytes / size, wanted);
  const auto bricks = Bricks(extent, shape, {0}).count();
  return {extent, shape, spread(readers, std::min(wanted, bricks))};
}

}  // namespace halotherm::io
