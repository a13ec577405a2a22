// SPDX-License-Identifier: MIT
#include "comm/partition/partition.hpp"

#include "comm/mpi/error.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

namespace halotherm::comm {

namespace {

constexpr const char* axis_names = "xyz";

std::string to_string(const Int3& numbers) {
  return std::to_string(numbers[0]) + " x " + std::to_string(numbers[1]) + " x " +
         std::to_string(numbers[2]);
}

std::vector<int> even_split_points(int cells, int blocks) {
  std::vector<int> points;
  for (std::int64_t n = 0; n <= blocks; ++n) points.push_back(static_cast<int>(cells * n / blocks));
  return points;
}

/// Throws Error (usage) for an axis whose blocks are thinner than the ghost layer.
[[noreturn]] void refuse(const std::string& key, int axis, int cells, int blocks, int halo,
                         const std::string& remedy) {
  throw Error(ExitCode::usage,
              {key + (key.empty() ? "" : ": ") + "cannot make " + std::to_string(blocks) +
                   " blocks along " + axis_names[axis],
               "its " + std::to_string(cells) + " cells give blocks thinner than the " +
                   std::to_string(halo) + " ghost cells that a neighbour needs",
               remedy});
}

/// The axis that an even partition makes too thin; none if it is possible.
std::optional<int> thin_axis(const Int3& cells, const Periodic& periodic, const Int3& dims,
                             int halo) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool has_neighbour = dims[axis] > 1 || periodic[axis];
    if (has_neighbour && cells[axis] / dims[axis] < halo) return axis;
  }
  return std::nullopt;
}

/// Throws Error (usage) if the value of the configuration's `key` does not give each rank a block.
void check_count(const std::string& key, const Int3& dims, int ranks) {
  if (std::int64_t{dims[0]} * dims[1] * dims[2] == ranks) return;
  throw Error(ExitCode::usage, {key + " gives " + to_string(dims) + " blocks",
                                "the job has " + std::to_string(ranks) + " ranks",
                                "leave it out or start as many ranks"});
}

}  // namespace

Partition::Partition(const Int3& cells, const Periodic& periodic, const Int3& dims)
    : cells_(cells), periodic_(periodic), dims_(dims) {
  if (const auto axis = thin_axis(cells, periodic, dims, 1))
    refuse("", *axis, cells[*axis], dims[*axis], 1, "use fewer blocks along that axis");
  for (int axis = 0; axis < 3; ++axis)
    split_points_[static_cast<std::size_t>(axis)] = even_split_points(cells[axis], dims[axis]);
}

Partition::Partition(SplitPoints split_points, const Periodic& periodic)
    : periodic_(periodic), split_points_(std::move(split_points)) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto& along = split_points_[static_cast<std::size_t>(axis)];
    if (along.size() < 2 || along.front() != 0 ||
        std::ranges::adjacent_find(along, std::greater_equal{}) != along.end()) {
      throw Error(ExitCode::usage, {std::string("the split points along ") + axis_names[axis] +
                                        " do not ascend from 0",
                                    "there would be blocks without cells", "give ascending cells"});
    }
    cells_[axis] = along.back();
    dims_[axis] = static_cast<int>(along.size()) - 1;
  }
}

Partition Partition::between(const SplitPoints& split_points) const {
  Partition moved(split_points, periodic_);
  moved.block_of_rank_ = block_of_rank_;
  moved.rank_of_block_ = rank_of_block_;
  return moved;
}

Partition Partition::mapped(const std::vector<int>& block_of_rank) const {
  auto mapped = *this;
  mapped.block_of_rank_ = block_of_rank;
  mapped.rank_of_block_.resize(block_of_rank.size());
  int rank = 0;
  for (const int block : block_of_rank)
    mapped.rank_of_block_[static_cast<std::size_t>(block)] = rank++;
  return mapped;
}

Int3 Partition::coordinates(int rank) const {
  const int block = block_of_rank_.empty() ? rank : block_of_rank_[static_cast<std::size_t>(rank)];
  return {block % dims_[0], block / dims_[0] % dims_[1], block / (dims_[0] * dims_[1])};
}

Box Partition::owned(int rank) const {
  const auto at = coordinates(rank);
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto lower = split_points_[static_cast<std::size_t>(axis)].begin() + at[axis];
    box.lower[axis] = lower[0];
    box.upper[axis] = lower[1];
  }
  return box;
}

