// SPDX-License-Identifier: MIT
#include "app/output/run_files.hpp"

#include "app/domain/geometry.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

/// How often a schedule is due after a step, and whether it is after the last one.
struct Due {
  std::int64_t times = 0;
  bool at_end = false;
};

/// `last_dt`: the last step's length, 0 where steps end at each multiple [s].
Due due_times(const ScheduleConfig& schedule, std::int64_t steps, double end, double last_dt) {
  constexpr double rounding = 1e-9;
  if (schedule.steps) return {steps / *schedule.steps, steps % *schedule.steps == 0};
  if (!schedule.every) return {};
  const double multiples = std::floor(end / *schedule.every + rounding);
  const double since = end - multiples * *schedule.every;
  return {std::min(static_cast<std::int64_t>(multiples), steps),
          multiples > 0 && since < std::max(last_dt, rounding * end)};
}

std::int64_t file_bytes(const comm::Int3& extent, std::int64_t element) {
  constexpr std::int64_t alignment = 1 << 20;  // of values, as HDF5 is told
  const auto values = comm::Box{{0, 0, 0}, extent}.size() * element;
  return values < alignment ? values : values + alignment;
}

}  // namespace

io::SnapshotFormat snapshot_format(const Config& config) {
  const auto format = config.output.fields_format;
  const bool image =
      format == FieldsFormat::automatic ? config.grid.even() : format == FieldsFormat::vtkhdf;
  return image ? io::SnapshotFormat::vtkhdf : io::SnapshotFormat::netcdf;
}

std::int64_t RunFiles::bytes() const {
  constexpr double most = 9e18;
  double all = 0;
  for (const auto& files : {checkpoints, snapshots})
    all += static_cast<double>(files.count.value_or(0)) * static_cast<double>(files.bytes_each);
  return static_cast<std::int64_t>(std::min(all, most));
}

RunFiles files_of_run(const Config& config, std::int64_t steps, double dt,
                      std::optional<double> seconds) {
  const auto& output = config.output;
  const double end = config.time.end.value_or(static_cast<double>(steps) * dt);
  const double last_dt = std::clamp(end - static_cast<double>(steps - 1) * dt, 0.0, dt);
  const auto shape = shape_of(make_grid(config));
  const std::int64_t element = config.grid.element_bytes();
  RunFiles files;
  files.checkpoints.bytes_each = file_bytes(shape.cells, element);
  const auto due = due_times(output.checkpoint, steps, end, last_dt);
  files.checkpoints.count = due.times + (due.at_end ? 0 : 1);
  if (output.checkpoint.walltime) {
    files.checkpoints.count.reset();
    if (seconds)
      files.checkpoints.count =
          1 + static_cast<std::int64_t>(std::floor(*seconds / *output.checkpoint.walltime));
  }
  files.snapshots.count = 0;
  if (!output.fields.every && !output.fields.steps) return files;
  const auto shown = due_times(output.fields, steps, end, 0);
  files.snapshots.count = 1 + shown.times + (shown.at_end ? 0 : 1);
  files.snapshots.bytes_each =
      file_bytes(io::snapshot_layout(snapshot_format(config), shape).axes.extent, element);
  return files;
}

}  // namespace halotherm::app
