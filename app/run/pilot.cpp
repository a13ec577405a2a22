// SPDX-License-Identifier: MIT
#include "app/run/pilot.hpp"

#include "app/domain/geometry.hpp"
#include "app/integrate/implicit_steps.hpp"
#include "app/integrate/integrator.hpp"
#include "app/integrate/time_step_size.hpp"
#include "comm/mpi/sub_communicator.hpp"

#include <cmath>
#include <utility>

namespace halotherm::app {

namespace {

constexpr int fewest_cells = 4;  ///< along an even axis

/// Without every second face where it divides two cells of equal width.
std::vector<double> joined(const std::vector<double>& faces) {
  constexpr double alike = 1e-6;
  std::vector<double> result{faces.front()};
  for (std::size_t n = 1; n < faces.size(); ++n) {
    const bool has_next = n + 1 < faces.size();
    const double width = faces[n] - result.back();
    if (has_next && std::abs(faces[n + 1] - faces[n] - width) < alike * width) ++n;
    result.push_back(faces[n]);
  }
  return result;
}

/// Joins cells along one axis; false if none can be.
bool join_along(GridConfig& grid, std::size_t axis) {
  auto& cells = grid.cells[axis];
  if (!grid.faces[axis]) {
    if (cells < 2 * fewest_cells) return false;
    cells = (cells + 1) / 2;
    return true;
  }
  const auto faces = joined(*grid.faces[axis]);
  if (faces.size() == grid.faces[axis]->size()) return false;
  cells = static_cast<int>(faces.size()) - 1;
  grid.faces[axis] = std::make_shared<const std::vector<double>>(faces);
  return true;
}

double cells_of(const GridConfig& grid) {
  double cells = 1;
  for (const int extent : grid.cells) cells *= extent;
  return cells;
}

}  // namespace

Config coarser(const Config& config, double cells) {
  auto result = config;
  std::vector<bool> may_join(result.grid.cells.size(), true);
  while (cells_of(result.grid) > cells) {
    std::optional<std::size_t> longest;
    for (std::size_t axis = 0; axis < may_join.size(); ++axis) {
      if (may_join[axis] && (!longest || result.grid.cells[axis] > result.grid.cells[*longest]))
        longest = axis;
    }
    if (!longest) break;
    may_join[*longest] = join_along(result.grid, *longest);
  }
  result.parallel.ranks.reset();
  result.parallel.split_points.reset();
  return result;
}

struct Pilot::Parts {
  explicit Parts(const Config& the_config)
      : config(the_config),
        alone(comm::this_rank_alone()),
        domain(alone, config, make_partition(config, 1)),
        problem(domain, config),
        bounds(step_bounds(alone, problem.equation, problem.boundary)),
        start(problem.initial_temperature(config)) {}

  Config config;
  comm::Communicator alone;
  comm::Streams streams;
  Domain<double> domain;
  Problem<double> problem;
  StepBounds bounds;
  std::vector<double> start;

  std::vector<double> run(const TimeConfig& time, int steps);
};

std::vector<double> Pilot::Parts::run(const TimeConfig& time, int steps) {
  Integrator<double> integrator(streams, domain, problem, scheme_of(time, bounds));
  solver::State<double> state(Integrator<double>::quantities(), domain.owned, domain.ghosts);
  solver::copy_from_host<double>(start, state);
  solver::Clock clock(choose_dt(time, bounds), end_of(time));
  std::optional<ImplicitSteps<double>> implicit;
  auto with_time = config;
  with_time.time = time;
  if (solver::is_implicit(time.integrator))
    implicit.emplace(streams, domain, problem, integrator.scratch(), with_time);
  std::vector<double> all, values(start.size());
  while (!clock.finished()) {
    if (implicit) {
      implicit->take(state, clock, nullptr);
    } else {
      integrator.advance(state, clock.time(), clock.dt());
      clock.advance();
    }
    if (clock.step() * samples % steps != 0) continue;
    streams.fence();
    solver::copy_to_host<double>(state.temperature(), domain.owned, values);
    all.insert(all.end(), values.begin(), values.end());
  }
  problem.check_conditions();
  return all;
}

Pilot::Pilot(const Config& config) {
  auto own = config;
  own.grid.precision = Precision::float64;
  parts_ = std::make_unique<Parts>(own);
}

Pilot::~Pilot() = default;

std::optional<std::vector<double>> Pilot::run(solver::Method method, int steps) {
  auto time = parts_->config.time;
  time.integrator = method;
  time.dt = *time.end / steps;
  time.tolerance.reset();
  try {
    auto values = parts_->run(time, steps);
    if (values.size() == samples * parts_->start.size()) return values;
  } catch (const comm::CollectiveError&) {
  }
  return std::nullopt;
}

}  // namespace halotherm::app
