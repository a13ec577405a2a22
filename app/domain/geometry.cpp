// SPDX-License-Identifier: MIT
#include "app/domain/geometry.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

comm::SplitPoints with_ends(comm::SplitPoints split_points, const comm::Int3& cells) {
  for (int axis = 0; axis < 3; ++axis) {
    auto& along = split_points[static_cast<std::size_t>(axis)];
    along.insert(along.begin(), 0);
    along.push_back(cells[axis]);
  }
  return split_points;
}

}  // namespace

solver::Grid make_grid(const Config& config) {
  const auto& given = config.grid;
  solver::Grid grid;
  grid.dimensions = config.dimensions();
  for (std::size_t axis = 0; axis < given.cells.size(); ++axis) {
    grid.cells[axis] = given.cells[axis];
    grid.lower[axis] = given.lower[axis];
    grid.upper[axis] = given.upper[axis];
    grid.faces[axis] = given.faces[axis];
    grid.periodic[axis] = config.sides[axis][0].periodic;
  }
  return grid;
}

io::GridShape shape_of(const solver::Grid& grid) {
  return {.dimensions = grid.dimensions,
          .cells = grid.cells,
          .lower = grid.lower,
          .spacing = {grid.spacing(0), grid.spacing(1), grid.spacing(2)},
          .faces = grid.faces};
}

comm::Periodic periodic_axes(const Config& config) {
  comm::Periodic periodic{false, false, false};
  for (std::size_t axis = 0; axis < config.grid.cells.size(); ++axis) {
    periodic[axis] = config.sides[axis][0].periodic;
  }
  return periodic;
}

comm::Partition make_partition(const Config& config, int ranks) {
  const auto cells = make_grid(config).cells;
  const auto periodic = periodic_axes(config);
  const int halo = config.parallel.halo;
  if (config.parallel.split_points)
    return comm::make_partition(with_ends(*config.parallel.split_points, cells), periodic, ranks,
                                halo);
  if (!config.parallel.ranks) return comm::make_partition(cells, periodic, ranks, halo);
  const auto& dims = *config.parallel.ranks;
  return comm::make_partition(cells, periodic, ranks, halo, {dims[0], dims[1], dims[2]});
}

comm::Partition make_partition(const Config& config, const std::vector<int>& nodes) {
  const auto partition = make_partition(config, static_cast<int>(nodes.size()));
  return config.parallel.rank_mapping == RankMapping::natural
             ? partition
             : comm::mapped_by_nodes(partition, nodes);
}

}  // namespace halotherm::app
