// SPDX-License-Identifier: MIT
#include "app/outputs.hpp"

#include "app/problem.hpp"
#include "comm/error.hpp"
#include "comm/version.hpp"
#include "solver/diagnostics.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

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

/// Until one was measured, disks are taken to be this slow [B/s].
constexpr double assumed_rate = 2e8;

}  // namespace

void Written::add(const io::WrittenFile& file) {
  ++files;
  bytes += file.bytes;
  seconds += file.seconds;
  latency = std::max(latency, file.latency);
}

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
      watchdog_schedule_{std::nullopt, config.watchdog.steps},
      board_(equation, solver::TallyScales::for_capacity(world.max(equation.largest_capacity(owned)))),
      checkpoint_schedule_(schedule_of(config.output.checkpoint)),
      field_schedule_(schedule_of(config.output.fields)),
      blocks_(io::gather_blocks(world, owned)),
      checkpoint_plan_(io::make_write_plan(io::chunks_of(grid_.cells), blocks_, world.rank())),
      snapshot_(owned),
      writer_(world) {
  if (start.goes_on()) checkpoint_step_ = start.step();
}

template <class Real>
void Outputs<Real>::open() {
  comm::agree(world_, [&] {
    if (world_.is_root() && !start_.goes_on()) remove_results(config_);
  });
  io::prepare_checkpoint_folder(world_, checkpoint_folder(config_));
  if (field_schedule_.every || field_schedule_.steps) {
    const auto restart = start_.goes_on() ? std::optional(start_.step()) : std::nullopt;
    series_.emplace(world_, field_folder(config_), "temperature", shape_of(grid_), resolved_, restart);
    const auto& image = series_->image();
    auto points = blocks_;
    for (auto& block : points) block = io::points_of(image, block);
    field_plan_ = io::make_write_plan(io::chunks_of(image.axes.extent), points, world_.rank());
  }
  comm::agree(world_, [&] {
    if (world_.is_root()) open_diagnostics();
  });
}

template <class Real>
void Outputs<Real>::open_diagnostics() {
  const auto file = config_.output.directory / "diagnostics.csv";
  std::filesystem::create_directories(config_.output.directory);
  diagnostics_.open(file, csv_header(config_.output.probes) + "\n" + (start_.goes_on() ? rows_until(file, start_.step()) : ""));
}

template <class Real>
void Outputs<Real>::begin(const solver::Clock& clock, const solver::Field<Real>& temperature) {
  const bool fresh = !start_.goes_on();
  last_ = observe_now(clock, temperature, temperature);
  first_ = last_;
  open();
  if (fresh && world_.is_root()) diagnostics_.add(csv_row(last_));
  diagnosed_step_ = clock.step();
  write(clock, temperature, false, series_ && fresh);
  progress_.begin(clock.progress());
}

template <class Real>
solver::TallyBoard<Real>* Outputs<Real>::watch(const solver::Clock& clock) {
  solver::Clock next = clock;
  next.advance();
  if (!diagnostics_schedule_.due(next) && !watchdog_schedule_.due(next) && !next.finished()) return nullptr;
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
                               const solver::Field<Real>& previous, const Orders& orders, comm::PhaseTimers& timers) {
  const bool diagnostics = diagnostics_schedule_.due(clock);
  const bool watchdog = diagnostics || watchdog_schedule_.due(clock);
  const bool checkpoint = orders.checkpoint || checkpoint_schedule_.due(clock);
  const bool field = series_ && field_schedule_.due(clock);
  if (watchdog || checkpoint || field) streams_.fence();  // outputs read what steps computed; their time, not that of outputs
  timers.begin_outputs();
  if (watchdog && !diagnostics) last_ = observe_now(clock, temperature, previous);
  if (diagnostics) diagnose(clock, temperature, previous);
  timers.ends(comm::Phase::diagnostics);
  if (checkpoint || field) write(clock, temperature, checkpoint, field);
  writer_.poll();
  if (orders.met) check_diagnostics();
  if (orders.writes_ended && !under_way_.empty()) collect();
  show(clock);
  timers.ends(comm::Phase::output);
}

template <class Real>
void Outputs<Real>::end(const solver::Clock& clock, const solver::Field<Real>& temperature, const solver::Field<Real>& previous) {
  diagnose(clock, temperature, previous);
  collect();
  write(clock, temperature, checkpoint_step_ != clock.step(), series_ && field_step_ != clock.step());
  collect();
  progress_.interrupt();
  check_diagnostics();
  if (checkpoint_step_ != clock.step()) throw comm::CollectiveError(*last_failure_);
}

template <class Real>
void Outputs<Real>::stop(const solver::Clock& clock, const solver::Field<Real>& temperature) {
  collect();
  write(clock, temperature, checkpoint_step_ != clock.step(), false);
  collect();
  last_ = observe_now(clock, temperature, temperature);
  progress_.interrupt();
  if (checkpoint_step_ != clock.step()) throw comm::CollectiveError(*last_failure_);
}

