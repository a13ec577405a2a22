// SPDX-License-Identifier: MIT
#include "app/run/simulation.hpp"

#include "app/results/compatibility.hpp"
#include "app/run/forecast.hpp"
#include "app/run/forecast_text.hpp"
#include "comm/device/execution.hpp"
#include "comm/machine/meters.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "comm/system/host_cpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace halotherm::app {

namespace {
/// In shorter runs, calibration would take longer than the run.
constexpr std::int64_t steps_worth_calibrating = 100;
constexpr std::int64_t steps_worth_trials = 500;

/// The position of a stalled rank: " after step 12, exchanging ghost cells with rank 2 (node1,
/// process 4711)".
comm::Waiting waiting_after(std::int64_t step, const std::vector<int>& awaited) {
  std::string text = " after step " + std::to_string(step);
  for (std::size_t n = 0; n < awaited.size(); ++n) {
    text += (n == 0 ? ", exchanging ghost cells with " : " and ") + comm::process_of(awaited[n]);
  }
  if (awaited.empty()) text += ", exchanging no ghost cells";
  return {std::move(text), awaited};
}

/// The full step at the beginning [s]: with a tolerance, and where steps follow the temperatures,
/// it goes on from the checkpoint's.
double first_dt(const Config& config, const StepBounds& bounds, const RestartState& restart) {
  const double dt = choose_dt(config.time, bounds);
  if (!restart.goes_on() || restart.info.numbers.empty()) return dt;
  if (config.time.tolerance) return std::min(restart.info.dt, longest_dt(config.time, bounds));
  return steps_follow(config) ? restart.info.dt : dt;
}

/// A note on a restart with another tolerance; usually empty.
std::string tolerance_note(const TimeConfig& config, const RestartState& restart) {
  if (!restart.goes_on()) return "";
  const auto& numbers = restart.info.numbers;
  const auto before = numbers.find(AdaptiveSteps<double>::tolerance);
  const bool had = before != numbers.end();
  if (had == config.tolerance.has_value() && (!had || before->second == *config.tolerance))
    return "";
  const auto text = [](bool given, double value) {
    return given ? fmt::format("{:.6g} K", value) : std::string("none");
  };
  return fmt::format("time.tolerance is {} from here on, and was {} before",
                     text(config.tolerance.has_value(), config.tolerance.value_or(0)),
                     text(had, had ? before->second : 0));
}
}  // namespace

template <class Real>
Simulation<Real>::Simulation(const comm::Communicator& world, const Config& config,
                             PartitionChoice choice, const RestartState& start,
                             std::vector<Real> values, WallLimit limit, const io::Log& log)
    : world_(world),
      log_(log),
      restart_(start),
      choice_(std::move(choice)),
      domain_(world, config, choice_.partition, config.parallel.transport,
              halo_for_steps_together(config, choice_.partition)),
      problem_(domain_, config),
      bounds_(step_bounds(world, problem_.equation, problem_.boundary, problem_.source_fall)),
      integrator_(streams_, domain_, problem_, scheme_of(config.time, bounds_)),
      state_(Integrator<Real>::quantities(), domain_.owned, domain_.ghosts),
      clock_(first_dt(config, bounds_, restart_), end_of(config.time), restart_.step(),
             restart_.time(), config.output.fields.every),
      control_(world, config.output.directory, config.output.checkpoint.walltime, limit),
      outputs_(streams_, domain_, problem_, config, state_.quantities(),
               integrator_.scheme().stages(config.time.tolerance ? longest_dt(config.time, bounds_)
                                                                 : clock_.full_dt()),
               restart_, log),
      time_(config.time) {
  if (const auto unavailable = domain_.transport.unavailable_reason_of(comm::TransportKind::device);
      !unavailable.empty()) {
    log.line("warning        ghost cells do not travel by device pointers (" + unavailable + ")");
  }
  if (const auto note = step_note(config.time, bounds_, clock_.full_dt()); !note.empty())
    log.line("note           " + note);
  if (const auto note = tolerance_note(config.time, restart_); !note.empty())
    log.line("note           " + note);
  if (restart_.goes_on()) state_.numbers() = restart_.info.numbers;
  if (solver::is_implicit(config.time.integrator))
    implicit_.emplace(streams_, domain_, problem_, integrator_.scratch(), config);
  if (config.time.tolerance) {
    StepAttempts<Real>* steps = &integrator_;
    if (implicit_) steps = &*implicit_;
    adaptive_.emplace(config.time, bounds_, *steps, problem_, state_);
  } else if (steps_follow(config)) {
    range_.emplace(streams_, domain_, problem_, config, bounds_);
  } else {
    state_.numbers().clear();
  }
  if (!restart_.checkpoint) values = problem_.initial_temperature(config);
  problem_.void_cells.set_temperatures(std::span(values));  // sides.void may differ at a restart
  compare_inputs(config, restart_, problem_.inputs, log);
  solver::copy_from_host<Real>(values, state_);
  if (config.time.integrator == solver::Method::steady && !clock_.finished())
    steady_.emplace(streams_, domain_, problem_, state_, config);
  if (clock_.finished()) return;
  const comm::Activity activity("measuring several steps at once");
  trials_together_ = choose_steps_together(integrator_, state_, config,
                                           clock_.steps_to_go() >= steps_worth_trials);
  set_plain_steps(0);
}

