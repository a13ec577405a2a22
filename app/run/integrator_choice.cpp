// SPDX-License-Identifier: MIT
#include "app/run/integrator_choice.hpp"

#include "app/config/material_tables.hpp"
#include "app/config/patches.hpp"
#include "app/domain/geometry.hpp"
#include "app/integrate/time_step_size.hpp"
#include "app/problem/region_quantities.hpp"
#include "app/run/forecast.hpp"
#include "app/run/implicit_trial.hpp"
#include "app/run/pilot.hpp"
#include "comm/mpi/error.hpp"
#include "solver/integrators/step_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace halotherm::app {

namespace {

using solver::Method;

struct Kind : MethodOrder {
  bool adapts = false;  ///< the lengths of its steps follow a tolerance
};
constexpr Kind kinds[] = {{{Method::euler, 1}},          {{Method::rk2, 2}},
                          {{Method::rkl2, 2}},           {{Method::backward_euler, 1}},
                          {{Method::crank_nicolson, 2}}, {{Method::tr_bdf2, 2}},
                          {{Method::tr_bdf2, 2}, true},  {{Method::backward_euler, 1}, true},
                          {{Method::rkl2, 2}, true}};

/// The configuration of runs by one method.
Config with_method(Config config, Method method, std::optional<double> dt) {
  config.time.integrator = method;
  config.time.dt = dt;
  config.time.tolerance.reset();
  return config;
}

/// From a quarter of a run to the next one, lengths that stand for those of all steps.
std::vector<double> typical_lengths(const std::vector<double>& all) {
  constexpr std::size_t parts = 4;
  std::vector<double> lengths;
  for (std::size_t part = 0; part < parts; ++part)
    lengths.push_back(all[(2 * part + 1) * all.size() / (2 * parts)]);
  return lengths;
}

/// The pilot has other cells than a data set fits.
void require_no_files(const Config& config) {
  const auto refuse = [](const std::string& key) {
    throw comm::CollectiveError(comm::ExitCode::usage,
                                {key + ": a data set stands beside time.integrator: auto",
                                 "errors are measured on other cells than it has",
                                 "give a formula, or name the integrator and time.dt"});
  };
  for (const auto& [key, quantity] : quantities_on_cells(config)) {
    if (std::holds_alternative<FileDataset>(quantity)) refuse(key);
  }
  for (std::size_t n = 0; n < config.regions.size(); ++n) {
    if (config.regions[n].labels) refuse(fmt::format("regions[{}].labels", n));
  }
}

template <class Real>
class Chooser {
 public:
  Chooser(const comm::Communicator& world, const Config& config, const comm::Partition& partition)
      : world_(world), config_(config), partition_(partition) {
    choice_.end = *config.time.end;
    choice_.tolerance = *config.time.tolerance;
    choice_.cells = static_cast<double>(partition.global().size());
  }

  IntegratorChoice choose() {
    const auto pilot = make_pilot(world_, with_method(config_, Method::euler, std::nullopt));
    choice_.pilot_cells = pilot->cells();
    ErrorSearch errors(world_, *pilot, choice_.tolerance);
    bounds_ = predicted_bounds<Real>(world_, with_method(config_, Method::euler, std::nullopt),
                                     partition_);
    for (const auto& kind : kinds) {
      choice_.candidates.push_back({.method = kind.method, .measured = {}, .reason = {}});
      if (has_bound(choice_.candidates.size() - 1)) predict_by_bound(choice_.candidates.back());
    }
    double shortest = std::numeric_limits<double>::infinity();
    for (const auto place : by_bound()) {
      auto& candidate = choice_.candidates[place];
      if (candidate.seconds() >= shortest) continue;  // already by its bound
      const bool implicit = solver::is_implicit(candidate.method);
      const double own = implicit ? shortest : candidate.seconds();
      if (kinds[place].adapts) {
        if (is_slower_by_bound(candidate, shortest)) continue;
        predict_adaptive(candidate, errors.measure_tolerance(kinds[place], shortest),
                         pilot->first_dt());
      } else {
        candidate.measured = errors.measure(kinds[place], std::min(own, shortest));
        if (implicit) predict_implicit(candidate);
        if (!implicit) predict_explicit(candidate);
      }
      if (candidate.steps > 0) shortest = std::min(shortest, candidate.seconds());
    }
    choice_.best = best_of(choice_.candidates);
    return choice_;
  }

