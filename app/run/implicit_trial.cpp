// SPDX-License-Identifier: MIT
#include "app/run/implicit_trial.hpp"

#include "app/domain/geometry.hpp"
#include "app/integrate/time_step_size.hpp"
#include "app/run/pilot.hpp"
#include "comm/system/stopwatch.hpp"

#include <algorithm>
#include <limits>

namespace halotherm::app {

namespace {

constexpr double trial_seconds = 0.3;  ///< of equal steps, which may end later
/// On a rank: more than caches hold.
constexpr double trial_cells = comm::kernels_run_on_host ? 1 << 18 : 1 << 23;

}  // namespace

template <class Real>
ImplicitTrial<Real>::ImplicitTrial(const comm::Communicator& world, const Config& config)
    : world_(world),
      config_(coarser(config, trial_cells * world.size())),
      partition_(make_partition(config_, world.size())),
      domain_(world, config_, partition_),
      problem_(domain_, config_),
      integrator_(streams_, domain_, problem_, solver::Scheme(config_.time.integrator)),
      state_(Integrator<Real>::quantities(), domain_.owned, domain_.ghosts),
      steps_(streams_, domain_, problem_, integrator_.scratch(), config_) {
  solver::copy_from_host<Real>(problem_.initial_temperature(config_), state_);
}

template <class Real>
double ImplicitTrial<Real>::seconds_of_equal_steps() {
  solver::Clock clock(*config_.time.dt, end_of(config_.time));
  double best = std::numeric_limits<double>::infinity(), all = 0;
  constexpr int set_up_steps = 2;  // the first one sets the matrix, both are damped
  for (int n = 0; !clock.finished() && (n <= set_up_steps || all < trial_seconds); ++n) {
    const double seconds = seconds_of([&] { steps_.take(state_, clock, nullptr); });
    all += seconds;
    if (n >= set_up_steps) best = std::min(best, seconds);
  }
  return best;
}

template <class Real>
double ImplicitTrial<Real>::seconds_of_steps(const std::vector<double>& lengths) {
  double time = 0, all = 0;
  const auto take = [&](double length) {
    steps_.attempt(state_, time, length, nullptr);
    steps_.accept(state_, length, nullptr);
    time += length;
  };
  take(lengths.front());  // loads what the others use
  for (const double length : lengths) all += seconds_of([&] { take(length); });
  return all / static_cast<double>(lengths.size());
}

template <class Real>
template <class Take>
double ImplicitTrial<Real>::seconds_of(Take&& take) {
  streams_.fence();
  world_.barrier();
  const comm::Stopwatch stopwatch;
  take();
  streams_.fence();
  return world_.max(stopwatch.seconds());
}

template class ImplicitTrial<float>;
template class ImplicitTrial<double>;

}  // namespace halotherm::app
