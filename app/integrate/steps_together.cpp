// SPDX-License-Identifier: MIT
#include "app/integrate/steps_together.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/best_time.hpp"

#include <algorithm>
#include <string>

namespace halotherm::app {

namespace {

/// The most steps at once that `auto` tries.
constexpr int most_tried = 4;
constexpr comm::Repeats few{.timings = 2, .calls = 1, .warm_ups = 1};

[[noreturn]] void refuse(long configured, const std::string& reason) {
  throw comm::CollectiveError(
      comm::ExitCode::usage,
      {"time.fused_steps: is " + std::to_string(configured), reason, "set auto, or 1"});
}

/// Whether single steps, submitted many at a time, are at least as fast as several in a pass
/// (ADR 50).
template <class Real>
bool is_small_alone(const Integrator<Real>& integrator) {
  constexpr std::int64_t small = 2'200'000;  // cells
  const auto& domain = integrator.domain();
  return !comm::kernels_run_on_host && domain.owned.size() <= small &&
         domain.halo.plan().messages.empty() && integrator.can_be_recorded();
}

}  // namespace

HaloSettings halo_for_steps_together(const Config& config, const comm::Partition& partition) {
  auto settings = halo_settings_of(config);
  const auto& time = config.time;
  const bool may = time.integrator == solver::Method::euler && config.dimensions() > 1;
  int layers = may ? static_cast<int>(time.fused_steps.value_or(most_tried)) : 1;
  for (int axis = 0; axis < config.dimensions(); ++axis) {
    if (partition.dims()[axis] > 1 || partition.periodic()[axis])
      layers = std::min(layers, partition.thinnest(axis));
  }
  settings.width = std::max(settings.width, layers);
  return settings;
}

template <class Real>
TrialsTogether choose_steps_together(Integrator<Real>& integrator, solver::Field<Real>& temperature,
                                     double dt, const Config& config, bool measures) {
  if (config.time.integrator != solver::Method::euler) return {};
  const auto& domain = integrator.domain();
  const int layers = config.parallel.halo;
  const int most = integrator.most_together();
  if (const auto& configured = config.time.fused_steps) {
    if (*configured > most) refuse(*configured, integrator.reason_for_single_steps());
    integrator.set_together(static_cast<int>(*configured), layers);
    return {};
  }
  TrialsTogether seconds;
  int best = 1;
  const bool tries = measures && most > 1 && !is_small_alone(integrator);
  for (int steps = 1; tries && steps <= std::min(most, most_tried); ++steps) {
    integrator.set_together(steps, layers);
    seconds.push_back(best_time(
                          domain.world, few, [&] { integrator.try_together(temperature, dt); },
                          [&] { integrator.streams().fence(); }) /
                      steps);
    if (seconds.back() < seconds[static_cast<std::size_t>(best - 1)]) best = steps;
  }
  integrator.set_together(best, layers);
  return seconds;
}

template TrialsTogether choose_steps_together(Integrator<float>&, solver::Field<float>&, double,
                                              const Config&, bool);
template TrialsTogether choose_steps_together(Integrator<double>&, solver::Field<double>&, double,
                                              const Config&, bool);

}  // namespace halotherm::app
