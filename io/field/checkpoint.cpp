// SPDX-License-Identifier: MIT
#include "io/field/checkpoint.hpp"

#include "io/field/checkpoint_metadata.hpp"
#include "io/files/checksum.hpp"
#include "io/files/file_descriptor.hpp"
#include "io/hdf5/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <type_traits>

namespace halotherm::io {

namespace {

constexpr std::string_view prefix = "checkpoint_";
constexpr std::string_view suffix = ".h5";
/// Appended to the name of a damaged checkpoint: the first that is free.
constexpr std::array<std::string_view, 4> damaged_marks{".damaged", ".damaged_2", ".damaged_3",
                                                        ".damaged_4"};

/// Removes the oldest checkpoints beyond `keep`, never the one of `step`. Returns a remark about
/// one that cannot be removed, which is not a failure, since the new checkpoint is safe.
std::string retire(const std::filesystem::path& folder, std::int64_t step, int keep) {
  const auto files = numbered_files(folder, prefix, suffix);
  auto excess = static_cast<std::int64_t>(files.size()) - std::max(keep, 1);
  std::string remark;
  for (const auto& file : files) {
    if (excess <= 0) break;
    if (file.step == step) continue;
    const auto reason = remove_file(file.path);
    if (!reason.empty())
      remark = comm::to_string({"cannot remove the old checkpoint '" + file.path.string() + "'",
                                reason, "remove it by hand"});
    --excess;
  }
  return remark;
}

}  // namespace

template <class Real>
SharedField checkpoint_file(const std::filesystem::path& folder, CheckpointInfo info, int keep) {
  info.precision = std::is_same_v<Real, float> ? "float32" : "float64";
  info.chunks = chunks_of(info.grid.cells);
  SharedField field;
  field.path = folder / numbered_name(prefix, info.step, suffix);
  field.grid = info.grid;
  field.fields = info.fields;
  field.axes = axes_of(info.grid);
  field.description_bytes = static_cast<std::int64_t>(info.config.size()) + 65536 +
                            8 * info.chunks.count() * static_cast<std::int64_t>(info.fields.size());
  field.describe = [info](hid_t file, std::span<const hdf5::Dataset> datasets, bool fills) {
    write_metadata(file, datasets, info, fills);
  };
  field.complete = [info](hid_t file, std::span<const std::uint64_t> checksums) {
    auto complete = info;
    complete.chunk_checksums.assign(checksums.begin(), checksums.end());
    complete.checksum = std::accumulate(checksums.begin(), checksums.end(), std::uint64_t{0});
    write_checksums(file, complete);
  };
  field.verify = [](hid_t file, std::span<const std::uint64_t> checksums) {
    const auto found = read_metadata(file);
    if (!std::ranges::equal(found.chunk_checksums, checksums))
      throw hdf5::FormatError("its checksums differ");
  };
  field.published = [folder, step = info.step, keep] { return retire(folder, step, keep); };
  return field;
}

void prepare_checkpoint_folder(const comm::Communicator& communicator,
                               const std::filesystem::path& folder) {
  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    make_folder(folder);
    remove_stale_checkpoints(folder);
  });
}

std::vector<NumberedFile> checkpoint_files(const std::filesystem::path& folder) {
  return numbered_files(folder, prefix, suffix);
}

std::vector<NumberedFile> damaged_checkpoint_files(const std::filesystem::path& folder) {
  std::vector<NumberedFile> files;
  for (const auto mark : damaged_marks) {
    std::ranges::copy(numbered_files(folder, prefix, std::string(suffix) + std::string(mark)),
                      std::back_inserter(files));
  }
  return files;
}

void remove_stale_checkpoints(const std::filesystem::path& folder) {
  remove_stale_partials(folder, prefix, suffix);
}

std::filesystem::path rename_damaged(const std::filesystem::path& file) {
  for (const auto mark : damaged_marks) {
    const auto name = file.string() + std::string(mark);
    if (std::filesystem::exists(std::filesystem::symlink_status(name))) continue;
    if (std::rename(file.c_str(), name.c_str()) == 0) return name;
    fail("cannot rename", file, errno, "check the file system");
  }
  fail("cannot rename", file, EEXIST, "remove damaged checkpoints that are of no use");
}

template <class Real>
WrittenFile write_checkpoint(const comm::Communicator& communicator,
                             const std::filesystem::path& folder, CheckpointInfo info,
                             const comm::Box& owned, std::span<const Real> values, int keep,
                             const WriteSettings& settings) {
  prepare_checkpoint_folder(communicator, folder);
  return write_shared_field<Real>(
      communicator, checkpoint_file<Real>(folder, std::move(info), keep), owned, values, settings);
}

std::optional<std::int64_t> checkpoint_step(const std::filesystem::path& file) {
  return numbered_step(file.filename().string(), prefix, suffix);
}

std::vector<std::filesystem::path> checkpoints_in(const comm::Communicator& communicator,
                                                  const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    for (const auto& file : numbered_files(folder, prefix, suffix)) found.push_back(file.path);
  });
  std::ranges::reverse(found);
  const auto count = communicator.max(static_cast<std::int64_t>(found.size()));
  found.resize(static_cast<std::size_t>(count));
  for (auto& file : found) file = communicator.broadcast(file.string());
  return found;
}

template SharedField checkpoint_file<float>(const std::filesystem::path&, CheckpointInfo, int);
template SharedField checkpoint_file<double>(const std::filesystem::path&, CheckpointInfo, int);
template WrittenFile write_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                                      CheckpointInfo, const comm::Box&, std::span<const float>, int,
                                      const WriteSettings&);
template WrittenFile write_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                                      CheckpointInfo, const comm::Box&, std::span<const double>,
                                      int, const WriteSettings&);

}  // namespace halotherm::io
