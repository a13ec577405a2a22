// SPDX-License-Identifier: MIT
#include "comm/decomposition.hpp"

#include "comm/error.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace halotherm::comm {

namespace {

constexpr const char* axis_names = "xyz";

std::string to_string(const Int3& numbers) {
  return std::to_string(numbers[0]) + " x " + std::to_string(numbers[1]) + " x " + std::to_string(numbers[2]);
}

/// The first cell of block `index` of `blocks`: even to within one cell.
int block_start(int cells, int blocks, int index) {
  return static_cast<int>(std::int64_t{cells} * index / blocks);
}

/// Why the cut cannot be, or nothing.
std::string objection(const Int3& cells, const Periodic& periodic, const Int3& dims, int halo) {
  for (int axis = 0; axis < 3; ++axis) {
    if (dims[axis] == 1 && !periodic[axis]) continue;
    if (cells[axis] / dims[axis] < halo) {
      return std::to_string(dims[axis]) + " blocks along " + axis_names[axis] + " (its " + std::to_string(cells[axis]) +
             " cells give blocks thinner than the " + std::to_string(halo) + " ghost cells that a neighbour needs)";
    }
  }
  return {};
}

}  // namespace

Decomposition::Decomposition(const Int3& cells, const Periodic& periodic, const Int3& dims)
    : cells_(cells), periodic_(periodic), dims_(dims) {
  if (const auto why = objection(cells, periodic, dims, 1); !why.empty()) throw Error(ExitCode::usage, "cannot make " + why);
}

Int3 Decomposition::coordinates(int rank) const {
  return {rank % dims_[0], rank / dims_[0] % dims_[1], rank / (dims_[0] * dims_[1])};
}

Box Decomposition::owned(int rank) const {
  const auto at = coordinates(rank);
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = block_start(cells_[axis], dims_[axis], at[axis]);
    box.upper[axis] = block_start(cells_[axis], dims_[axis], at[axis] + 1);
  }
  return box;
}

std::optional<int> Decomposition::neighbour(int rank, const Int3& direction) const {
  auto at = coordinates(rank);
  for (int axis = 0; axis < 3; ++axis) {
    at[axis] += direction[axis];
    const bool beyond = at[axis] < 0 || at[axis] >= dims_[axis];
    if (beyond && !periodic_[axis]) return std::nullopt;
    at[axis] = (at[axis] + dims_[axis]) % dims_[axis];
  }
  return at[0] + dims_[0] * (at[1] + dims_[1] * at[2]);
}

double Decomposition::imbalance() const {
  double largest = 1;
  double mean = 1;
  for (int axis = 0; axis < 3; ++axis) {
    largest *= static_cast<double>((cells_[axis] + dims_[axis] - 1) / dims_[axis]);
    mean *= static_cast<double>(cells_[axis]) / dims_[axis];
  }
  return largest / mean;
}

std::int64_t exchanged_cells(const Decomposition& decomposition) {
  const auto& cells = decomposition.cells();
  std::int64_t total = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int blocks = decomposition.dims()[axis];
    if (blocks == 1) continue;
    const std::int64_t plane = std::int64_t{cells[(axis + 1) % 3]} * cells[(axis + 2) % 3];
    const std::int64_t interfaces = decomposition.periodic()[axis] ? blocks : blocks - 1;
    total += 2 * interfaces * plane;
  }
  return total;
}

Decomposition decompose(const Int3& cells, const Periodic& periodic, int ranks, int halo) {
  using Cost = std::tuple<std::int64_t, int, int>;  // surface, then cuts across x, then across y
  std::optional<std::pair<Cost, Int3>> best;
  for (int x = 1; x <= ranks; ++x) {
    if (ranks % x != 0) continue;
    for (int y = 1; y <= ranks / x; ++y) {
      if (ranks / x % y != 0) continue;
      const Int3 dims{x, y, ranks / x / y};
      if (!objection(cells, periodic, dims, halo).empty()) continue;
      const Cost cost{exchanged_cells({cells, periodic, dims}), x, y};
      if (!best || cost < best->first) best = {cost, dims};
    }
  }
  if (!best) {
    throw Error(ExitCode::usage, "cannot cut " + to_string(cells) + " cells into " + std::to_string(ranks) +
                                     " blocks (no product of three numbers gives blocks of at least " + std::to_string(halo) +
                                     " cells along every cut axis) use fewer ranks or more cells");
  }
  return {cells, periodic, best->second};
}

Decomposition decompose(const Int3& cells, const Periodic& periodic, int ranks, int halo, const Int3& dims) {
  if (std::int64_t{dims[0]} * dims[1] * dims[2] != ranks) {
    throw Error(ExitCode::usage, "parallel.ranks gives " + to_string(dims) + " blocks (the job has " + std::to_string(ranks) +
                                     " ranks) set it to auto or start as many ranks");
  }
  if (const auto why = objection(cells, periodic, dims, halo); !why.empty()) {
    throw Error(ExitCode::usage, "parallel.ranks: cannot make " + why + " use fewer ranks along that axis");
  }
  return {cells, periodic, dims};
}

}  // namespace halotherm::comm
