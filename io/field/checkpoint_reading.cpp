// SPDX-License-Identifier: MIT
#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "io/field/checkpoint.hpp"
#include "io/field/checkpoint_metadata.hpp"
#include "io/field/shared_read.hpp"
#include "io/files/checksum.hpp"
#include "io/hdf5/error.hpp"
#include "io/hdf5/values.hpp"

#include <cstring>
#include <type_traits>

namespace halotherm::io {

namespace {

/// The root's metadata, on every rank.
CheckpointInfo broadcast(const comm::Communicator& communicator, const CheckpointInfo& info) {
  struct Fixed {
    GridShape grid;
    std::int64_t step;
    double time, dt;
    FileChunks chunks;
    std::uint64_t checksum;
    bool knows_inputs;
  };
  static_assert(std::is_trivially_copyable_v<Fixed>);
  const Fixed mine{info.grid,   info.step,     info.time,        info.dt,
                   info.chunks, info.checksum, info.knows_inputs};
  std::string bytes(sizeof mine, '\0');
  std::memcpy(bytes.data(), &mine, sizeof mine);
  const auto words = std::as_bytes(std::span(info.chunk_checksums));
  std::string sums(words.size(), '\0');
  std::ranges::transform(words, sums.begin(),
                         [](std::byte byte) { return static_cast<char>(byte); });

  bytes = communicator.broadcast(bytes);
  sums = communicator.broadcast(sums);
  Fixed fixed;
  std::memcpy(&fixed, bytes.data(), sizeof fixed);
  CheckpointInfo same;
  same.grid = fixed.grid;
  same.step = fixed.step;
  same.time = fixed.time;
  same.dt = fixed.dt;
  same.chunks = fixed.chunks;
  same.checksum = fixed.checksum;
  same.knows_inputs = fixed.knows_inputs;
  same.inputs = parse_inputs(communicator.broadcast(to_text(info.inputs)));
  same.chunk_checksums.resize(sums.size() / sizeof(std::uint64_t));
  std::memcpy(same.chunk_checksums.data(), sums.data(), sums.size());
  for (auto text : {&CheckpointInfo::precision, &CheckpointInfo::title, &CheckpointInfo::config,
                    &CheckpointInfo::version, &CheckpointInfo::commit}) {
    same.*text = communicator.broadcast(info.*text);
  }
  return same;
}

/// Collective. Adds every rank's part of the chunks' checksums up; throws CollectiveError that
/// names the first chunk whose sum is not what `info` says.
void compare(const comm::Communicator& communicator, const std::filesystem::path& file,
             const CheckpointInfo& info, std::vector<std::uint64_t> sums) {
  communicator.sum(sums);
  const auto [found, wanted] = std::ranges::mismatch(sums, info.chunk_checksums);
  if (found == sums.end()) return;
  const auto chunk = found - sums.begin();
  throw comm::CollectiveError(
      comm::ExitCode::input_output,
      "the checkpoint '" + file.string() + "' is damaged (chunk " + std::to_string(chunk) + " of " +
          std::to_string(sums.size()) + ", the values from number " +
          std::to_string(info.chunks.first(chunk)) + " on, have the checksum " + to_hex(*found) +
          " instead of " + to_hex(*wanted) + ") restart from another one");
}

std::vector<std::uint64_t> no_sums(const CheckpointInfo& info) {
  return std::vector<std::uint64_t>(static_cast<std::size_t>(info.chunks.count()), 0);
}

/// The temperature of a checkpoint whose description was read before.
FieldSource temperature_of(const std::filesystem::path& file, const CheckpointInfo& info) {
  const auto refuse = [file](const std::string& reason) {
    throw comm::Error(comm::ExitCode::input_output, "cannot read /T of the checkpoint '" +
                                                        file.string() + "' (" + reason +
                                                        ") restart from another one");
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
  auto sums = no_sums(info);
  read_shared<Real>(communicator, temperature_of(file, info), target,
                    [&](const comm::Box& box, std::span<const Real> values) {
                      info.chunks.add_checksums(box, values, sums);
                    });
  compare(communicator, file, info, std::move(sums));
}

/// A file that bears another step's name would be taken for a later state, or an earlier one, again
/// and again.
void check_name(const std::filesystem::path& file, std::int64_t step) {
  const auto named = checkpoint_step(file);
  if (!named || *named == step) return;
  throw hdf5::FormatError("its name says step " + std::to_string(*named) + ", and it holds step " +
                          std::to_string(step) + ": it was copied or renamed");
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
      throw comm::Error(comm::ExitCode::input_output, "cannot use '" + file.string() +
                                                          "' as a checkpoint (" + error.what() +
                                                          ") name another one");
    }
  });
  return broadcast(communicator, info);
}

template <class Real>
void read_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file,
                     const CheckpointInfo& info, const comm::Box& owned,
                     std::span<Real> temperature) {
  const comm::Activity activity("reading '" + file.string() + "'");
  const std::string wanted = std::is_same_v<Real, float> ? "float32" : "float64";
  if (info.precision != wanted) {
    throw comm::CollectiveError(comm::ExitCode::input_output,
                                "cannot read '" + file.string() + "' as " + wanted + " (it holds " +
                                    info.precision + ") set grid.precision: " + info.precision);
  }
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
