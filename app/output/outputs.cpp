// SPDX-License-Identifier: MIT
#include "app/output/outputs.hpp"

#include "app/integrate/time_step_size.hpp"
#include "app/results/output_directory.hpp"
#include "comm/mpi/error.hpp"
#include "io/files/durable_file.hpp"
#include "solver/diagnostics/diagnostics.hpp"

#include <limits>
#include <sstream>
#include <utility>

namespace halotherm::app {

namespace {

/// Steps between the rows of the run that wrote the checkpoint; this run's if the checkpoint's
/// configuration cannot be read.
std::int64_t period_of(const RestartState& restart, const Config& config) {
  try {
    return parse_config(restart.info.config, "the checkpoint's configuration", {})
        .output.diagnostics_steps;
  } catch (const comm::Error&) {
    return config.output.diagnostics_steps;
  }
}

/// What a step may get wrong, over the largest temperature: rounding, or what a solve leaves.
template <class Real>
double rounding_of(const Config& config) {
  const double eps = std::numeric_limits<Real>::epsilon();
  return solver::is_implicit(config.time.integrator) ? eps + config.linear.tolerance : eps;
}

}  // namespace

template <class Real>
Outputs<Real>::Outputs(const comm::Streams& streams, const Domain<Real>& domain,
                       const Problem<Real>& problem, const Config& config,
                       std::vector<comm::Quantity> quantities, int stages,
                       const RestartState& restart, const io::Log& log)
    : world_(domain.world),
      streams_(streams),
      config_(config),
      restart_(restart),
      grid_(domain.grid),
      log_(log),
      progress_(log),
      sensors_(world_, config, problem.equation, domain.owned),
      diagnostics_schedule_{std::nullopt, config.output.diagnostics_steps},
      watchdog_schedule_{std::nullopt, config.watchdog.steps},
      places_(flow_places(config, domain.grid)),
      problem_(problem),
      board_(make_board(domain, problem.equation, places_)),
      checkpoint_schedule_(schedule_of(config.output.checkpoint)),
      field_schedule_{std::nullopt, config.output.fields.steps},
      policy_(config.output.on_failure,
              [this](const std::string& text) {
                progress_.interrupt();
                log_.line("warning        " + text);
              }),
      files_(domain, config, std::move(quantities), restart, problem.inputs, policy_,
             [this] {
               if (restart_.lock) restart_.lock->require();
               diagnostics_.flush();
             }),
      bounds_check_(rounding_of<Real>(config), stages) {}

template <class Real>
void Outputs<Real>::open() {
  comm::agree(world_, [&] {
    if (!world_.is_root()) return;
    if (restart_.lock) restart_.lock->require();
    const auto moved = make_room(config_, restart_);
    if (!moved.empty()) log_.line(moved);
  });
  files_.open();
  comm::agree(world_, [&] {
    if (world_.is_root()) open_diagnostics();
  });
}

template <class Real>
void Outputs<Real>::open_diagnostics() {
  const auto file = OutputDirectory(config_.output.directory).diagnostics();
  const auto header = csv_header(shown_temperature(config_), places_, config_.output.sensors);
  OldRows old;
  if (restart_.goes_on() && !restart_.elsewhere)
    old = rows_until(file, header, restart_.step(), period_of(restart_, config_));
  if (!old.missing.empty()) {
    const auto kept =
        old.damaged ? "; the file as it was is kept as " + io::keep_copy(file).string() : "";
    log_.line("warning        " + old.missing + " in " + file.string() + kept);
  }
  diagnostics_.open(file, header + "\n" + old.rows);
}

template <class Real>
void Outputs<Real>::begin(const solver::Clock& clock, const solver::State<Real>& state) {
  const bool fresh = !restart_.goes_on();
  last_ = diagnostics_now(clock, state.temperature());
  first_ = last_;
  bounds_check_.begin(first_);
  open();
  if (fresh) add_row();
  diagnosed_step_ = clock.step();
  // a killed run may have written a checkpoint but not the snapshot of the same step
  files_.write(clock, state, false,
               files_.lacks_field(clock.step()) && (fresh || field_due(clock)));
  progress_.begin(clock.progress());
}

template <class Real>
solver::AccumulatorBoard<Real>* Outputs<Real>::instrument(const solver::Clock& clock) {
  solver::Clock next = clock;
  next.advance();
  instrumented_step_ = -1;  // a rejected trial of the step may have been instrumented
  if (!is_diagnosed(next)) return nullptr;
  instrumented_step_ = next.step();
  board_.begin(clock.dt());
  return &board_;
}

template <class Real>
int Outputs<Real>::plain_steps(const solver::Clock& clock, int most) const {
  auto next = clock;
  for (int n = 0; n < most; ++n) {
    if (next.dt() != clock.dt()) return n;
    next.advance();
    if (is_diagnosed(next)) return n;
    if (due_now(next, {}).any()) return n + 1;
  }
  return most;
}

/// Of an instrumented step, or of a state that no step of this run led to.
template <class Real>
Diagnostics Outputs<Real>::diagnostics_now(const solver::Clock& clock,
                                           const solver::Field<Real>& temperature) {
  const auto settings = board_.settings();
  const bool instrumented = instrumented_step_ == clock.step();
  const auto accumulator =
      instrumented ? board_.collect() : solver::accumulate(temperature, temperature, settings);
  auto result = reduce_diagnostics(world_, grid_, sensors_, accumulator, problem_.bounds(),
                                   settings, problem_.void_cells.body_volume, temperature, clock);
  if (instrumented)
    result.balance = reduce_balance(world_, grid_, places_, *board_.flows(),
                                    problem_.void_cells.power_of_flux, result.heat_change);
  return result;
}

template <class Real>
auto Outputs<Real>::due_now(const solver::Clock& clock, const RunRequests& requests) const -> Due {
  const bool diagnostics = diagnostics_schedule_.due(clock);
  return {.diagnostics = diagnostics,
          .watchdog = diagnostics || watchdog_schedule_.due(clock),
          .checkpoint = requests.checkpoint || checkpoint_schedule_.due(clock),
          .field = files_.has_series() && field_due(clock)};
}

template <class Real>
void Outputs<Real>::after_step(const solver::Clock& clock, const solver::State<Real>& state,
                               const RunRequests& requests, PhaseTimers& timers) {
  const auto now = due_now(clock, requests);
  if (now.any()) streams_.fence();  // the wait counts as time of the steps, not of the outputs
  timers.begin_outputs();
  if (now.watchdog && !now.diagnostics) update_last(clock, state.temperature());
  if (now.diagnostics) diagnose(clock, state.temperature());
  timers.ends(Phase::diagnostics);
  if (requests.writes_ended) files_.collect();  // before new files begin
  files_.write(clock, state, now.checkpoint, now.field);
  files_.poll();
  if (requests.met) check_rows(false);
  if (!clock.finished()) show(clock);
  timers.ends(Phase::output);
}

template <class Real>
void Outputs<Real>::end(const solver::Clock& clock, const solver::State<Real>& state) {
  diagnose(clock, state.temperature());
  if (clock.step() > restart_.step()) show(clock);
  files_.collect();
  files_.write(clock, state, !files_.has_checkpoint(clock.step()),
               files_.lacks_field(clock.step()));
  files_.collect();
  progress_.interrupt();
  files_.require_checkpoint(clock.step());
  check_rows(true);
}

template <class Real>
void Outputs<Real>::stop(const solver::Clock& clock, const solver::State<Real>& state) {
  files_.collect();
  files_.write(clock, state, !files_.has_checkpoint(clock.step()), false);
  files_.collect();
  update_last(clock, state.temperature());
  progress_.interrupt();
  files_.require_checkpoint(clock.step());
  check_rows(true);
}

template <class Real>
void Outputs<Real>::diagnose(const solver::Clock& clock, const solver::Field<Real>& temperature) {
  if (diagnosed_step_ == clock.step()) return;
  update_last(clock, temperature);
  diagnosed_step_ = clock.step();
  add_row();
}

/// A temperature out of bounds is a warning, as methods that are not monotone may overshoot.
template <class Real>
void Outputs<Real>::update_last(const solver::Clock& clock,
                                const solver::Field<Real>& temperature) {
  last_ = diagnostics_now(clock, temperature);
  for (const auto& found : bounds_check_.check(last_)) {
    policy_.warn(
        "T is " + found.text(config_.output_unit()) + ", the " + (found.above ? "most" : "least") +
        " that initial field, sides and sources allow (steps beyond the monotone bound and "
        "those of rkl2 may overshoot); choose time.integrator: euler or rk2 with "
        "time.bound: monotone");
  }
}

/// Adds no row if another run has taken over the output directory.
template <class Real>
void Outputs<Real>::add_row() {
  if (!world_.is_root()) return;
  try {
    if (restart_.lock) restart_.lock->require();
    diagnostics_.add(csv_row(in_unit(last_, config_.output_unit()), places_));
  } catch (const comm::Error&) {  // check_rows ends the run when the ranks next meet
  }
}

/// Reports waiting rows once when they begin to wait, and again at the end, when they are lost.
template <class Real>
void Outputs<Real>::check_rows(bool at_end) {
  try {
    comm::agree(world_, [&] {
      if (restart_.lock && restart_.lock->lost()) restart_.lock->require();
      const auto failure = diagnostics_.failure();
      if (failure) throw comm::Error(*failure);
    });
    rows_wait_ = false;
  } catch (const comm::CollectiveError& failure) {
    comm::agree(world_, [&] {
      if (restart_.lock && restart_.lock->lost())
        restart_.lock->require();  // ends the run in any case
    });
    if (at_end || !rows_wait_)
      policy_.report(failure,
                     at_end ? "the last rows are missing" : "rows wait until it can be written");
    rows_wait_ = true;
  }
}

template <class Real>
void Outputs<Real>::show(const solver::Clock& clock) {
  progress_.update(clock.progress(), [&] {
    std::ostringstream text;
    text.precision(4);
    const auto unit = config_.output_unit();
    const auto shown = in_unit(last_, unit);
    text << "step " << clock.step() << "  t = " << clock.time() << " s  T = " << shown.lowest
         << " .. " << shown.highest << " " << io::symbol(unit);
    if (last_.step != clock.step()) text << " at step " << last_.step;
    return text.str();
  });
}

template class Outputs<float>;
template class Outputs<double>;

}  // namespace halotherm::app
