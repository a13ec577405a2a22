// SPDX-License-Identifier: MIT
#include "app/scale/scale_case.hpp"

#include "app/integrate/steps_together.hpp"
#include "app/measure/calibration.hpp"
#include "app/measure/statistics.hpp"
#include "app/results/restart_state.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/best_time.hpp"
#include "comm/system/host_cpus.hpp"
#include "io/files/checksum.hpp"
#include "solver/equation/clock.hpp"
#include "solver/field/copy_bandwidth.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

constexpr double repeat_seconds = 1.0;
constexpr std::int64_t fewest_steps = 5;
constexpr std::int64_t most_steps = 1000000;
constexpr int copies = 3;

/// The steps that are measured are explicit: forward Euler's in place of implicit ones, which may
/// be longer than its bound, and where the method is not chosen yet.
Config with_explicit_steps(Config config) {
  const auto method = config.time.integrator;
  if (!solver::is_implicit(method) && method != solver::Method::automatic) return config;
  config.time.tolerance.reset();
  config.time.integrator = solver::Method::euler;
  config.time.dt = std::nullopt;
  return config;
}

}  // namespace

template <class Real>
ScaleCase<Real>::ScaleCase(comm::Communicator ranks, const Config& configured,
                           const comm::Streams& streams)
    : ranks_(std::move(ranks)),
      config_(with_explicit_steps(configured)),
      streams_(streams),
      choice_(choose_partition<Real>(ranks_, config_)),
      domain_(ranks_, config_, choice_.partition, config_.parallel.transport,
              halo_for_steps_together(configured, choice_.partition)),
      problem_(domain_, config_),
      bounds_(step_bounds(ranks_, problem_.equation, problem_.boundary, problem_.source_fall)),
      integrator_(streams_, domain_, problem_, scheme_of(config_.time, bounds_)),
      state_(Integrator<Real>::quantities(), domain_.owned, domain_.ghosts),
      dt_(choose_dt(config_.time, bounds_)),
      steps_of_a_run_(
          std::max<std::int64_t>(1, solver::Clock(dt_, end_of(config_.time)).steps_to_go())) {
  const auto start = problem_.initial_temperature(config_);
  solver::copy_from_host<Real>(start, state_);
  if (has_solves(configured)) solves_.emplace(ranks_, streams_, domain_, problem_, configured);
  if (has_run_steps(configured)) run_steps_.emplace(integrator_, state_, config_, dt_);
}

template <class Real>
void ScaleCase<Real>::prepare(std::optional<std::int64_t> steps, double oversubscription,
                              ScaleRow& row) {
  oversubscription_ = oversubscription;
  describe(row);
  advance(checked_steps);
  problem_.check_conditions();
  row.checksum = checksum();
  for (int n = 0; n < 2; ++n)  // the first steps may warm up
    step_seconds_ = time_once(ranks_, 1, [&] { advance(checked_steps); }) / checked_steps;
  steps_a_repeat_ = steps.value_or(steps_in_a_second());
  row.steps = steps_a_repeat_;
  row.launches = seconds_of_launches();
  if (solves_) row.solves = solves_->prepare(steps);
  if (run_steps_) prepare_run_steps(row);
  if (row.halo_messages == 0) return;
  row.messages = seconds_of_messages(false);
  row.latency = seconds_of_messages(true);
}

/// Their bits are compared with those of single steps from the same state.
template <class Real>
void ScaleCase<Real>::prepare_run_steps(ScaleRow& row) {
  row.run_steps = run_steps_->prepare();
  if (!row.run_steps->several()) return;
  const auto start = values();
  advance(checked_steps);
  const auto single = checksum();
  solver::copy_from_host<Real>(start, state_);
  run_steps_->advance(checked_steps);
  row.run_steps->same_bits = checksum() == single;
}

template <class Real>
void ScaleCase<Real>::describe(ScaleRow& row) const {
  row.blocks = choice_.partition.dims();
  row.cells = choice_.partition.cells();
  row.balance = balance_text(choice_, config_.dimensions());
  row.transport = to_string(domain_.transport);
  row.bytes_per_cell = integrator_.bytes_per_cell(dt_);
  const auto& plan = domain_.halo.plan();
  std::int64_t received = 0;
  for (const auto& message : plan.messages) received += message.receive.size();
  const auto owned = static_cast<double>(domain_.owned.size());
  const int stages = integrator_.scheme().stages(dt_);
  row.block_cells = ranks_.max(domain_.owned.size());
  row.surface = ranks_.max(static_cast<double>(received) / owned);
  row.halo_bytes = stages * ranks_.sum(domain_.halo.bytes());
  row.rank_bytes = stages * ranks_.max(domain_.halo.bytes());
  row.halo_messages = stages * ranks_.sum(static_cast<std::int64_t>(plan.messages.size()));
}

template <class Real>
void ScaleCase<Real>::launch(std::int64_t steps) {
  for (std::int64_t n = 0; n < steps; ++n)
    integrator_.advance(state_, static_cast<double>(step_++ % steps_of_a_run_) * dt_, dt_);
}

template <class Real>
void ScaleCase<Real>::advance(std::int64_t steps) {
  launch(steps);
  streams_.fence();
}

template <class Real>
std::int64_t ScaleCase<Real>::steps_in_a_second() const {
  return std::clamp(static_cast<std::int64_t>(std::ceil(repeat_seconds / step_seconds_)),
                    fewest_steps, most_steps);
}

template <class Real>
double ScaleCase<Real>::seconds_of_launches() {
  const auto fields = integrator_.fields_at_rest(state_.temperature());
  const auto interior = tiny_part(integrator_.interior(), domain_.owned),
             shell = tiny_part(integrator_.shell(), domain_.owned);
  return best_time(
      ranks_, {.timings = 5, .calls = 50},
      [&] { integrator_.compute(interior, shell, state_.temperature(), fields, 0, dt_); },
      [&] { streams_.fence(); });
}

