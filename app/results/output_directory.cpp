// SPDX-License-Identifier: MIT
#include "app/results/output_directory.hpp"

#include "app/results/diagnostics_file.hpp"
#include "comm/mpi/error.hpp"
#include "io/field/checkpoint.hpp"
#include "io/field/field_series.hpp"
#include "io/files/durable_file.hpp"
#include "io/files/file_descriptor.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <set>
#include <vector>

namespace halotherm::app {

namespace fs = std::filesystem;

namespace {

using comm::Error;
using comm::ExitCode;

/// The files of a run, in the order in which they are removed or moved.
struct Results {
  std::vector<io::NumberedFile> snapshots;
  std::vector<fs::path> lists;  ///< series lists of the snapshots
  std::vector<io::NumberedFile> checkpoints;
  std::vector<fs::path> texts;  ///< diagnostics.csv, report.json

  bool empty() const {
    return snapshots.empty() && lists.empty() && checkpoints.empty() && texts.empty();
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& file : snapshots) all.push_back(file.path);
    all.insert(all.end(), lists.begin(), lists.end());
    for (const auto& file : checkpoints) all.push_back(file.path);
    all.insert(all.end(), texts.begin(), texts.end());
    return all;
  }
};

/// The regular files among `files`, and links to regular files.
std::vector<fs::path> present(std::initializer_list<fs::path> files) {
  std::vector<fs::path> found;
  std::error_code none;
  std::ranges::copy_if(files, std::back_inserter(found),
                       [&](const auto& file) { return fs::is_regular_file(file, none); });
  return found;
}

/// Those of every format.
std::vector<io::NumberedFile> snapshots_in(const OutputDirectory& directory) {
  std::vector<io::NumberedFile> all;
  for (const auto format : io::snapshot_formats)
    std::ranges::copy(io::snapshots_in(directory.fields(), field_series_name, format),
                      std::back_inserter(all));
  return all;
}

Results results_in(const OutputDirectory& directory) {
  Results results;
  results.snapshots = snapshots_in(directory);
  for (const auto format : io::snapshot_formats)
    std::ranges::copy(present({io::series_list(directory.fields(), field_series_name, format)}),
                      std::back_inserter(results.lists));
  results.checkpoints = io::checkpoint_files(directory.checkpoints());
  std::ranges::copy(io::damaged_checkpoint_files(directory.checkpoints()),
                    std::back_inserter(results.checkpoints));
  results.texts = present({directory.diagnostics(), directory.report()});
  return results;
}

template <class Files>
void keep_later(Files& files, std::int64_t step) {
  std::erase_if(files, [step](const auto& file) { return file.step <= step; });
}

/// The results of steps after `step`. The series list is not among them: it is split.
Results later_results_in(const OutputDirectory& directory, std::int64_t step) {
  Results results;
  results.snapshots = snapshots_in(directory);
  results.checkpoints = io::checkpoint_files(directory.checkpoints());
  keep_later(results.snapshots, step);
  keep_later(results.checkpoints, step);
  const bool rows = has_rows_after(directory.diagnostics(), step);
  if (rows || !results.empty()) results.texts = present({directory.report()});
  if (rows) results.texts.push_back(directory.diagnostics());
  return results;
}

void check_link(const fs::path& path) {
  std::error_code none;
  if (!fs::is_symlink(fs::symlink_status(path, none)) || fs::exists(path, none)) return;
  throw Error(
      ExitCode::input_output,
      {"'" + path.string() + "' is a link to '" + fs::read_symlink(path, none).string() + "'",
       "which does not exist; its file system may not be mounted", "mount it, or remove the link"});
}

/// Checks all folders before the first file is moved, so that no move stops halfway for lack of
/// permission.
void check_writable(const std::vector<fs::path>& files) {
  std::set<fs::path> folders;
  for (const auto& file : files) folders.insert(file.parent_path());
  for (const auto& folder : folders) {
    const auto path = folder.empty() ? fs::path(".") : folder;
    if (::access(path.c_str(), W_OK | X_OK) != 0)
      io::fail("cannot change what is in", path, errno, "check its permissions");
  }
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// A new folder set_aside_<n> that receives results.
class AsideFolder {
 public:
  explicit AsideFolder(const OutputDirectory& directory) : root_(directory.path()) {
    const auto taken = [&](const std::string& name) {
      const auto there = [&](const fs::path& folder) {
        return fs::exists(fs::symlink_status(folder / name));
      };
      return there(root_) || there(directory.checkpoints()) || there(directory.fields());
    };
    for (int n = 1; name_.empty() || taken(name_); ++n) name_ = "set_aside_" + std::to_string(n);
    io::make_folder(root_ / name_);
    used_.insert(root_ / name_);
  }

  /// The file's path below this folder.
  fs::path place_of(const fs::path& file) const {
    return root_ / name_ / file.lexically_relative(root_);
  }

  /// Moves a file and returns its new path.
  fs::path move(const fs::path& file) {
    auto place = place_of(file);
    if (moved(file, place)) return place;
    place = file.parent_path() / name_ / file.filename();  // its folder is a link or a mount point
    used_.insert(place.parent_path());
    if (!moved(file, place)) io::fail("cannot set aside", file, errno, "check the file system");
    return place;
  }

  /// Flushes the folders to the disk and returns their names.
  std::string finish() const {
    std::string text;
    for (const auto& folder : used_) {
      io::flush_folder(folder);
      text += (text.empty() ? "'" : " and '") + folder.string() + "'";
    }
    return text;
  }

 private:
  /// Returns false if `place` is on another file system.
  static bool moved(const fs::path& file, const fs::path& place) {
    io::make_folder(place.parent_path());
    std::error_code failure;
    const auto target = fs::read_symlink(file, failure);
    if (!failure && target.is_relative()) {
      fs::create_symlink(fs::canonical(file.parent_path()) / target, place);
      fs::remove(file);
      return true;
    }
    if (std::rename(file.c_str(), place.c_str()) == 0) return true;
    if (errno != EXDEV) io::fail("cannot set aside", file, errno, "check the file system");
    return false;
  }

  fs::path root_;
  std::string name_;
  std::set<fs::path> used_;
};

/// Splits a series list: the snapshots `names` moved to `folder`, the others stay.
void split_list(const OutputDirectory& directory, io::SnapshotFormat format,
                const std::set<std::string>& names, const fs::path& folder) {
  const auto list = io::series_list(directory.fields(), field_series_name, format);
  std::vector<std::pair<std::string, double>> stay, go;
  for (const auto& [name, time] : io::listed_times(list))
    (names.contains(name) ? go : stay).emplace_back(name, time);
  if (go.empty()) return;
  const auto by_time = [](const auto& a, const auto& b) { return a.second < b.second; };
  std::ranges::sort(stay, by_time);
  std::ranges::sort(go, by_time);
  io::write_series_list(io::series_list(folder, field_series_name, format), go);
  io::write_series_list(list, stay);
}

std::string move_aside(const OutputDirectory& directory, std::optional<std::int64_t> after) {
  const auto results = after ? later_results_in(directory, *after) : results_in(directory);
  if (results.empty()) return {};
  check_writable(results.files());
  AsideFolder aside(directory);
  std::set<std::string> snapshots;
  fs::path snapshots_folder;
  for (const auto& file : results.snapshots) {
    snapshots.insert(file.path.filename().string());
    snapshots_folder = aside.move(file.path).parent_path();
  }
  if (after && !snapshots.empty()) {
    for (const auto format : io::snapshot_formats)
      split_list(directory, format, snapshots, snapshots_folder);
  }
  for (const auto& file : results.lists) aside.move(file);
  for (const auto& file : results.checkpoints) aside.move(file.path);
  for (const auto& file : results.texts) {
    if (after && file == directory.diagnostics()) {
      fs::copy_file(file, aside.place_of(file));
    } else {
      aside.move(file);
    }
  }
  for (const auto& folder : {directory.fields(), directory.checkpoints()}) {
    if (fs::exists(folder)) io::flush_folder(folder);
  }
  return "set aside      " + counted(results.checkpoints.size(), "checkpoint") + ", " +
         counted(results.snapshots.size(), "snapshot") +
         (results.texts.empty() ? "" : ", diagnostics.csv, report.json") +
         (after ? " beyond step " + std::to_string(*after) : " of an earlier run") + ": now in " +
         aside.finish();
}

}  // namespace

void OutputDirectory::check() const {
  fs::path way;
  for (const auto& part : path_) check_link(way /= part);
  for (const auto& folder : {checkpoints(), fields()}) check_link(folder);
  std::error_code none;
  for (const auto& folder : {path_, checkpoints(), fields()}) {
    const auto status = fs::status(folder, none);
    if (fs::exists(status) && !fs::is_directory(status))
      io::fail("cannot write into", folder, ENOTDIR, "move it away");
  }
  for (const auto& file : {diagnostics(), report()}) {
    check_link(file);
    const auto status = fs::status(file, none);
    if (fs::exists(status) && !fs::is_regular_file(status))
      io::fail("cannot write", file, "it is not a regular file", "move it away");
  }
}

bool OutputDirectory::has_results() const {
  return !results_in(*this).empty();
}

bool OutputDirectory::holds(const fs::path& checkpoint) const {
  std::error_code none;
  const auto is_here = [&](const fs::path& file) {
    return fs::equivalent(file.parent_path(), checkpoints(), none);
  };
  return is_here(fs::absolute(checkpoint)) || is_here(fs::weakly_canonical(checkpoint, none));
}

bool OutputDirectory::has_checkpoint_after(std::int64_t step) const {
  return std::ranges::any_of(io::checkpoint_files(checkpoints()),
                             [step](const auto& file) { return file.step > step; });
}

void OutputDirectory::make(bool with_fields) const {
  io::make_folder(path_);
  io::make_folder(checkpoints());
  if (with_fields) io::make_folder(fields());
}

void OutputDirectory::remove_results() const {
  const auto files = results_in(*this).files();
  check_writable(files);
  for (const auto& file : files) {
    if (const auto reason = io::remove_file(file); !reason.empty())
      io::fail("cannot remove", file, reason, "choose another output.directory");
  }
  io::remove_stale_checkpoints(checkpoints());
  io::remove_stale_snapshots(fields(), field_series_name);
  for (const auto& file : {diagnostics(), report()}) io::remove_file(io::partial_path(file));
  ::rmdir(fields().c_str());  // fails on purpose if not empty, a link or a mount point
}

std::string OutputDirectory::set_aside(std::optional<std::int64_t> after) const {
  try {
    return move_aside(*this, after);
  } catch (const fs::filesystem_error& error) {
    io::fail("cannot set aside", error.path1(), error.code().value(), "check the file system");
  }
}

}  // namespace halotherm::app
