// SPDX-License-Identifier: MIT
#include "io/field/field_series.hpp"

#include "comm/mpi/error.hpp"
#include "io/files/durable_file.hpp"
#include "io/hdf5/input_file.hpp"
#include "io/hdf5/library.hpp"
#include "io/hdf5/values.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace halotherm::io {

namespace {

std::string prefix_of(const std::string& name) {
  return name + "_";
}

}  // namespace

std::filesystem::path series_list(const std::filesystem::path& folder, const std::string& name,
                                  SnapshotFormat format) {
  return folder / (name + suffix_of(format) + ".series");
}

std::vector<NumberedFile> snapshots_in(const std::filesystem::path& folder, const std::string& name,
                                       SnapshotFormat format) {
  return numbered_files(folder, prefix_of(name), suffix_of(format));
}

void remove_stale_snapshots(const std::filesystem::path& folder, const std::string& name) {
  for (const auto format : snapshot_formats) {
    remove_stale_partials(folder, prefix_of(name), suffix_of(format));
    remove_file(partial_path(series_list(folder, name, format)));
  }
}

std::map<std::string, double> listed_times(const std::filesystem::path& series) {
  std::map<std::string, double> times;
  std::ifstream stream(series);
  if (!stream) return times;
  try {
    const auto content = nlohmann::json::parse(stream);
    for (const auto& entry : content.at("files"))
      times[entry.at("name").get<std::string>()] = entry.at("time").get<double>();
  } catch (const nlohmann::json::exception& error) {
    fail("cannot go on with the series", series, error.what(), "move it away to start a new one");
  }
  return times;
}

void write_series_list(const std::filesystem::path& series,
                       const std::vector<std::pair<std::string, double>>& times) {
  nlohmann::ordered_json content{{"file-series-version", "1.0"},
                                 {"files", nlohmann::ordered_json::array()}};
  for (const auto& [name, time] : times)
    content["files"].push_back({{"name", name}, {"time", time}});
  write_text_file(series, content.dump(2) + "\n");
}

namespace {

/// The time of a snapshot of a run that was killed before it could list it; none if the file is not
/// such a snapshot. Its configuration may differ from this run's.
std::optional<double> unlisted_time(const NumberedFile& file) {
  try {
    const auto handle = hdf5::open_to_read(file.path, "snapshot");
    if (hdf5::read_text_attribute(handle.get(), "format") != "halotherm-snapshot")
      return std::nullopt;
    if (hdf5::read_integers(handle.get(), "step", 1)[0] != file.step) return std::nullopt;
    return hdf5::read_reals(handle.get(), "time", 1)[0];
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

}  // namespace

FieldSeries::FieldSeries(const comm::Communicator& communicator, std::filesystem::path folder,
                         std::string name, SnapshotFormat format, GridShape grid,
                         std::string config, std::optional<std::int64_t> restart_step,
                         std::vector<comm::Quantity> fields)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      format_(format),
      grid_(grid),
      layout_(snapshot_layout(format, grid)),
      config_(std::move(config)),
      fields_(std::move(fields)) {
  const hdf5::QuietErrors quiet;
  std::vector<std::int64_t> steps;
  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    make_folder(folder_);
    remove_stale_snapshots(folder_, name_);
    // a run that was stopped may have written another format
    for (const auto each : snapshot_formats) {
      if (!restart_step) continue;
      const auto kept = resumed(each, *restart_step);
      const auto file = series_list(folder_, name_, each);
      const auto list = times(each, kept);
      if (std::map(list.begin(), list.end()) != listed_times(file))
        write_series_list(file, list);  // even if no other snapshot follows
      if (each == format_) snapshots_ = kept;
    }
    for (const auto& snapshot : snapshots_) steps.push_back(snapshot.step);
  });
  const auto count = communicator.max(static_cast<std::int64_t>(steps.size()));
  steps.resize(static_cast<std::size_t>(count));
  communicator.broadcast(steps);
  steps_.insert(steps.begin(), steps.end());
}

std::filesystem::path FieldSeries::series_file() const {
  return series_list(folder_, name_, format_);
}

/// The folder's snapshots up to the step; removes later ones.
std::vector<FieldSeries::Snapshot> FieldSeries::resumed(SnapshotFormat format,
                                                        std::int64_t restart_step) const {
  const auto times = listed_times(series_list(folder_, name_, format));
  std::vector<Snapshot> kept;
  for (const auto& file : snapshots_in(folder_, name_, format)) {
    const auto listed = times.find(file.path.filename().string());
    if (file.step > restart_step) {
      if (const auto reason = remove_file(file.path); !reason.empty())
        fail("cannot remove the later snapshot", file.path, reason, "remove it by hand");
    } else if (listed != times.end()) {
      kept.push_back({file.step, listed->second});
    } else if (const auto time = unlisted_time(file)) {
      kept.push_back({file.step, *time});
    }
  }
  return kept;
}

std::string FieldSeries::file_name(SnapshotFormat format, std::int64_t step) const {
  return numbered_name(prefix_of(name_), step, suffix_of(format));
}

std::vector<std::pair<std::string, double>> FieldSeries::times(
    SnapshotFormat format, const std::vector<Snapshot>& snapshots) const {
  std::vector<std::pair<std::string, double>> list;
  for (const auto& [step, time] : snapshots) list.emplace_back(file_name(format, step), time);
  return list;
}

/// Writes everything but the fields' values.
void FieldSeries::describe(hid_t file, std::span<const hdf5::Dataset> datasets,
                           const Snapshot& snapshot, bool fills) const {
  layout_.describe_grid(file, datasets, fills);
  hdf5::write_attribute(file, "format", std::string("halotherm-snapshot"));
  hdf5::write_attribute(file, "format_version", std::int64_t{1});
  hdf5::write_attribute(file, "step", snapshot.step);
  hdf5::write_attribute(file, "time", snapshot.time);
  hdf5::write_attribute(file, "time_unit", std::string("s"));
  hdf5::write_attribute(file, "length_unit", std::string("m"));
  for (std::size_t n = 0; n < fields_.size(); ++n)
    hdf5::write_attribute(datasets[n].get(), "units", fields_[n].unit);
  hdf5::write_text(file, layout_.config, config_, fills);
}

SharedField FieldSeries::snapshot(std::int64_t step, double time) {
  steps_.insert(step);
  SharedField field;
  field.path = folder_ / file_name(format_, step);
  field.grid = grid_;
  field.group = layout_.group;
  field.fields = fields_;
  field.axes = layout_.axes;
  field.description_bytes = static_cast<std::int64_t>(config_.size()) + layout_.grid_bytes + 65536;
  field.describe = [this, step, time](hid_t file, std::span<const hdf5::Dataset> datasets,
                                      bool fills) {
    describe(file, datasets, {step, time}, fills);
  };
  field.published = [this, step, time] {
    const auto place = std::ranges::lower_bound(snapshots_, step, {}, &Snapshot::step);
    snapshots_.insert(place, {step, time});
    write_series_list(series_file(), times(format_, snapshots_));
    return std::string();
  };
  return field;
}

}  // namespace halotherm::io