/// `seconds`: of a step.
template <class Real>
void Simulation<Real>::set_plain_steps(double seconds) {
  const bool equal_steps = !adaptive_ && !implicit_ && !range_;
  const auto most = most_submitted_steps(integrator_, time_, equal_steps, seconds);
  plain_.emplace(integrator_, most);
}

template <class Real>
RunRecord Simulation<Real>::run() {
  {
    const comm::Activity activity("beginning the outputs");
    outputs_.begin(clock_, state_);
  }
  reach_steady_state();
  if (range_ && !clock_.finished()) range_->follow(state_, clock_);
  Calibration calibration;
  if (!adaptive_ && !implicit_ && clock_.steps_to_go() >= steps_worth_calibrating) {
    const comm::Activity activity("measuring the parts of a step");
    calibration = calibrate(integrator_, state_.temperature(), clock_.time(), clock_.dt());
    integrator_.timers().set_gaps(timing_gaps(calibration.computation));
    set_plain_steps(calibration.computation);
  }
  if (!clock_.finished() && !steady_) say_expectation(calibration);
  const auto first_step = clock_.step();
  const auto processor_before = comm::processor_time();
  const comm::Stopwatch loop;

  double loop_seconds = 0, processor = 1;
  try {
    step_until_end();
    loop_seconds = loop.seconds();
    processor = comm::share_since(processor_before, comm::processor_time());
    const comm::Activity activity("writing the last outputs");
    if (clock_.finished()) {
      outputs_.end(clock_, state_);
    } else {
      outputs_.stop(clock_, state_);
    }
  } catch (const comm::CollectiveError&) {
    const comm::Activity activity("finishing files that were begun");
    outputs_.finish_writes();
    throw;
  }
  auto result = record(calibration, first_step, loop_seconds);
  result.processor = world_.min(processor);
  return result;
}

template <class Real>
void Simulation<Real>::say_expectation(const Calibration& calibration) const {
  auto clock = clock_;
  if (adaptive_) clock.set_full_dt(adaptive_->control().longest());
  log_.line(expectation_text(
      {.dt = clock.full_dt(),
       .stages = integrator_.scheme().stages(clock.full_dt()),
       .steps = clock.steps_to_go(),
       .cells = choice_.partition.global().size(),
       .dt_is_chosen = time_.dt.has_value(),
       .dt_adapts = adaptive_.has_value(),
       .solves = implicit_.has_value(),
       .dt_follows = range_.has_value(),
       .cost = {.computation = calibration.computation, .exchange = calibration.exchange}}));
}

/// The steps that follow, one, measure the flows of the steady state.
template <class Real>
void Simulation<Real>::reach_steady_state() {
  if (!steady_) return;
  const comm::Activity activity("solving for the steady state");
  solve_ = steady_->solve(state_, log_);
}

template <class Real>
void Simulation<Real>::take_steps() {
  int taken = 0;
  if (const int most = plain_->most(); most > 1)
    taken = plain_->take(state_, clock_.dt(), outputs_.plain_steps(clock_, most));
  if (taken == 0) return take_step();
  for (int n = 0; n < taken; ++n) clock_.advance();
}