std::optional<int> Partition::neighbour(int rank, const Int3& direction) const {
  auto at = coordinates(rank);
  for (int axis = 0; axis < 3; ++axis) {
    at[axis] += direction[axis];
    const bool beyond = at[axis] < 0 || at[axis] >= dims_[axis];
    if (beyond && !periodic_[axis]) return std::nullopt;
    at[axis] = (at[axis] + dims_[axis]) % dims_[axis];
  }
  const int block = at[0] + dims_[0] * (at[1] + dims_[1] * at[2]);
  return rank_of_block_.empty() ? block : rank_of_block_[static_cast<std::size_t>(block)];
}

int Partition::thinnest(int axis) const {
  const auto& along = split_points_[static_cast<std::size_t>(axis)];
  int least = along.back();
  for (std::size_t block = 1; block < along.size(); ++block)
    least = std::min(least, along[block] - along[block - 1]);
  return least;
}

std::optional<Partition> Partition::coarsened(const Int3& factors, int halo) const {
  Partition coarse = *this;
  for (int axis = 0; axis < 3; ++axis) {
    const int factor = factors[axis];
    for (auto& point : coarse.split_points_[static_cast<std::size_t>(axis)])
      point = (point + factor - 1) / factor;
    coarse.cells_[axis] = coarse.split_points_[static_cast<std::size_t>(axis)].back();
    const bool has_neighbours = is_split(axis) || periodic_[axis];
    if (coarse.thinnest(axis) < (has_neighbours ? std::max(1, halo) : 1)) return std::nullopt;
  }
  return coarse;
}

double Partition::imbalance() const {
  std::int64_t largest = 1;
  for (const auto& along : split_points_) {
    int thickest = 0;
    for (std::size_t block = 1; block < along.size(); ++block)
      thickest = std::max(thickest, along[block] - along[block - 1]);
    largest *= thickest;
  }
  return static_cast<double>(largest) * ranks() / static_cast<double>(global().size());
}

std::vector<Box> blocks_of(const Partition& partition) {
  std::vector<Box> blocks;
  blocks.reserve(static_cast<std::size_t>(partition.ranks()));
  for (int rank = 0; rank < partition.ranks(); ++rank) blocks.push_back(partition.owned(rank));
  return blocks;
}

std::int64_t exchanged_cells(const Partition& partition) {
  const auto& cells = partition.cells();
  std::int64_t total = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int blocks = partition.dims()[axis];
    if (blocks == 1) continue;
    const std::int64_t plane = std::int64_t{cells[(axis + 1) % 3]} * cells[(axis + 2) % 3];
    const std::int64_t interfaces = partition.periodic()[axis] ? blocks : blocks - 1;
    total += 2 * interfaces * plane;
  }
  return total;
}

Partition make_partition(const Int3& cells, const Periodic& periodic, int ranks, int halo) {
  using Cost = std::tuple<std::int64_t, int, int>;  // surface, blocks along x, blocks along y
  std::optional<std::pair<Cost, Int3>> best;
  for (int x = 1; x <= ranks; ++x) {
    if (ranks % x != 0) continue;
    for (int y = 1; y <= ranks / x; ++y) {
      if (ranks / x % y != 0) continue;
      const Int3 dims{x, y, ranks / x / y};
      if (thin_axis(cells, periodic, dims, halo)) continue;
      const Cost cost{exchanged_cells({cells, periodic, dims}), x, y};
      if (!best || cost < best->first) best = {cost, dims};
    }
  }
  if (best) return {cells, periodic, best->second};
  throw Error(ExitCode::usage, {"cannot partition " + to_string(cells) + " cells into " +
                                    std::to_string(ranks) + " blocks",
                                "no product of three numbers gives blocks of at least " +
                                    std::to_string(halo) + " cells along every split axis",
                                "use fewer ranks or more cells"});
}

Partition make_partition(const Int3& cells, const Periodic& periodic, int ranks, int halo,
                         const Int3& dims) {
  check_count("parallel.ranks", dims, ranks);
  if (const auto axis = thin_axis(cells, periodic, dims, halo))
    refuse("parallel.ranks", *axis, cells[*axis], dims[*axis], halo,
           "use fewer ranks along that axis");
  return {cells, periodic, dims};
}

Partition make_partition(const SplitPoints& split_points, const Periodic& periodic, int ranks,
                         int halo) {
  Partition partition(split_points, periodic);
  check_count("parallel.split_points", partition.dims(), ranks);
  for (int axis = 0; axis < 3; ++axis) {
    if (!partition.is_split(axis) && !periodic[axis]) continue;
    if (partition.thinnest(axis) < halo)
      refuse("parallel.split_points", axis, partition.cells()[axis], partition.dims()[axis], halo,
             "move the split points apart");
  }
  return partition;
}

}  // namespace halotherm::comm
