// SPDX-License-Identifier: MIT
#include "app/problem/problem.hpp"

#include "app/problem/field_sampler.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

comm::SplitPoints split_points_of(const comm::Int3& cells,
                                  const std::array<std::vector<int>, 3>& cuts) {
  auto split_points = cuts;
  for (int axis = 0; axis < 3; ++axis) {
    auto& along = split_points[static_cast<std::size_t>(axis)];
    along.insert(along.begin(), 0);
    along.push_back(cells[axis]);
  }
  return split_points;
}

}  // namespace

solver::Grid make_grid(const GridConfig& config) {
  solver::Grid grid;
  grid.dimensions = static_cast<int>(config.cells.size());
  for (std::size_t axis = 0; axis < config.cells.size(); ++axis) {
    grid.cells[axis] = config.cells[axis];
    grid.lower[axis] = config.lower[axis];
    grid.upper[axis] = config.upper[axis];
  }
  return grid;
}

io::GridShape shape_of(const solver::Grid& grid) {
  return {.dimensions = grid.dimensions,
          .cells = grid.cells,
          .lower = grid.lower,
          .spacing = {grid.spacing(0), grid.spacing(1), grid.spacing(2)}};
}

comm::Periodic periodic_axes(const Config& config) {
  comm::Periodic periodic{false, false, false};
  for (std::size_t axis = 0; axis < config.grid.cells.size(); ++axis) {
    periodic[axis] = config.boundary[axis][0].type == BoundaryType::periodic;
  }
  return periodic;
}

comm::Partition make_partition(const Config& config, int ranks) {
  const auto cells = make_grid(config.grid).cells;
  const auto periodic = periodic_axes(config);
  const int halo = config.parallel.halo;
  if (config.parallel.split_points)
    return comm::make_partition(split_points_of(cells, *config.parallel.split_points), periodic,
                                ranks, halo);
  if (!config.parallel.ranks) return comm::make_partition(cells, periodic, ranks, halo);
  const auto& dims = *config.parallel.ranks;
  return comm::make_partition(cells, periodic, ranks, halo, {dims[0], dims[1], dims[2]});
}

comm::Partition make_partition(const Config& config, const std::vector<int>& nodes) {
  const auto cut = make_partition(config, static_cast<int>(nodes.size()));
  return config.parallel.rank_mapping == RankMapping::natural ? cut
                                                              : comm::mapped_by_nodes(cut, nodes);
}

int threads_worth(double cells_of_a_rank) {
  constexpr double cells_a_thread = 1 << 16;
  return static_cast<int>(std::clamp(cells_of_a_rank / cells_a_thread, 1.0, 1e6));
}

int threads_worth(const Config& config, int ranks) {
  const double slowness =
      depends_on_time(config.source) ? 64 : 1;  // of a step that evaluates a formula in every cell
  return threads_worth(slowness * static_cast<double>(make_grid(config.grid).cell_count()) / ranks);
}

std::vector<std::pair<std::string, const Quantity*>> quantities_on_cells(const Config& config) {
  const auto& material = config.material;
  std::vector<std::pair<std::string, const Quantity*>> all{
      {"material.density", &material.density},
      {"material.heat_capacity", &material.heat_capacity},
      {"source", &config.source},
      {"initial.temperature", &config.initial_temperature}};
  for (const auto& conductivity : material.conductivity)
    all.emplace_back("material.conductivity", &conductivity);
  return all;
}

solver::End end_of(const TimeConfig& config) {
  return {config.end, config.steps};
}

solver::Schedule schedule_of(const ScheduleConfig& config) {
  return {config.every, config.steps};
}

}  // namespace halotherm::app
