// SPDX-License-Identifier: MIT
#include "io/checkpoint.hpp"

#include "comm/error.hpp"
#include "io/checkpoint_metadata.hpp"
#include "io/checksum.hpp"
#include "io/durable_file.hpp"
#include "io/hdf5_error.hpp"
#include "io/hdf5_values.hpp"
#include "io/non_finite.hpp"

#include <array>
#include <cstring>
#include <type_traits>

namespace halotherm::io {

namespace {

constexpr std::string_view prefix = "checkpoint_";
constexpr std::string_view suffix = ".h5";

template <class Real>
std::string precision_of() {
  return std::is_same_v<Real, float> ? "float32" : "float64";
}

/// Removes the oldest checkpoints beyond `keep`, never the one of `step`. What cannot be removed is a remark, not a failure: the
/// new checkpoint is safe.
std::string retire(const std::filesystem::path& folder, std::int64_t step, int keep) {
  const auto files = numbered_files(folder, prefix, suffix);
  auto excess = static_cast<std::int64_t>(files.size()) - std::max(keep, 1);
  std::string remark;
  for (const auto& file : files) {
    if (excess <= 0) break;
    if (file.step == step) continue;
    const auto reason = remove_file(file.path);
    if (!reason.empty()) remark = "cannot remove the old checkpoint '" + file.path.string() + "' (" + reason + ")";
    --excess;
  }
  return remark;
}

/// The root's metadata, on every rank.
CheckpointInfo broadcast(const comm::Communicator& communicator, const CheckpointInfo& info) {
  struct Fixed {
    GridShape grid;
    std::int64_t step;
    double time, dt;
    std::uint64_t checksum;
  };
  static_assert(std::is_trivially_copyable_v<Fixed>);
  Fixed fixed{info.grid, info.step, info.time, info.dt, info.checksum};
  std::string bytes(sizeof fixed, '\0');
  std::memcpy(bytes.data(), &fixed, sizeof fixed);
  bytes = communicator.broadcast(bytes);
  std::memcpy(&fixed, bytes.data(), sizeof fixed);

  CheckpointInfo same{fixed.grid, {}, fixed.step, fixed.time, fixed.dt, {}, {}, {}, {}, fixed.checksum};
  for (auto text : {&CheckpointInfo::precision, &CheckpointInfo::title, &CheckpointInfo::config, &CheckpointInfo::version,
                    &CheckpointInfo::commit}) {
    same.*text = communicator.broadcast(info.*text);
  }
  return same;
}

template <class Real>
void read_values(const std::filesystem::path& file, const CheckpointInfo& info, const comm::Box& owned,
                 std::span<Real> temperature) {
  constexpr std::int64_t limit = (std::int64_t{256} << 20) / static_cast<std::int64_t>(sizeof(Real));
  const auto handle = hdf5::open_to_read(file, "checkpoint");
  const auto dataset = hdf5::find_dataset(handle.get(), temperature_dataset);
  for (const auto& part : pieces(owned, limit)) {
    const auto values = temperature.subspan(static_cast<std::size_t>(part.offset), static_cast<std::size_t>(part.box.size()));
    if (dataset && hdf5::read_box<Real>(dataset, axes_of(info.grid), part.box, values)) continue;
    throw comm::Error(comm::ExitCode::input_output, "cannot read /T of the checkpoint '" + file.string() + "' (" +
                                                        hdf5::last_error() + ") restart from another one");
  }
}

}  // namespace

template <class Real>
WrittenFile write_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& folder, CheckpointInfo info,
                             const comm::Box& owned, std::span<const Real> temperature, int keep) {
  refuse_non_finite<Real>(communicator, "the temperature", info.grid, owned, temperature);
  std::array<std::uint64_t, 1> sum{field_checksum<Real>(info.grid.cells, owned, temperature)};
  communicator.sum(sum);
  info.checksum = sum[0];
  info.precision = precision_of<Real>();

  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    make_folder(folder);
    remove_stale_partials(folder, prefix, suffix);
  });
  SharedField field;
  field.path = folder / numbered_name(prefix, info.step, suffix);
  field.dataset = temperature_dataset;
  field.axes = axes_of(info.grid);
  field.checksum = info.checksum;
  field.description_bytes = static_cast<std::int64_t>(info.config.size()) + 65536;
  field.describe = [&](hid_t file, hid_t dataset) { write_metadata(file, dataset, info); };
  auto written = write_shared_field<Real>(communicator, field, info.grid.cells, owned, temperature);

  std::string remark;
  comm::agree(communicator, [&] {
    if (communicator.is_root()) remark = retire(folder, info.step, keep);
  });
  remark = communicator.broadcast(remark);
  if (!remark.empty()) written.remark += (written.remark.empty() ? "" : "; ") + remark;
  return written;
}

CheckpointInfo read_checkpoint_info(const comm::Communicator& communicator, const std::filesystem::path& file) {
  const hdf5::QuietErrors quiet;
  CheckpointInfo info;
  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    const auto handle = hdf5::open_to_read(file, "checkpoint");
    try {
      info = read_metadata(handle.get());
    } catch (const hdf5::FormatError& error) {
      throw comm::Error(comm::ExitCode::input_output,
                        "cannot use '" + file.string() + "' as a checkpoint (" + error.what() + ") name another one");
    }
  });
  return broadcast(communicator, info);
}

template <class Real>
void read_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file, const CheckpointInfo& info,
                     const comm::Box& owned, std::span<Real> temperature) {
  const hdf5::QuietErrors quiet;
  comm::agree(communicator, [&] {
    const auto wanted = precision_of<Real>();
    if (info.precision != wanted) {
      throw comm::Error(comm::ExitCode::input_output, "cannot read '" + file.string() + "' as " + wanted + " (it holds " +
                                                          info.precision + ") set grid.precision: " + info.precision);
    }
    read_values(file, info, owned, temperature);
  });
  std::array<std::uint64_t, 1> sum{field_checksum<Real>(info.grid.cells, owned, temperature)};
  communicator.sum(sum);
  if (sum[0] == info.checksum) return;
  throw comm::CollectiveError(comm::ExitCode::input_output,
                              "the checkpoint '" + file.string() + "' is damaged (its data have the checksum " + to_hex(sum[0]) +
                                  " instead of " + to_hex(info.checksum) + ") restart from another one");
}

std::optional<std::filesystem::path> latest_checkpoint(const comm::Communicator& communicator,
                                                       const std::filesystem::path& folder) {
  std::string latest;
  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    const auto files = numbered_files(folder, prefix, suffix);
    if (!files.empty()) latest = files.back().path.string();
  });
  latest = communicator.broadcast(latest);
  if (latest.empty()) return std::nullopt;
  return latest;
}

template WrittenFile write_checkpoint(const comm::Communicator&, const std::filesystem::path&, CheckpointInfo, const comm::Box&,
                                      std::span<const float>, int);
template WrittenFile write_checkpoint(const comm::Communicator&, const std::filesystem::path&, CheckpointInfo, const comm::Box&,
                                      std::span<const double>, int);
template void read_checkpoint(const comm::Communicator&, const std::filesystem::path&, const CheckpointInfo&, const comm::Box&,
                              std::span<float>);
template void read_checkpoint(const comm::Communicator&, const std::filesystem::path&, const CheckpointInfo&, const comm::Box&,
                              std::span<double>);

}  // namespace halotherm::io