template <class Real>
void Simulation<Real>::take_step() {
  if (adaptive_)
    return adaptive_->take(state_, clock_, [this] { return outputs_.instrument(clock_); });
  if (implicit_) return implicit_->take(state_, clock_, outputs_.instrument(clock_));
  integrator_.advance(state_, clock_.time(), clock_.dt(), outputs_.instrument(clock_));
  clock_.advance();
}

template <class Real>
void Simulation<Real>::step_until_end() {
  std::atomic<std::int64_t> step = clock_.step();
  const comm::Activity activity("taking steps",
                                [&] { return waiting_after(step, domain_.halo.awaited()); });
  control_.begin(clock_.step());
  while (!clock_.finished() && !requests_.stop) {
    comm::note_progress();
    if (range_) range_->follow(state_, clock_);
    take_steps();
    step = clock_.step();
    requests_ =
        control_.after_step(clock_.step(), outputs_.files().writing(), outputs_.files().reserve());
    if (requests_.met || outputs_.due(clock_, requests_)) problem_.check_conditions();
    outputs_.after_step(clock_, state_, requests_, integrator_.timers());
  }
  streams_.fence();
  problem_.check_conditions();
}

template <class Real>
void Simulation<Real>::set_cost_of_steps(RunRecord& record) const {
  record.stages = integrator_.scheme().stages(clock_.full_dt());
  record.bytes_per_cell = integrator_.bytes_per_cell(clock_.full_dt());
  record.flops_per_cell = integrator_.flops_per_cell(clock_.full_dt());
  if (!adaptive_) return;
  const auto& counts = adaptive_->counts();
  record.adaptive = {.tolerance = adaptive_->control().tolerance(), .counts = counts};
  if (counts.steps == 0 || implicit_) return;
  const auto mean = [&](double all) {
    return static_cast<int>(std::lround(all / static_cast<double>(counts.steps)));
  };
  record.stages = mean(static_cast<double>(counts.stages));
  record.bytes_per_cell = mean(counts.bytes_per_cell);
  record.flops_per_cell = mean(counts.flops_per_cell);
}

template <class Real>
RunRecord Simulation<Real>::record(const Calibration& calibration, std::int64_t first_step,
                                   double loop_seconds) const {
  RunRecord record;
  record.split_points = choice_.partition.split_points();
  record.imbalance = choice_.partition.imbalance();
  record.balance = choice_.balance;
  record.transport = domain_.transport;
  record.cells = choice_.partition.global().size();
  record.dimensions = problem_.equation.dimensions();
  set_cost_of_steps(record);
  record.held_bytes_per_cell = integrator_.held_bytes_per_cell();
  record.together = integrator_.together();
  record.pass = integrator_.passes().pass();
  record.trials_together = trials_together_;
  record.submitted = plain_ ? plain_->submitted() : 1;
  const double exchanges = static_cast<double>(record.stages) / record.together;  // of a step
  record.halo_bytes = std::llround(exchanges * world_.sum(domain_.halo.bytes()));
  const int node = choice_.nodes[static_cast<std::size_t>(world_.rank())];
  record.node_bytes =
      std::llround(exchanges * world_.sum(domain_.halo.plan().sent_cells_off(node, choice_.nodes) *
                                          static_cast<std::int64_t>(sizeof(Real))));
  record.halo_messages = std::llround(std::ceil(
      exchanges * world_.sum(static_cast<std::int64_t>(domain_.halo.plan().messages.size()))));
  record.dt = clock_.full_dt();
  record.first_step = first_step;
  record.steps = clock_.step() - first_step;
  record.loop_seconds = world_.max(loop_seconds);
  record.set_phases(world_, loop_seconds, integrator_.timers());
  record.on_devices = !comm::kernels_run_on_host;
  record.cache_bytes = world_.min(comm::last_level_cache_bytes()) / world_.node().size();
  record.calibration = calibration;
  record.solve = implicit_ ? implicit_->record() : solve_;
  if (implicit_) record.solve.seconds = world_.max(record.solve.seconds);
  record.first = outputs_.first_diagnostics();
  record.last = outputs_.last_diagnostics();
  record.out_of_bounds = outputs_.out_of_bounds();
  record.stopped_by = clock_.finished() ? "" : control_.reason();
  record.writer = outputs_.files().writer();
  record.checkpoints = outputs_.files().checkpoints();
  record.fields = outputs_.files().fields();
  return record;
}

template class Simulation<float>;
template class Simulation<double>;

}  // namespace halotherm::app
