// SPDX-License-Identifier: MIT
#include "app/run/pilot.hpp"

#include "app/domain/geometry.hpp"
#include "app/integrate/adaptive_steps.hpp"
#include "app/integrate/implicit_steps.hpp"
#include "app/integrate/integrator.hpp"
#include "app/integrate/time_step_size.hpp"
#include "comm/mpi/error.hpp"
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
        bounds(step_bounds(alone, problem.equation, problem.boundary, problem.source_fall)),
        start(problem.initial_temperature(config)) {}

  Config config;
  comm::Communicator alone;
  comm::Streams streams;
  Domain<double> domain;
  Problem<double> problem;
  StepBounds bounds;
  std::vector<double> start;

  /// By this method, with a tolerance or without.
  TimeConfig time_of(solver::Method method, std::optional<double> tolerance) const;
};

TimeConfig Pilot::Parts::time_of(solver::Method method, std::optional<double> tolerance) const {
  auto time = config.time;
  time.integrator = method;
  time.dt.reset();
  time.tolerance = tolerance;
  return time;
}

/// A run on its way from the start to the end.
class Pilot::Course {
 public:
  /// `parts` must outlive it. Throws CollectiveError if a step of `time.dt` is too long.
  Course(Parts& parts, const TimeConfig& time)
      : parts_(parts),
        end_(*time.end),
        integrator_(parts.streams, parts.domain, parts.problem, scheme_of(time, parts.bounds)),
        state_(Integrator<double>::quantities(), parts.domain.owned, parts.domain.ghosts),
        clock_(choose_dt(time, parts.bounds), end_of(time)) {
    solver::copy_from_host<double>(parts.start, state_);
    auto config = parts.config;
    config.time = time;
    StepAttempts<double>* steps = &integrator_;
    if (solver::is_implicit(time.integrator)) {
      implicit_.emplace(parts.streams, parts.domain, parts.problem, integrator_.scratch(), config);
      steps = &*implicit_;
    }
    if (time.tolerance) adaptive_.emplace(time, parts.bounds, *steps, parts.problem, state_);
  }

  bool finished() const { return clock_.finished(); }
  /// Steps that were taken, and those that were taken again.
  std::int64_t trials() const { return clock_.step() + rejected(); }
  void set_dt(double dt) { clock_.set_full_dt(dt); }

  void take_step() {
    if (adaptive_) return adaptive_->take(state_, clock_, [] { return nullptr; });
    if (implicit_) return implicit_->take(state_, clock_, nullptr);
    integrator_.advance(state_, clock_.time(), clock_.dt());
    clock_.advance();
  }

  /// The last steps, since `noted`, count as one.
  void note() {
    run_.lengths.push_back(clock_.time() - noted_);
    noted_ = clock_.time();
    const double parts_done = samples * noted_ / end_ * (1 + rounding);
    if (parts_done < next_sample_ && !finished()) return;
    next_sample_ = std::floor(parts_done) + 1;
    parts_.streams.fence();
    std::vector<double> values(parts_.start.size());
    solver::copy_to_host<double>(state_.temperature(), parts_.domain.owned, values);
    run_.temperatures.insert(run_.temperatures.end(), values.begin(), values.end());
  }

  PilotRun end() {
    parts_.problem.check_conditions();
    run_.rejected = rejected();
    return std::move(run_);
  }

 private:
  static constexpr double rounding = 1e-9;

  std::int64_t rejected() const { return adaptive_ ? adaptive_->counts().rejected : 0; }

  Parts& parts_;
  double end_;
  Integrator<double> integrator_;
  solver::State<double> state_;
  solver::Clock clock_;
  std::optional<ImplicitSteps<double>> implicit_;
  std::optional<AdaptiveSteps<double>> adaptive_;
  double noted_ = 0, next_sample_ = 1;
  PilotRun run_;
};

Pilot::Pilot(const Config& config) {
  auto own = config;
  own.grid.precision = Precision::float64;
  parts_ = std::make_unique<Parts>(own);
}

Pilot::~Pilot() = default;

double Pilot::cells() const {
  return cells_of(parts_->config.grid);
}

double Pilot::first_dt() const {
  return choose_dt(parts_->time_of(solver::Method::euler, std::nullopt), parts_->bounds);
}

/// Takes all steps of a run; nothing if one of them fails.
template <class TakeSteps>
std::optional<PilotRun> Pilot::run(const TimeConfig& time, TakeSteps&& take_steps) const {
  try {
    Course course(*parts_, time);
    take_steps(course);
    if (course.finished()) return course.end();
  } catch (const comm::CollectiveError&) {
  }
  return std::nullopt;
}

std::optional<PilotRun> Pilot::run(solver::Method method, int steps) const {
  auto time = parts_->time_of(method, std::nullopt);
  time.dt = *time.end / steps;
  auto result = run(time, [](Course& course) {
    while (!course.finished()) {
      course.take_step();
      course.note();
    }
  });
  if (result && result->temperatures.size() != samples * parts_->start.size()) result.reset();
  return result;
}

std::optional<PilotRun> Pilot::run_within(solver::Method method, double tolerance,
                                          std::int64_t most_trials) const {
  return run(parts_->time_of(method, tolerance), [&](Course& course) {
    while (!course.finished() && course.trials() < most_trials) {
      course.take_step();
      course.note();
    }
  });
}

std::optional<PilotRun> Pilot::run_halved(solver::Method method,
                                          const std::vector<double>& lengths) const {
  auto time = parts_->time_of(method, std::nullopt);
  time.dt = lengths.front() / 2;
  return run(time, [&](Course& course) {
    for (const double length : lengths) {
      course.set_dt(length / 2);
      course.take_step();
      course.take_step();
      course.note();
    }
  });
}

std::unique_ptr<Pilot> make_pilot(const comm::Communicator& world, const Config& config) {
  constexpr double fewest = 4096;
  const double all_cells = cells_of(config.grid);
  for (double most = fewest;; most *= 8) {
    std::unique_ptr<Pilot> pilot;
    std::optional<comm::CollectiveError> failure;
    try {
      pilot = std::make_unique<Pilot>(coarser(config, most));
    } catch (const comm::CollectiveError& error) {
      failure = error;
    }
    if (!world.any(failure.has_value())) return pilot;
    if (most >= all_cells) {
      comm::agree(world, [&] {
        if (failure) throw comm::Error(*failure);
      });
    }
  }
}

}  // namespace halotherm::app
