// SPDX-License-Identifier: MIT
#include "comm/activity.hpp"
#include "comm/error.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_metadata.hpp"
#include "io/checksum.hpp"
#include "io/hdf5_error.hpp"
#include "io/hdf5_values.hpp"

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
  const Fixed mine{info.grid, info.step, info.time, info.dt, info.chunks, info.checksum, info.knows_inputs};
  std::string bytes(sizeof mine, '\0');
  std::memcpy(bytes.data(), &mine, sizeof mine);
  const auto words = std::as_bytes(std::span(info.chunk_checksums));
  std::string sums(words.size(), '\0');
  std::ranges::transform(words, sums.begin(), [](std::byte byte) { return static_cast<char>(byte); });

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
  for (auto text : {&CheckpointInfo::precision, &CheckpointInfo::title, &CheckpointInfo::config, &CheckpointInfo::version,
                    &CheckpointInfo::commit}) {
    same.*text = communicator.broadcast(info.*text);
  }
  return same;
}

/// Collective. Adds every rank's part of the chunks' checksums up; throws CollectiveError that names the first chunk whose sum is
/// not what `info` says.
void compare(const comm::Communicator& communicator, const std::filesystem::path& file, const CheckpointInfo& info,
             std::vector<std::uint64_t> sums) {
  communicator.sum(sums);
  const auto [found, wanted] = std::ranges::mismatch(sums, info.chunk_checksums);
  if (found == sums.end()) return;
  const auto chunk = found - sums.begin();
  throw comm::CollectiveError(comm::ExitCode::input_output,
                              "the checkpoint '" + file.string() + "' is damaged (chunk " + std::to_string(chunk) + " of " +
                                  std::to_string(sums.size()) + ", the values from number " +
                                  std::to_string(info.chunks.first(chunk)) + " on, have the checksum " + to_hex(*found) +
                                  " instead of " + to_hex(*wanted) + ") restart from another one");
}

std::vector<std::uint64_t> no_sums(const CheckpointInfo& info) {
  return std::vector<std::uint64_t>(static_cast<std::size_t>(info.chunks.count()), 0);
}

constexpr std::int64_t piece_bytes = std::int64_t{16} << 20;

/// Reads the box piece by piece and gives each to `take(piece, values)`.
template <class Real, class Take>
void for_each_stored(const std::filesystem::path& file, const CheckpointInfo& info, const comm::Box& box, const Take& take) {
  const auto handle = hdf5::open_to_read(file, "checkpoint");
  const auto dataset = hdf5::find_dataset(handle.get(), temperature_dataset);
  std::vector<Real> values;
  for (const auto& piece : pieces(box, piece_bytes / static_cast<std::int64_t>(sizeof(Real)))) {
    values.resize(static_cast<std::size_t>(piece.box.size()));
    if (!dataset || !hdf5::read_box<Real>(dataset, axes_of(info.grid), piece.box, values)) {
      throw comm::Error(comm::ExitCode::input_output, "cannot read /T of the checkpoint '" + file.string() + "' (" +
                                                          hdf5::last_error() + ") restart from another one");
    }
    take(piece, std::span<const Real>(values));
    comm::note_progress();
  }
}

/// This rank's planes, rows or cells of a grid cut along its slowest axis.
comm::Box share_of(const comm::Communicator& communicator, const GridShape& grid) {
  comm::Box share{{0, 0, 0}, grid.cells};
  const int axis = grid.dimensions - 1;
  const auto place = [&](int rank) { return static_cast<int>(std::int64_t{grid.cells[axis]} * rank / communicator.size()); };
  share.lower[axis] = place(communicator.rank());
  share.upper[axis] = place(communicator.rank() + 1);
  return share;
}

template <class Real>
void verify_as(const comm::Communicator& communicator, const std::filesystem::path& file, const CheckpointInfo& info) {
  auto sums = no_sums(info);
  comm::agree(communicator, [&] {
    for_each_stored<Real>(file, info, share_of(communicator, info.grid), [&](const Piece& piece, std::span<const Real> values) {
      info.chunks.add_checksums(piece.box, values, sums);
    });
  });
  compare(communicator, file, info, std::move(sums));
}

/// A file that bears another step's name would be taken for a later state, or an earlier one, again and again.
void check_name(const std::filesystem::path& file, std::int64_t step) {
  const auto named = checkpoint_step(file);
  if (!named || *named == step) return;
  throw hdf5::FormatError("its name says step " + std::to_string(*named) + ", and it holds step " + std::to_string(step) +
                          ": it was copied or renamed");
}

}  // namespace

CheckpointInfo read_checkpoint_info(const comm::Communicator& communicator, const std::filesystem::path& file) {
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
      throw comm::Error(comm::ExitCode::input_output,
                        "cannot use '" + file.string() + "' as a checkpoint (" + error.what() + ") name another one");
    }
  });
  return broadcast(communicator, info);
}

template <class Real>
void read_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file, const CheckpointInfo& info,
                     const comm::Box& owned, std::span<Real> temperature) {
  const comm::Activity activity("reading '" + file.string() + "'");
  const hdf5::QuietErrors quiet;
  auto sums = no_sums(info);
  comm::agree(communicator, [&] {
    const std::string wanted = std::is_same_v<Real, float> ? "float32" : "float64";
    if (info.precision != wanted) {
      throw comm::Error(comm::ExitCode::input_output, "cannot read '" + file.string() + "' as " + wanted + " (it holds " +
                                                          info.precision + ") set grid.precision: " + info.precision);
    }
    for_each_stored<Real>(file, info, owned, [&](const Piece& piece, std::span<const Real> values) {
      info.chunks.add_checksums(piece.box, values, sums);
      std::ranges::copy(values, temperature.begin() + piece.offset);
    });
  });
  compare(communicator, file, info, std::move(sums));
}

void verify_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file, const CheckpointInfo& info) {
  const comm::Activity activity("verifying '" + file.string() + "'");
  const hdf5::QuietErrors quiet;
  if (info.precision == "float64") return verify_as<double>(communicator, file, info);
  verify_as<float>(communicator, file, info);
}

template void read_checkpoint(const comm::Communicator&, const std::filesystem::path&, const CheckpointInfo&, const comm::Box&,
                              std::span<float>);
template void read_checkpoint(const comm::Communicator&, const std::filesystem::path&, const CheckpointInfo&, const comm::Box&,
                              std::span<double>);

}  // namespace halotherm::io
