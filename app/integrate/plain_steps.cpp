// SPDX-License-Identifier: MIT
#include "app/integrate/plain_steps.hpp"

#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace halotherm::app {

/// Few numbers, so that few recordings serve all. Twice `together()` steps end in the field that
/// they begin with.
template <class Real>
int PlainSteps<Real>::fitting(int most) const {
  int steps = 2 * integrator_.together();
  if (most < steps) return 0;
  while (4 * steps <= most) steps *= 4;
  return steps;
}

template <class Real>
int PlainSteps<Real>::take(solver::State<Real>& state, double dt, int plain) {
  if (const int steps = next_submission(plain); steps > 0) {
    submit(state, dt, steps);
    return steps;
  }
  const int together = integrator_.together();
  if (together == 1 || plain < together) return 0;
  integrator_.advance_together(state, dt);
  return together;
}

/// None of its steps is to be timed.
template <class Real>
int PlainSteps<Real>::next_submission(int plain) const {
  const auto untimed = std::min<std::int64_t>(integrator_.timers().untimed(), submits_);
  return fitting(std::min(plain, static_cast<int>(untimed)));
}

template <class Real>
void PlainSteps<Real>::submit(solver::State<Real>& state, double dt, int steps) {
  const Real* temperature = state.temperature().view().data;
  std::erase_if(recorded_, [&](const auto& one) { return one->dt != dt; });
  const int phase = integrator_.phase();
  auto found = std::ranges::find_if(recorded_, [&](const auto& one) {
    return one->temperature == temperature && one->steps == steps && one->phase == phase;
  });
  if (found == recorded_.end()) {
    const auto launches = [this, &state, dt, steps] { integrator_.repeat(state, dt, steps); };
    recorded_.emplace_back(new Recorded{temperature, dt, steps, phase,
                                        comm::Recording(integrator_.streams(), launches)});
    found = std::prev(recorded_.end());
  }
  constexpr int most_ahead = 64;  // submissions: a stop or a failure is seen after so many
  if (++submissions_ % most_ahead == 0) integrator_.streams().fence();
  integrator_.begin_submission(steps);
  (*found)->launches.submit();
}

template <class Real>
int most_submitted_steps(const Integrator<Real>& integrator, const TimeConfig& config,
                         bool equal_steps, double seconds) {
  constexpr double short_step = 60e-6;  // [s]
  constexpr double short_pass_of_nccl = 45e-6;
  constexpr int passes_alone = 8, passes_of_several = 32;  // as measured (ADR 50, ADR 52)
  const auto& domain = integrator.domain();
  const bool possible = domain.world.all(equal_steps && integrator.can_be_recorded());
  const bool by_nccl =
      domain.world.any(std::ranges::count(domain.transport.kinds, comm::TransportKind::nccl) > 0);
  if (const auto& configured = config.submitted_steps) {
    if (possible || *configured == 1) return static_cast<int>(*configured);
    throw comm::CollectiveError(
        comm::ExitCode::usage,
        {fmt::format("time.submitted_steps: is {}", *configured),
         "steps that need no host are those of euler, where sides, sources, materials and dt stay "
         "as they are; on GPUs in two or three dimensions, not beside periodic sides or cuts "
         "across x, and with the transport p2p or nccl between blocks",
         "set auto, or 1"});
  }
  if (comm::kernels_run_on_host || !possible || !(seconds > 0 && seconds < short_step)) return 1;
  if (by_nccl && seconds * integrator.together() > short_pass_of_nccl) return 1;
  const bool alone = domain.halo.plan().messages.empty();
  return (alone ? passes_alone : passes_of_several) * integrator.together();
}

template class PlainSteps<float>;
template class PlainSteps<double>;
template int most_submitted_steps(const Integrator<float>&, const TimeConfig&, bool, double);
template int most_submitted_steps(const Integrator<double>&, const TimeConfig&, bool, double);

}  // namespace halotherm::app
