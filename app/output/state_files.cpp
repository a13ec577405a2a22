// SPDX-License-Identifier: MIT
#include "app/output/state_files.hpp"

#include "app/config/writer.hpp"
#include "app/domain/geometry.hpp"
#include "app/output/run_files.hpp"
#include "app/results/output_directory.hpp"
#include "comm/system/version.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::app {

namespace {
/// Write rate assumed before the first checkpoint [B/s].
constexpr double assumed_rate = 2e8;
}  // namespace

comm::Quantity shown_temperature(const Config& config) {
  auto quantity = comm::temperature;
  quantity.unit = io::symbol(config.output_unit());
  return quantity;
}

void Written::add(const io::WrittenFile& file) {
  ++files;
  bytes += file.bytes;
  seconds += file.seconds;
  latency = std::max(latency, file.latency);
  hints = file.hints;
}

template <class Real>
StateFiles<Real>::StateFiles(const Domain<Real>& domain, const Config& config,
                             std::vector<comm::Quantity> quantities, const RestartState& restart,
                             const std::vector<io::InputChecksum>& inputs,
                             const FailurePolicy& policy, std::function<void()> publishing)
    : world_(domain.world),
      config_(config),
      owned_(domain.owned),
      quantities_(std::move(quantities)),
      restart_(restart),
      inputs_(inputs),
      policy_(policy),
      publishing_(std::move(publishing)),
      shape_(shape_of(domain.grid)),
      resolved_(to_yaml(config)),
      blocks_(comm::blocks_of(domain.partition)),
      checkpoint_values_(io::domains_to_write(shape_.cells, sizeof(Real), world_.size()), blocks_,
                         world_.rank()),
      snapshot_(owned_, quantities_.size()),
      how_(choose_file_writer(world_, config)),
      writer_(world_, how_.settings) {
  if (restart.goes_on()) checkpoint_step_ = restart.step();
}

template <class Real>
void StateFiles<Real>::open() {
  if (!how_.warning.empty()) policy_.warn(how_.warning);
  io::prepare_checkpoint_folder(world_, OutputDirectory(config_.output.directory).checkpoints());
  if (!config_.output.fields.every && !config_.output.fields.steps) return;
  const auto restart = restart_.goes_on() ? std::optional(restart_.step()) : std::nullopt;
  series_.emplace(world_, OutputDirectory(config_.output.directory).fields(), field_series_name,
                  snapshot_format(config_), shape_, resolved_, restart,
                  std::vector<comm::Quantity>(1, shown_temperature(config_)));
  const auto& layout = series_->layout();
  auto points = blocks_;
  for (auto& block : points) block = io::points_of(layout, block);
  field_values_.emplace(io::domains_to_write(layout.axes.extent, sizeof(Real), world_.size()),
                        points, world_.rank());
}

template <class Real>
void StateFiles<Real>::write(const solver::Clock& clock, const solver::State<Real>& state,
                             bool checkpoint, bool field) {
  if (!checkpoint && !field) return;
  const comm::Stopwatch stopwatch;
  collect();
  snapshot_.take(state);
  if (checkpoint) start_checkpoint(clock, state);
  if (field) start_field(clock);
  (checkpoint ? checkpoints_ : fields_).waited += stopwatch.seconds();
}

template <class Real>
void StateFiles<Real>::start_checkpoint(const solver::Clock& clock,
                                        const solver::State<Real>& state) {
  const io::CheckpointInfo info{.grid = shape_,
                                .fields = quantities_,
                                .precision = {},
                                .step = clock.step(),
                                .time = clock.time(),
                                .dt = clock.full_dt(),
                                .title = config_.title,
                                .config = resolved_,
                                .version = version,
                                .commit = commit,
                                .numbers = state.numbers(),
                                .inputs = inputs_,
                                .chunks = {},
                                .chunk_checksums = {},
                                .checksum = 0};
  auto file = io::checkpoint_file<Real>(OutputDirectory(config_.output.directory).checkpoints(),
                                        info, config_.output.keep);
  file.publishing = publishing_;
  writer_.start(std::move(file), checkpoint_values_, [this] { return snapshot_.values(); });
  under_way_.push_back(&checkpoints_);
  checkpoint_step_ = clock.step();
}

template <class Real>
void StateFiles<Real>::start_field(const solver::Clock& clock) {
  auto file = series_->snapshot(clock.step(), clock.time());
  file.publishing = [this] {
    if (restart_.lock) restart_.lock->require();
  };
  writer_.start(std::move(file), *field_values_, [this] { return point_values(); });
  under_way_.push_back(&fields_);
}

/// The values at the points of a snapshot, in its unit; the points are the cells unless an axis is
/// flat.
template <class Real>
std::span<const Real> StateFiles<Real>::point_values() {
  const auto unit = config_.output_unit();
  const auto values = snapshot_.values().first(static_cast<std::size_t>(owned_.size()));
  if (field_values_->block().size() != owned_.size()) {
    point_values_ = io::values_at_points(series_->layout(), owned_, values);
  } else if (unit == io::TemperatureUnit::kelvin) {
    return values;
  } else {
    point_values_.assign(values.begin(), values.end());
  }
  for (auto& value : point_values_)
    value = static_cast<Real>(io::from_kelvin(static_cast<double>(value), unit));
  return point_values_;
}

template <class Real>
Writing StateFiles<Real>::writing() const {
  if (under_way_.empty()) return Writing::nothing;
  return writer_.idle() ? Writing::ended : Writing::under_way;
}

template <class Real>
void StateFiles<Real>::collect() {
  const comm::Stopwatch stopwatch;
  const auto kinds = std::exchange(under_way_, {});
  const auto outcomes = writer_.collect();
  std::optional<comm::CollectiveError> failure;
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    const auto& [file, failed] = outcomes[n];
    if (!failed) {
      kinds[n]->add(file);
      if (!file.remark.empty()) policy_.warn(file.remark);
      continue;
    }
    ++kinds[n]->failures;
    if (kinds[n] == &checkpoints_) {
      checkpoint_step_ = -1;
      checkpoint_failure_ = failed;
    }
    if (!failure) failure = failed;
  }
  if (!kinds.empty()) kinds.front()->waited += stopwatch.seconds();
  if (failure) policy_.report(*failure);
}

template <class Real>
void StateFiles<Real>::finish() {
  under_way_.clear();
  for (const auto& outcome : writer_.collect()) {
    if (outcome.failure) policy_.warn(outcome.failure->what());
  }
}

template <class Real>
void StateFiles<Real>::require_checkpoint(std::int64_t step) const {
  if (!has_checkpoint(step)) throw comm::CollectiveError(*checkpoint_failure_);
}

template <class Real>
double StateFiles<Real>::reserve() const {
  const double cells = static_cast<double>(comm::Box{{0, 0, 0}, shape_.cells}.size());
  const double bytes = static_cast<double>(quantities_.size() * sizeof(Real)) * cells;
  return 5 + 2 * (checkpoints_.files > 0 ? checkpoints_.latency : bytes / assumed_rate);
}

template class StateFiles<float>;
template class StateFiles<double>;

}  // namespace halotherm::app