template <class Real>
double ScaleCase<Real>::seconds_of_messages(bool tiny) const {
  auto channels = comm::channels_of(domain_.halo.plan(), sizeof(Real));
  if (tiny) {
    for (auto& channel : channels) channel.elements = 1;
  }
  comm::seconds_of_exchange(ranks_, channels, domain_.transport.kinds);  // warms up
  return integrator_.scheme().stages(dt_) *
         comm::seconds_of_exchange(ranks_, channels, domain_.transport.kinds);
}

template <class Real>
ScaleSample ScaleCase<Real>::measure() {
  advance(few_steps());  // caches and clocks warm up after the sleep
  ScaleSample sample;
  measure_steps(sample);
  measure_clocks(sample);
  measure_computation(sample);
  sample.exchange =
      time_once(ranks_, quarter_repeat(), [&] { integrator_.exchange(state_.temperature(), dt_); });
  ranks_.barrier();
  sample.copy_rate = sum(
      ranks_.gather(solver::copy_bandwidth(state_.temperature(), integrator_.scratch(), copies)));
  if (solves_) {
    const auto [solve, coarse] = solves_->measure();
    sample.solve = solve;
    sample.coarse = coarse;
  }
  if (run_steps_) sample.run_step = run_steps_->measure(steps_a_repeat_);
  if (sample.run_step == 0) sample.run_step = sample.step;
  return sample;
}

template <class Real>
Steady ScaleCase<Real>::measure_steady() {
  const auto steps = steps_in_a_second();
  return settle(
      [&] { return time_once(ranks_, 1, [&] { advance(steps); }) / static_cast<double>(steps); });
}

template <class Real>
void ScaleCase<Real>::measure_steps(ScaleSample& sample) {
  integrator_.timers() = PhaseTimers(timing_gaps(step_seconds_));
  ranks_.barrier();
  const auto before = comm::thread_processor_time();
  const comm::Stopwatch stopwatch;
  advance(steps_a_repeat_);
  const double seconds = stopwatch.seconds();
  const double got = comm::share_since(before, comm::thread_processor_time());
  sample.processor = ranks_.min(comm::kernels_run_on_host ? got : 1 / oversubscription_);
  const double mine = seconds / static_cast<double>(steps_a_repeat_);
  sample.step = ranks_.max(mine);
  double timed = 0;
  for (const double lap : integrator_.timers().seconds()) timed += lap;
  for (std::size_t phase = 0; phase < sample.phases.size(); ++phase) {
    const double share = timed > 0 ? integrator_.timers().seconds()[phase] / timed : 0;
    sample.phases[phase] = sum(ranks_.gather(share * mine)) / ranks_.size();
  }
}

/// Reads the devices' clocks during further steps, because reading takes time.
template <class Real>
void ScaleCase<Real>::measure_clocks(ScaleSample& sample) {
  if (comm::kernels_run_on_host) return;
  launch(few_steps());
  const auto clocks = comm::current_clocks();
  streams_.fence();
  const double share = clocks.compute_mhz && clocks.highest_compute_mhz
                           ? *clocks.compute_mhz / *clocks.highest_compute_mhz
                           : 1;
  sample.clock = ranks_.min(share);
  sample.clock_limit = static_cast<comm::ClockLimit>(ranks_.max(static_cast<int>(clocks.limit)));
}

template <class Real>
void ScaleCase<Real>::measure_computation(ScaleSample& sample) {
  const auto steps = quarter_repeat();
  const auto fields = integrator_.fields_at_rest(state_.temperature());
  const double time = static_cast<double>(step_ % steps_of_a_run_) * dt_;
  ranks_.barrier();
  const auto before = comm::processor_time();
  const comm::Stopwatch stopwatch;
  for (std::int64_t n = 0; n < steps; ++n)
    integrator_.compute(integrator_.interior(), integrator_.shell(), state_.temperature(), fields,
                        time, dt_);
  streams_.fence();
  const double seconds = stopwatch.seconds();
  const auto after = comm::processor_time();
  const double mine = seconds / static_cast<double>(steps);
  const double share =
      comm::kernels_run_on_host ? comm::share_since(before, after) : 1 / oversubscription_;
  sample.computation = ranks_.max(mine);
  sample.work_max = ranks_.max(mine * share);
  sample.work_mean = sum(ranks_.gather(mine * share)) / ranks_.size();
  sample.processor = std::min(sample.processor, ranks_.min(share));
}

template <class Real>
std::vector<Real> ScaleCase<Real>::values() const {
  std::vector<Real> values(static_cast<std::size_t>(domain_.owned.size()));
  solver::copy_to_host<Real>(state_.temperature(), domain_.owned, values);
  return values;
}

template <class Real>
std::uint64_t ScaleCase<Real>::checksum() const {
  const auto mine = values();
  auto sum = io::field_checksum<Real>(choice_.partition.cells(), domain_.owned, mine);
  ranks_.sum(std::span(&sum, 1));
  return sum;
}

template <class Real>
void ScaleCase<Real>::check_finite() const {
  problem_.check_conditions();
  comm::agree(ranks_, [&] {
    const auto mine = values();
    if (std::ranges::all_of(mine, [](Real value) { return std::isfinite(value); })) return;
    throw comm::Error(
        comm::ExitCode::numerics,
        {"a temperature is not finite after " + std::to_string(step_) + " steps on " +
             std::to_string(ranks_.size()) + " ranks",
         "the measured times would mean nothing", "check the configuration by halotherm run"});
  });
}

template class ScaleCase<float>;
template class ScaleCase<double>;

}  // namespace halotherm::app
