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

constexpr std::string_view suffix = ".hdf";

std::string prefix_of(const std::string& name) {
  return name + "_";
}

}  // namespace

std::filesystem::path series_list(const std::filesystem::path& folder, const std::string& name) {
  return folder / (name + std::string(suffix) + ".series");
}

std::vector<NumberedFile> snapshots_in(const std::filesystem::path& folder,
                                       const std::string& name) {
  return numbered_files(folder, prefix_of(name), suffix);
}

void remove_stale_snapshots(const std::filesystem::path& folder, const std::string& name) {
  remove_stale_partials(folder, prefix_of(name), suffix);
  remove_file(partial_path(series_list(folder, name)));
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
                         std::string name, GridShape grid, std::string config,
                         std::optional<std::int64_t> restart_step,
                         std::vector<comm::Quantity> fields)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      grid_(grid),
      image_(vtk_image(grid)),
      config_(std::move(config)),
      fields_(std::move(fields)) {
  const hdf5::QuietErrors quiet;
  std::vector<std::int64_t> steps;
  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    make_folder(folder_);
    remove_stale_snapshots(folder_, name_);
    if (restart_step) {
      snapshots_ = resumed(*restart_step);
      const auto list = times();
      if (std::map(list.begin(), list.end()) != listed_times(series_file()))
        write_series_list(series_file(), list);  // even if no other snapshot follows
    }
    for (const auto& snapshot : snapshots_) steps.push_back(snapshot.step);
  });
  const auto count = communicator.max(static_cast<std::int64_t>(steps.size()));
  steps.resize(static_cast<std::size_t>(count));
  communicator.broadcast(steps);
  steps_.insert(steps.begin(), steps.end());
}

std::filesystem::path FieldSeries::series_file() const {
  return series_list(folder_, name_);
}

/// The folder's snapshots up to the step; removes later ones.
std::vector<FieldSeries::Snapshot> FieldSeries::resumed(std::int64_t restart_step) const {
  const auto times = listed_times(series_file());
  std::vector<Snapshot> kept;
  for (const auto& file : snapshots_in(folder_, name_)) {
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

std::string FieldSeries::file_name(std::int64_t step) const {
  return numbered_name(prefix_of(name_), step, suffix);
}

std::vector<std::pair<std::string, double>> FieldSeries::times() const {
  std::vector<std::pair<std::string, double>> list;
  for (const auto& [step, time] : snapshots_) list.emplace_back(file_name(step), time);
  return list;
}

SharedField FieldSeries::snapshot(std::int64_t step, double time) {
  steps_.insert(step);
  SharedField field;
  field.path = folder_ / file_name(step);
  field.grid = grid_;
  field.group = vtk_group;
  field.fields = fields_;
  field.axes = image_.axes;
  field.description_bytes = static_cast<std::int64_t>(config_.size()) + 65536;
  field.describe = [this, step, time](hid_t file, std::span<const hdf5::Dataset> datasets,
                                      bool fills) {
    write_vtk_metadata(file, datasets, fields_, image_, step, time, config_, fills);
  };
  field.published = [this, step, time] {
    const auto place = std::ranges::lower_bound(snapshots_, step, {}, &Snapshot::step);
    snapshots_.insert(place, {step, time});
    write_series_list(series_file(), times());
    return std::string();
  };
  return field;
}

}  // namespace halotherm::io
