// SPDX-License-Identifier: MIT
#include "app/outputs.hpp"

#include "app/problem.hpp"
#include "comm/error.hpp"
#include "comm/version.hpp"
#include "solver/diagnostics.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>

namespace halotherm::app {

namespace {

/// The rows of an earlier run's diagnostics up to and with the step that a restart begins at.
std::string rows_until(const std::filesystem::path& file, std::int64_t step) {
  std::ifstream old(file);
  std::string kept;
  std::string row;
  std::getline(old, row);  // header
  while (std::getline(old, row)) {
    if (row.empty() || std::strtoll(row.c_str(), nullptr, 10) > step) break;
    kept += row + "\n";
  }
  return kept;
}

}  // namespace

template <class Real>
Outputs<Real>::Outputs(const comm::Communicator& world, const comm::Streams& streams, const Config& config,
                       const solver::HeatEquation<Real>& equation, const comm::Box& owned, const Start& start, const io::Log& log)
    : world_(world),
      streams_(streams),
      config_(config),
      owned_(owned),
      start_(start),
      grid_(make_grid(config.grid)),
      resolved_(to_yaml(config)),
      log_(log),
      progress_(log),
      diagnostics_schedule_{std::nullopt, config.output.diagnostics_steps},
      board_(equation, solver::TallyScales::for_capacity(world.max(equation.largest_capacity(owned)))),
      checkpoint_schedule_(schedule_of(config.output.checkpoint)),
      checkpoint_wall_schedule_(config.output.checkpoint.walltime),
      field_schedule_(schedule_of(config.output.fields)) {
  if (start.checkpoint) checkpoint_step_ = start.step();
}

template <class Real>
void Outputs<Real>::open() {
  comm::agree(world_, [&] {
    if (world_.is_root() && !start_.checkpoint) remove_results(config_);
  });
  if (field_schedule_.every || field_schedule_.steps) {
    const auto restart = start_.checkpoint ? std::optional(start_.step()) : std::nullopt;
    series_.emplace(world_, field_folder(config_), "temperature", shape_of(grid_), resolved_, restart);
  }
  comm::agree(world_, [&] {
    if (world_.is_root()) open_diagnostics();
  });
}

template <class Real>
void Outputs<Real>::open_diagnostics() {
  const auto file = config_.output.directory / "diagnostics.csv";
  std::filesystem::create_directories(config_.output.directory);
  const auto kept = start_.checkpoint ? rows_until(file, start_.step()) : std::string();
  diagnostics_.open(file, std::ios::trunc);
  diagnostics_ << csv_header(config_.output.probes) << "\n" << kept << std::flush;
  if (!diagnostics_) {
    throw comm::Error(comm::ExitCode::input_output, "cannot write " + file.string() + " (" + std::strerror(errno) +
                                                        ") free some space or choose another output.directory");
  }
}

template <class Real>
void Outputs<Real>::begin(const solver::Clock& clock, const solver::Field<Real>& temperature) {
  const bool fresh = clock.step() == 0;
  last_ = observe_now(clock, temperature, temperature);
  first_ = last_;
  open();
  if (fresh && world_.is_root()) diagnostics_ << csv_row(last_) << "\n" << std::flush;
  if (series_) write_field(clock, temperature);
  progress_.begin(clock.progress());
}

template <class Real>
solver::TallyBoard<Real>* Outputs<Real>::watch(const solver::Clock& clock) {
  solver::Clock next = clock;
  next.advance();
  if (!diagnostics_schedule_.due(next) && !next.finished()) return nullptr;
  watched_step_ = next.step();
  board_.clear();
  return &board_;
}

template <class Real>
Observation Outputs<Real>::observe_now(const solver::Clock& clock, const solver::Field<Real>& temperature,
                                       const solver::Field<Real>& previous) const {
  const auto settings = board_.settings();
  const auto tally = watched_step_ == clock.step() ? board_.collect() : solver::tally_of(temperature, previous, settings);
  return observe(world_, grid_, config_.output.probes, tally, settings, temperature, clock);
}

template <class Real>
void Outputs<Real>::after_step(const solver::Clock& clock, const solver::Field<Real>& temperature,
                               const solver::Field<Real>& previous, comm::PhaseTimers& timers) {
  const bool diagnostics = diagnostics_schedule_.due(clock);
  const bool checkpoint = checkpoint_wall_schedule_.due(world_, clock.step()) || checkpoint_schedule_.due(clock);
  const bool field = series_ && field_schedule_.due(clock);
  if (diagnostics || checkpoint || field) streams_.fence();  // outputs read what steps computed; their time, not that of outputs
  timers.begin_outputs();
  if (diagnostics) diagnose(clock, temperature, previous);
  timers.ends(comm::Phase::diagnostics);
  if (checkpoint) write_checkpoint(clock, temperature);
  if (field) write_field(clock, temperature);
  show(clock);
  timers.ends(comm::Phase::output);
}

template <class Real>
void Outputs<Real>::end(const solver::Clock& clock, const solver::Field<Real>& temperature, const solver::Field<Real>& previous) {
  if (last_.step != clock.step()) diagnose(clock, temperature, previous);
  if (checkpoint_step_ != clock.step()) write_checkpoint(clock, temperature);
  if (series_ && field_step_ != clock.step()) write_field(clock, temperature);
  progress_.interrupt();
}

template <class Real>
void Outputs<Real>::diagnose(const solver::Clock& clock, const solver::Field<Real>& temperature,
                             const solver::Field<Real>& previous) {
  last_ = observe_now(clock, temperature, previous);
  if (world_.is_root()) diagnostics_ << csv_row(last_) << "\n" << std::flush;
}

template <class Real>
std::span<const Real> Outputs<Real>::on_host(const solver::Field<Real>& temperature) {
  host_.resize(static_cast<std::size_t>(owned_.size()));
  solver::copy_to_host<Real>(temperature, owned_, host_);
  return host_;
}

template <class Real>
void Outputs<Real>::write_checkpoint(const solver::Clock& clock, const solver::Field<Real>& temperature) {
  const comm::Stopwatch watch;
  io::CheckpointInfo info{.grid = shape_of(grid_),
                          .precision = sizeof(Real) == 8 ? "float64" : "float32",
                          .step = clock.step(),
                          .time = clock.time(),
                          .dt = clock.full_dt(),
                          .title = config_.title,
                          .config = resolved_,
                          .version = version,
                          .commit = commit,
                          .checksum = 0};
  const auto file =
      io::write_checkpoint<Real>(world_, checkpoint_folder(config_), info, owned_, on_host(temperature), config_.output.keep);
  checkpoint_step_ = clock.step();
  note(file, checkpoints_, watch.seconds());
}

template <class Real>
void Outputs<Real>::write_field(const solver::Clock& clock, const solver::Field<Real>& temperature) {
  const comm::Stopwatch watch;
  const auto file = series_->template write<Real>(clock.step(), clock.time(), owned_, on_host(temperature));
  field_step_ = clock.step();
  note(file, fields_, watch.seconds());
}

template <class Real>
void Outputs<Real>::note(const io::WrittenFile& file, Written& written, double seconds) {
  written.add(file, seconds);
  if (file.remark.empty()) return;
  progress_.interrupt();
  log_.line("warning        " + file.remark);
}

template <class Real>
void Outputs<Real>::show(const solver::Clock& clock) {
  progress_.update(clock.progress(), [&] {
    std::ostringstream text;
    text.precision(4);
    text << "step " << clock.step() << "  t = " << clock.time() << " s  T = " << last_.lowest << " .. " << last_.highest << " K";
    return text.str();
  });
}

template class Outputs<float>;
template class Outputs<double>;

}  // namespace halotherm::app
