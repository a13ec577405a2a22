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

/// The most steps at once that `auto` tries. Small blocks of GPUs take most of a step to begin a
/// kernel or to exchange ghost cells.
int most_tried(const comm::Partition& partition) {
  constexpr std::int64_t small = 2'000'000;  // cells a block
  constexpr int usual = 4, many = 8;
  const bool are_small = partition.global().size() <= small * partition.ranks();
  return !comm::kernels_run_on_host && partition.ranks() > 1 && are_small ? many : usual;
}

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

/// Of a step as a run takes it: one of many that are submitted where it is short. They are of
/// length 0, so the temperature keeps its values.
template <class Real>
double seconds_of_step(Integrator<Real>& integrator, solver::State<Real>& state,
                       const TimeConfig& config) {
  constexpr std::int64_t never = std::int64_t{1} << 40;
  const auto& world = integrator.domain().world;
  const auto fence = [&] { integrator.streams().fence(); };
  const double seconds = best_time(
                             world, few, [&] { integrator.advance_together(state, 0); }, fence) /
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
  Pass pass = Pass::divided;
  double seconds = comm::no_time_yet;
};

/// The ways in which blocks may take so many steps after one exchange; `in_one_pass`: the most over
/// memory.
std::vector<Pass> passes_of(const comm::Partition& partition, int in_one_pass, int steps) {
  const bool adjoins = partition.ranks() > 1;
  std::vector<Pass> passes;
  if (steps <= in_one_pass) passes.push_back(Pass::divided);
  if (steps == 1) return passes;
  // a shell of thin boxes, and on GPUs an exchange for which the interior leaves no room, may take
  // longer than the exchange
  if (steps <= in_one_pass && adjoins) passes.push_back(Pass::whole);
  // caches of GPUs hold small blocks, for which a pass over memory has too few teams
  if (steps > in_one_pass || (adjoins && !comm::kernels_run_on_host))
    passes.push_back(Pass::stepwise);
  return passes;
}

/// The fastest of these ways to take so many steps after one exchange.
template <class Real>
Trial try_steps(Integrator<Real>& integrator, solver::State<Real>& state, const Config& config,
                int steps, const std::vector<Pass>& passes) {
  Trial best;
  for (const Pass pass : passes) {
    integrator.passes().set(steps, config.parallel.halo, pass);
    const double seconds = seconds_of_step(integrator, state, config.time);
    if (seconds < best.seconds) best = {steps, pass, seconds};
  }
  return best;
}

}  // namespace

HaloSettings halo_for_steps_together(const Config& config, const comm::Partition& partition) {
  auto settings = halo_settings_of(config);
  const auto& time = config.time;
  const bool may = time.integrator == solver::Method::euler && config.dimensions() > 1;
  int layers = may ? static_cast<int>(time.fused_steps.value_or(most_tried(partition))) : 1;
  for (int axis = 0; axis < config.dimensions(); ++axis) {
    if (partition.dims()[axis] > 1 || partition.periodic()[axis])
      layers = std::min(layers, partition.thinnest(axis));
  }
  settings.width = std::max(settings.width, layers);
  return settings;
}

template <class Real>
TrialsTogether choose_steps_together(Integrator<Real>& integrator, solver::State<Real>& state,
                                     const Config& config, bool measures) {
  if (config.time.integrator != solver::Method::euler) return {};
  const int layers = config.parallel.halo;
  const auto& partition = integrator.domain().partition;
  const auto most = integrator.passes().most();
  const auto passes = [&](int steps) { return passes_of(partition, most.in_one_pass, steps); };
  const auto& configured = config.time.fused_steps;
  if (configured && *configured > most.any())
    refuse(*configured, integrator.passes().reason_for_single_steps());
  const int fewest = static_cast<int>(configured.value_or(1));
  const int last = configured ? fewest : std::min(most.any(), most_tried(partition));
  integrator.passes().set(fewest, layers, passes(fewest).front());
  if (!measures || last == 1) return {};
  TrialsTogether trials;
  Trial best;
  for (int steps = fewest; steps <= last; ++steps) {
    const auto trial = try_steps(integrator, state, config, steps, passes(steps));
    trials.push_back(trial.seconds);
    if (trial.seconds < best.seconds) best = trial;
  }
  integrator.passes().set(best.steps, layers, best.pass);
  return configured ? TrialsTogether() : trials;
}

template TrialsTogether choose_steps_together(Integrator<float>&, solver::State<float>&,
                                              const Config&, bool);
template TrialsTogether choose_steps_together(Integrator<double>&, solver::State<double>&,
                                              const Config&, bool);

}  // namespace halotherm::app
