// SPDX-License-Identifier: MIT
#include "app/integrate/steps_together.hpp"

#include "app/integrate/plain_steps.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/best_time.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace halotherm::app {

namespace {

/// The most steps at once that `auto` tries.
constexpr int most_tried = 4;
/// On GPUs several passes in a row: an exchange that an interior keeps waiting shows then only.
constexpr comm::Repeats few{
    .timings = 2, .calls = comm::kernels_run_on_host ? 1 : 4, .warm_ups = 1};
/// Of submissions: the first calls take single steps, and make the recordings.
constexpr comm::Repeats recorded{.timings = 3, .calls = 4, .warm_ups = 3};

[[noreturn]] void refuse(long configured, const std::string& reason) {
  throw comm::CollectiveError(
      comm::ExitCode::usage,
      {"time.fused_steps: is " + std::to_string(configured), reason, "set auto, or 1"});
}

/// Of a step as a run takes it: one of many that are submitted where it is short. Those are of
/// length 0, so the temperature keeps its values.
template <class Real>
double seconds_of_step(Integrator<Real>& integrator, solver::State<Real>& state, double dt,
                       const TimeConfig& config) {
  constexpr std::int64_t never = std::int64_t{1} << 40;
  const auto& world = integrator.domain().world;
  const auto fence = [&] { integrator.streams().fence(); };
  const double seconds =
      best_time(
          world, few, [&] { integrator.try_together(state.temperature(), dt); }, fence) /
      integrator.together();
  PlainSteps<Real> plain(integrator, most_submitted_steps(integrator, config, true, seconds));
  if (plain.submitted() == 1) return seconds;
  const auto timers = std::exchange(integrator.timers(), PhaseTimers({never, never}));
  const auto take = [&] {
    if (plain.take(state, 0, plain.submitted()) == 0) integrator.advance(state, 0, 0);
  };
  const double submission = best_time(world, recorded, take, fence);
  integrator.timers() = timers;
  return submission / plain.submitted();
}

/// A way to take steps, and how long one takes.
struct Trial {
  int steps = 1;
  bool divides = true;
  double seconds = comm::no_time_yet;
};

/// The faster one of passes that compute the interior beside the exchange, and of those that
/// compute the block as a whole after it: a shell of thin boxes, and on GPUs an exchange for which
/// the interior leaves no room, may take longer than the exchange.
template <class Real>
Trial try_steps(Integrator<Real>& integrator, solver::State<Real>& state, double dt,
                const Config& config, int steps) {
  Trial best;
  const auto& domain = integrator.domain();
  const bool has_choice = domain.world.any(steps > 1 && !domain.halo.plan().messages.empty());
  for (const bool divides : {true, false}) {
    if (!divides && !has_choice) break;
    integrator.set_together(steps, config.parallel.halo, divides);
    const double seconds = seconds_of_step(integrator, state, dt, config.time);
    if (seconds < best.seconds) best = {steps, divides, seconds};
  }
  return best;
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
TrialsTogether choose_steps_together(Integrator<Real>& integrator, solver::State<Real>& state,
                                     double dt, const Config& config, bool measures) {
  if (config.time.integrator != solver::Method::euler) return {};
  const int layers = config.parallel.halo;
  const int most = integrator.most_together();
  const auto& configured = config.time.fused_steps;
  if (configured && *configured > most) refuse(*configured, integrator.reason_for_single_steps());
  const int fewest = static_cast<int>(configured.value_or(1));
  const int last = configured ? fewest : std::min(most, most_tried);
  integrator.set_together(fewest, layers);
  if (!measures || last == 1) return {};
  TrialsTogether trials;
  Trial best;
  for (int steps = fewest; steps <= last; ++steps) {
    const auto trial = try_steps(integrator, state, dt, config, steps);
    trials.push_back(trial.seconds);
    if (trial.seconds < best.seconds) best = trial;
  }
  integrator.set_together(best.steps, layers, best.divides);
  return configured ? TrialsTogether() : trials;
}

template TrialsTogether choose_steps_together(Integrator<float>&, solver::State<float>&, double,
                                              const Config&, bool);
template TrialsTogether choose_steps_together(Integrator<double>&, solver::State<double>&, double,
                                              const Config&, bool);

}  // namespace halotherm::app
