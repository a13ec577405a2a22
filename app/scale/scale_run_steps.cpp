// SPDX-License-Identifier: MIT
#include "app/scale/scale_run_steps.hpp"

#include "app/integrate/step_range.hpp"
#include "app/integrate/steps_together.hpp"
#include "app/measure/calibration.hpp"
#include "comm/system/best_time.hpp"

#include <algorithm>

namespace halotherm::app {

bool has_run_steps(const Config& config) {
  return config.time.integrator == solver::Method::euler &&
         !(config.time.fused_steps == 1 && config.time.submitted_steps == 1);
}

template <class Real>
ScaleRunSteps<Real>::ScaleRunSteps(Integrator<Real>& integrator, solver::State<Real>& state,
                                   const Config& config, double dt)
    : integrator_(integrator), state_(state), config_(config), dt_(dt) {
  take_single();
}

template <class Real>
void ScaleRunSteps<Real>::take_single() {
  plain_.reset();
  integrator_.passes().set(1, config_.parallel.halo);
}

/// The exchange is made anew, and with it what was recorded.
template <class Real>
void ScaleRunSteps<Real>::take_several() {
  integrator_.passes().set(how_.together, config_.parallel.halo, how_.pass);
  plain_.emplace(integrator_, how_.submitted);
}

template <class Real>
RunStepsSummary ScaleRunSteps<Real>::prepare() {
  choose_steps_together(integrator_, state_, config_, true);
  how_.together = integrator_.together();
  how_.pass = integrator_.passes().pass();
  const double seconds = calibrate(integrator_, state_.temperature(), 0, dt_).computation;
  const int most = most_submitted_steps(integrator_, config_.time, !steps_follow(config_), seconds);
  how_.submitted = PlainSteps<Real>(integrator_, most).submitted();
  take_single();
  return how_;
}

template <class Real>
void ScaleRunSteps<Real>::launch(std::int64_t steps) {
  while (steps > 0) {
    const auto next = static_cast<int>(std::min<std::int64_t>(steps, plain_->most()));
    const int taken = plain_->take(state_, dt_, next);
    if (taken == 0) integrator_.advance(state_, 0, dt_);
    steps -= std::max(1, taken);
  }
  integrator_.streams().fence();
}

template <class Real>
void ScaleRunSteps<Real>::advance(std::int64_t steps) {
  take_several();
  launch(steps);
  take_single();
}

template <class Real>
double ScaleRunSteps<Real>::measure(std::int64_t steps) {
  if (!how_.several()) return 0;
  take_several();
  for (int n = 0; n < 4; ++n) launch(plain_->most());  // records, and warms up
  const auto& world = integrator_.domain().world;
  const double seconds = time_once(world, 1, [&] { launch(steps); });
  take_single();
  return seconds / static_cast<double>(steps);
}

template class ScaleRunSteps<float>;
template class ScaleRunSteps<double>;

}  // namespace halotherm::app
