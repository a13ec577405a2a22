// SPDX-License-Identifier: MIT
#include "io/field/checkpoint_reading.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "io/field/checkpoint_metadata.hpp"
#include "io/field/shared_read.hpp"
#include "io/files/checksum.hpp"
#include "io/hdf5/input_file.hpp"
#include "io/hdf5/library.hpp"
#include "io/hdf5/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace halotherm::io {

namespace {

/// Collective. The root's description, on every rank.
CheckpointInfo broadcast(const comm::Communicator& communicator, CheckpointInfo info) {
  const auto share = [&](auto& value) {
    static_assert(std::is_trivially_copyable_v<std::remove_reference_t<decltype(value)>>);
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    bytes = communicator.broadcast(bytes);
    std::memcpy(&value, bytes.data(), sizeof value);
  };
  std::apply([&](auto&... value) { (share(value), ...); },
             std::tie(info.grid, info.step, info.time, info.dt, info.chunks, info.checksum,
                      info.knows_inputs));
  for (auto text : {&CheckpointInfo::precision, &CheckpointInfo::title, &CheckpointInfo::config,
                    &CheckpointInfo::version, &CheckpointInfo::commit})
    info.*text = communicator.broadcast(info.*text);
  info.inputs = parse_inputs(communicator.broadcast(to_text(info.inputs)));
  std::vector<std::int64_t> sums(info.chunk_checksums.begin(), info.chunk_checksums.end());
  sums.resize(static_cast<std::size_t>(info.chunks.count()));
  communicator.broadcast(sums);
  info.chunk_checksums.assign(sums.begin(), sums.end());
  return info;
}

/// Collective. Adds up the ranks' contributions to the chunks' checksums. Throws CollectiveError,
/// which names the first chunk whose sum differs from `info`.
void compare(const comm::Communicator& communicator, const std::filesystem::path& file,
             const CheckpointInfo& info, std::vector<std::uint64_t> sums) {
  communicator.sum(sums);
  const auto [found, wanted] = std::ranges::mismatch(sums, info.chunk_checksums);
  if (found == sums.end()) return;
  const auto chunk = found - sums.begin();
  throw comm::CollectiveError(
      comm::ExitCode::input_output,
      {"the checkpoint '" + file.string() + "' is damaged",
       fmt::format("chunk {} of {}, the values from number {} on, has the checksum {} instead of "
                   "{}",
                   chunk, sums.size(), info.chunks.first(chunk), to_hex(*found), to_hex(*wanted)),
       "restart from another one"});
}

/// The temperature of a checkpoint whose description is `info`.
FieldSource temperature_of(const std::filesystem::path& file, const CheckpointInfo& info) {
  const auto refuse = [file](const std::string& reason) {
    fail("cannot read /T of the checkpoint", file, reason, "restart from another one");
  };
  const auto open = [file, refuse] {
    auto handle = hdf5::open_to_read(file, "checkpoint");
    auto dataset = hdf5::find_dataset(handle.get(), temperature_dataset);
    if (!dataset) refuse("it is missing");
    return OpenDataset{std::move(handle), std::move(dataset)};
  };
  return {axes_of(info.grid), open,
          [refuse](const hdf5::Dataset&, const std::string& reason) { refuse(reason); }};
}

/// Collective. Reads all values and verifies the checksum of every chunk.
template <class Real>
void read_verified(const comm::Communicator& communicator, const std::filesystem::path& file,
                   const CheckpointInfo& info, const FieldTarget<Real>& target) {
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(info.chunks.count()), 0);
  read_shared<Real>(communicator, temperature_of(file, info), target,
                    [&](const comm::Box& box, std::span<const Real> values) {
                      info.chunks.add_checksums(box, values, sums);
                    });
  compare(communicator, file, info, std::move(sums));
}

/// Refuses a file whose name has another step: restarts would again and again take it for a later
/// state, or an earlier one.
void check_name(const std::filesystem::path& file, std::int64_t step) {
  const auto named = checkpoint_step(file);
  if (named && *named != step)
    throw hdf5::FormatError(
        fmt::format("its name says step {}, and it holds step {}: it was copied "
                    "or renamed",
                    *named, step));
}

}  // namespace

CheckpointInfo read_checkpoint_info(const comm::Communicator& communicator,
                                    const std::filesystem::path& file) {
  const comm::Activity activity("reading the description of '" + file.string() + "'");
  const hdf5::QuietErrors quiet;
  CheckpointInfo info;
  comm::agree(communicator, [&] {
    if (!communicator.is_root()) return;
    const auto handle = hdf5::open_to_read(file, "checkpoint");
    try {
      info = read_metadata(handle.get());
      check_name(file, info.step);
    } catch (const hdf5::FormatError& error) {
      throw comm::Error(
          comm::ExitCode::input_output,
          {"cannot use '" + file.string() + "' as a checkpoint", error.what(), "name another one"});
    }
  });
  return broadcast(communicator, std::move(info));
}

template <class Real>
void read_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file,
                     const CheckpointInfo& info, const comm::Box& owned,
                     std::span<Real> temperature) {
  const comm::Activity activity("reading '" + file.string() + "'");
  const std::string wanted = std::is_same_v<Real, float> ? "float32" : "float64";
  if (info.precision != wanted)
    throw comm::CollectiveError(
        comm::ExitCode::input_output,
        {"cannot read '" + file.string() + "' as " + wanted, "it holds " + info.precision,
         "set grid.precision: " + info.precision});
  read_verified<Real>(communicator, file, info, {owned, {0, 0, 0}, temperature});
}

void verify_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file,
                       const CheckpointInfo& info) {
  const comm::Activity activity("verifying '" + file.string() + "'");
  if (info.precision == "float64") return read_verified<double>(communicator, file, info, {});
  read_verified<float>(communicator, file, info, {});
}

template void read_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                              const CheckpointInfo&, const comm::Box&, std::span<float>);
template void read_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                              const CheckpointInfo&, const comm::Box&, std::span<double>);

}  // namespace halotherm::io