template <class Real>
void Outputs<Real>::finish_writes() {
  for (const auto& outcome : writer_.collect()) {
    if (outcome.failure) warn(outcome.failure->what());
  }
  under_way_.clear();
}

template <class Real>
void Outputs<Real>::diagnose(const solver::Clock& clock, const solver::Field<Real>& temperature,
                             const solver::Field<Real>& previous) {
  if (diagnosed_step_ == clock.step()) return;
  last_ = observe_now(clock, temperature, previous);
  diagnosed_step_ = clock.step();
  if (world_.is_root()) diagnostics_.add(csv_row(last_));
}

/// The snapshot serves one moment at a time: a file system that is slower than the schedule makes the run wait here.
template <class Real>
void Outputs<Real>::write(const solver::Clock& clock, const solver::Field<Real>& temperature, bool checkpoint, bool field) {
  if (!checkpoint && !field) return;
  const comm::Stopwatch watch;
  collect();
  snapshot_.take(temperature);
  try {
    if (checkpoint) start_checkpoint(clock);
    if (field) start_field(clock);
  } catch (const comm::CollectiveError& failure) {
    report(failure);
  }
  (checkpoint ? checkpoints_ : fields_).waited += watch.seconds();
}

template <class Real>
void Outputs<Real>::start_checkpoint(const solver::Clock& clock) {
  const io::CheckpointInfo info{.grid = shape_of(grid_),
                                .precision = {},
                                .step = clock.step(),
                                .time = clock.time(),
                                .dt = clock.full_dt(),
                                .title = config_.title,
                                .config = resolved_,
                                .version = version,
                                .commit = commit,
                                .chunks = {},
                                .chunk_checksums = {},
                                .checksum = 0};
  writer_.start(io::checkpoint_file<Real>(checkpoint_folder(config_), info, config_.output.keep), checkpoint_plan_,
                [this] { return snapshot_.values(); });
  under_way_.push_back(&checkpoints_);
  checkpoint_step_ = clock.step();
}

template <class Real>
void Outputs<Real>::start_field(const solver::Clock& clock) {
  writer_.start(series_->snapshot(clock.step(), clock.time()), *field_plan_, [this] { return image_values(); });
  under_way_.push_back(&fields_);
  field_step_ = clock.step();
}

/// Of the points that a snapshot's image has; for grids without flat axes those of the cells.
template <class Real>
std::span<const Real> Outputs<Real>::image_values() {
  const auto values = snapshot_.values();
  if (field_plan_->block.size() == owned_.size()) return values;
  image_values_ = io::values_at_points(series_->image(), owned_, values);
  return image_values_;
}

template <class Real>
void Outputs<Real>::collect() {
  const comm::Stopwatch watch;
  const auto kinds = std::exchange(under_way_, {});
  const auto outcomes = writer_.collect();
  std::optional<comm::CollectiveError> failure;
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    const auto& [file, failed] = outcomes[n];
    if (!failed) {
      kinds[n]->add(file);
      if (!file.remark.empty()) warn(file.remark);
      continue;
    }
    ++kinds[n]->failures;
    if (kinds[n] == &checkpoints_) checkpoint_step_ = -1;
    if (!failure) failure = failed;
  }
  if (!kinds.empty()) kinds.front()->waited += watch.seconds();
  if (failure) report(*failure);
}

/// Ends the run, or says so and goes on, as configured; a field that is not finite is no trouble of a disk and always ends it.
template <class Real>
void Outputs<Real>::report(const comm::CollectiveError& failure) {
  last_failure_ = failure;
  if (config_.output.on_failure == OnFailure::stop || failure.code() != comm::ExitCode::input_output) {
    throw comm::CollectiveError(failure);
  }
  warn(std::string(failure.what()) + "; the run goes on without this file");
}

template <class Real>
void Outputs<Real>::check_diagnostics() {
  try {
    comm::agree(world_, [&] {
      if (world_.is_root() && diagnostics_.failure()) throw comm::Error(*diagnostics_.failure());
    });
    diagnostics_failing_ = false;
  } catch (const comm::CollectiveError& failure) {
    if (!std::exchange(diagnostics_failing_, true)) report(failure);
  }
}

template <class Real>
double Outputs<Real>::reserve() const {
  const double unmeasured = static_cast<double>(grid_.cell_count()) * sizeof(Real) / assumed_rate;
  return 5 + 2 * (checkpoints_.files > 0 ? checkpoints_.latency : unmeasured);
}

template <class Real>
void Outputs<Real>::warn(const std::string& text) {
  progress_.interrupt();
  log_.line("warning        " + text);
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