 private:
  /// Whether a candidate has equal steps that a bound limits.
  static bool has_bound(std::size_t place) {
    return !solver::is_implicit(kinds[place].method) && !kinds[place].adapts;
  }
  /// Those with a bound, the shortest first, then the others.
  std::vector<std::size_t> by_bound() const {
    std::vector<std::size_t> order(choice_.candidates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto bound = [&](std::size_t place) {
      return has_bound(place) ? choice_.candidates[place].seconds()
                              : std::numeric_limits<double>::infinity();
    };
    std::ranges::stable_sort(order, {}, bound);
    return order;
  }

  TimeConfig time_of(Method method) const {
    auto time = with_method(config_, method, std::nullopt).time;
    if (method == Method::rkl2) time.stages = solver::Scheme::most_stages;
    return time;
  }

  void predict_by_bound(Candidate& candidate) {
    candidate.least_steps = steps_of(longest_dt(time_of(candidate.method), bounds_));
    set_steps(candidate, candidate.least_steps);
    least_seconds_[candidate.method] = candidate.seconds();
  }

  void predict_explicit(Candidate& candidate) {
    const auto steps = steps_for_error(candidate);
    if (steps > candidate.least_steps) set_steps(candidate, steps);
  }

  /// Times steps of this length.
  void set_steps(Candidate& candidate, std::int64_t steps) {
    candidate.steps = steps;
    const double dt = choice_.end / static_cast<double>(steps);
    candidate.stages = scheme_of(time_of(candidate.method), bounds_).stages(dt);
    candidate.step_seconds = trial_cost<Real>(world_, with_method(config_, candidate.method, dt),
                                              partition_, candidate.stages)
                                 .at_least();
  }

  void predict_implicit(Candidate& candidate) {
    if (candidate.measured.steps == 0) {
      candidate.reason = "it does not solve this problem";
      return;
    }
    const auto steps = steps_for_error(candidate);
    const double dt = choice_.end / static_cast<double>(steps);
    time_steps(candidate, steps, with_method(config_, candidate.method, dt),
               [](auto& trial) { return trial.seconds_of_equal_steps(); });
  }

  /// Whether no run of an explicit method can be as short: no steps take fewer stages than the
  /// longest ones.
  bool is_slower_by_bound(Candidate& candidate, double shortest) const {
    const auto by_bound = least_seconds_.find(candidate.method);
    if (by_bound == least_seconds_.end() || by_bound->second < shortest) return false;
    candidate.reason = "slower by its bound, with steps of any length";
    return true;
  }

  /// Steps grow to the pilot's first one by most_growth each.
  void predict_adaptive(Candidate& candidate, const MeasuredTolerance& found, double pilot_dt) {
    const auto& lengths = found.run.lengths;
    if (lengths.empty()) {
      candidate.reason = "steps that follow a tolerance were not found";
      return;
    }
    const double growth = pilot_dt / longest_dt(time_of(Method::euler), bounds_);
    const double first_steps =
        std::log(std::max(1.0, growth)) / std::log(solver::StepControl::most_growth);
    const auto more_steps =
        found.run.rejected + world_.max(static_cast<std::int64_t>(std::ceil(first_steps)));
    candidate.measured = {.steps = static_cast<std::int64_t>(lengths.size()), .error = found.error};
    candidate.step_tolerance = found.tolerance;
    candidate.longest_step = *std::ranges::max_element(lengths);
    if (!solver::is_implicit(candidate.method))
      return predict_stages(candidate, lengths, more_steps);
    auto config = with_method(config_, candidate.method, std::nullopt);
    config.time.tolerance = found.tolerance;
    time_steps(candidate, static_cast<std::int64_t>(lengths.size()) + more_steps, config,
               [&](auto& trial) { return trial.seconds_of_steps(typical_lengths(lengths)); });
  }

  /// The real grid's bound cuts long steps into several, and their stages follow from their
  /// lengths. An estimate moves about as much as a stage.
  void predict_stages(Candidate& candidate, const std::vector<double>& lengths,
                      std::int64_t more_steps) {
    const auto time = time_of(candidate.method);
    const double longest = longest_dt(time, bounds_);
    const auto scheme = scheme_of(time, bounds_);
    const auto parts = [&](double length) { return std::ceil(length / longest * (1 - 1e-12)); };
    double seconds = 0;
    const auto typical = typical_lengths(lengths);
    for (const double length : typical) {
      const double dt = length / parts(length);
      const int stages = scheme.stages(dt);
      const double cost =
          trial_cost<Real>(world_, with_method(config_, candidate.method, dt), partition_, stages)
              .at_least();
      seconds += parts(length) * cost * (stages + 1) / stages / static_cast<double>(typical.size());
    }
    candidate.longest_step = std::min(candidate.longest_step, longest);
    candidate.stages = scheme.stages(candidate.longest_step);
    candidate.steps = more_steps;
    for (const double length : lengths) candidate.steps += std::llround(parts(length));
    const auto pilot_steps = static_cast<double>(lengths.size()) + static_cast<double>(more_steps);
    candidate.step_seconds = seconds * pilot_steps / static_cast<double>(candidate.steps);
  }

  template <class Seconds>
  void time_steps(Candidate& candidate, std::int64_t steps, const Config& config,
                  Seconds&& seconds_of) {
    try {
      ImplicitTrial<Real> trial(world_, config);
      choice_.trial_cells = trial.cells();
      candidate.step_seconds = seconds_of(trial) * choice_.cells / trial.cells();
      candidate.steps = steps;
    } catch (const comm::CollectiveError& error) {
      candidate.reason = error.what();
    }
  }

  /// Powers may differ in their last digit between processors.
  std::int64_t steps_for_error(const Candidate& candidate) const {
    return world_.max(candidate.measured.steps_for(choice_.tolerance));
  }

  std::int64_t steps_of(double dt) const {
    return static_cast<std::int64_t>(std::ceil(choice_.end / dt * (1 - 1e-12)));
  }

  const comm::Communicator& world_;
  const Config& config_;
  const comm::Partition& partition_;
  StepBounds bounds_;
  std::map<Method, double> least_seconds_;  ///< of explicit methods, by their bound
  IntegratorChoice choice_;
};

}  // namespace

std::size_t best_of(const std::vector<Candidate>& candidates) {
  std::size_t best = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    if (candidates[n].steps == 0 || !(candidates[n].seconds() < shortest)) continue;
    best = n;
    shortest = candidates[n].seconds();
  }
  return best;
}

IntegratorChoice choose_integrator(const comm::Communicator& world, const Config& config,
                                   const comm::Partition& partition) {
  require_no_files(config);
  if (config.grid.precision == Precision::float64)
    return Chooser<double>(world, config, partition).choose();
  return Chooser<float>(world, config, partition).choose();
}

Config with_choice(Config config, const IntegratorChoice& choice) {
  const auto& best = choice.candidates.at(choice.best);
  const bool by_bound = best.steps == best.least_steps && best.method != Method::rkl2 &&
                        !solver::is_implicit(best.method);
  std::optional<double> dt;
  if (!by_bound && best.step_tolerance == 0) dt = choice.end / static_cast<double>(best.steps);
  config = with_method(std::move(config), best.method, dt);
  if (best.step_tolerance > 0) config.time.tolerance = best.step_tolerance;
  return config;
}

}  // namespace halotherm::app
