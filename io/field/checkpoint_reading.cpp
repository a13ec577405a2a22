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

/// Collective. The root's faces along an axis, or none, on every rank.
std::shared_ptr<const std::vector<double>> broadcast(
    const comm::Communicator& communicator,
    const std::shared_ptr<const std::vector<double>>& of_root) {
  const bool root = communicator.is_root() && of_root != nullptr;
  const auto count =
      communicator.max(root ? static_cast<std::int64_t>(of_root->size()) : std::int64_t{0});
  if (count == 0) return nullptr;
  auto faces = root ? *of_root : std::vector<double>(static_cast<std::size_t>(count));
  communicator.broadcast(faces);
  return std::make_shared<const std::vector<double>>(std::move(faces));
}

/// Collective. The root's description, on every rank.
CheckpointInfo broadcast(const comm::Communicator& communicator, CheckpointInfo info) {
  const auto share = [&](auto& value) {
    static_assert(std::is_trivially_copyable_v<std::remove_reference_t<decltype(value)>>);
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    bytes = communicator.broadcast(bytes);
    std::memcpy(&value, bytes.data(), sizeof value);
  };
  std::apply(
      [&](auto&... value) { (share(value), ...); },
      std::tie(info.grid.dimensions, info.grid.cells, info.grid.lower, info.grid.spacing, info.step,
               info.time, info.dt, info.chunks, info.checksum, info.knows_inputs));
  for (auto& faces : info.grid.faces) faces = broadcast(communicator, faces);
  for (auto text : {&CheckpointInfo::precision, &CheckpointInfo::title, &CheckpointInfo::config,
                    &CheckpointInfo::version, &CheckpointInfo::commit})
    info.*text = communicator.broadcast(info.*text);
  auto numbers = communicator.max(
      communicator.is_root() ? static_cast<std::int64_t>(info.numbers.size()) : std::int64_t{0});
  for (auto next = info.numbers.begin(); numbers > 0; --numbers) {
    const bool root = communicator.is_root();
    const auto name = communicator.broadcast(root ? next->first : std::string());
    double value = root ? next++->second : 0;
    share(value);
    info.numbers[name] = value;
  }
  info.inputs = parse_inputs(communicator.broadcast(to_text(info.inputs)));
  info.fields.resize(static_cast<std::size_t>(communicator.max(
      communicator.is_root() ? static_cast<std::int64_t>(info.fields.size()) : 0)));
  for (auto& field : info.fields) {
    for (auto text : {&comm::Quantity::name, &comm::Quantity::unit, &comm::Quantity::description})
      field.*text = communicator.broadcast(field.*text);
  }
  std::vector<std::int64_t> sums(info.chunk_checksums.begin(), info.chunk_checksums.end());
  sums.resize(info.fields.size() * static_cast<std::size_t>(info.chunks.count()));
  communicator.broadcast(sums);
  info.chunk_checksums.assign(sums.begin(), sums.end());
  return info;
}

/// Collective. Adds up the ranks' contributions to the checksums of a field's chunks. Throws
/// CollectiveError, which names the first chunk whose sum differs from `info`.
void compare(const comm::Communicator& communicator, const std::filesystem::path& file,
             const CheckpointInfo& info, std::size_t field, std::vector<std::uint64_t> sums) {
  communicator.sum(sums);
  const auto [found, wanted] =
      std::ranges::mismatch(sums, info.chunks.of_field(field, std::span(info.chunk_checksums)));
  if (found == sums.end()) return;
  const auto chunk = found - sums.begin();
  throw comm::CollectiveError(
      comm::ExitCode::input_output,
      {"the checkpoint '" + file.string() + "' is damaged",
       fmt::format("chunk {} of {} of /{}, the values from number {} on, has the checksum {} "
                   "instead of {}",
                   chunk, sums.size(), info.fields[field].name, info.chunks.first(chunk),
                   to_hex(*found), to_hex(*wanted)),
       "restart from another one"});
}

/// A field of a checkpoint whose description is `info`.
FieldSource source_of(const std::filesystem::path& file, const CheckpointInfo& info,
                      const std::string& field) {
  const auto refuse = [file, field](const std::string& reason) {
    fail("cannot read /" + field + " of the checkpoint", file, reason, "restart from another one");
  };
  const auto open = [file, field, refuse] {
    auto handle = hdf5::open_to_read(file, "checkpoint");
    auto dataset = hdf5::find_dataset(handle.get(), field);
    if (!dataset) refuse("it is missing");
    return OpenDataset{std::move(handle), std::move(dataset)};
  };
  return {axes_of(info.grid), open,
          [refuse](const hdf5::Dataset&, const std::string& reason) { refuse(reason); }};
}

/// Collective. Reads all values and verifies the checksum of every chunk. `values` may be empty.
template <class Real>
void read_verified(const comm::Communicator& communicator, const std::filesystem::path& file,
                   const CheckpointInfo& info, const comm::Box& block, std::span<Real> values) {
  for (std::size_t field = 0; field < info.fields.size(); ++field) {
    const auto cells = static_cast<std::size_t>(block.size());
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(info.chunks.count()), 0);
    read_shared<Real>(communicator, source_of(file, info, info.fields[field].name),
                      {block, {0, 0, 0}, values.subspan(field * cells, cells)},
                      [&](const comm::Box& box, std::span<const Real> some) {
                        info.chunks.add_checksums(box, some, sums);
                      });
    compare(communicator, file, info, field, std::move(sums));
  }
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
                     const CheckpointInfo& info, const comm::Box& owned, std::span<Real> values) {
  const comm::Activity activity("reading '" + file.string() + "'");
  const std::string wanted = std::is_same_v<Real, float> ? "float32" : "float64";
  if (info.precision != wanted)
    throw comm::CollectiveError(
        comm::ExitCode::input_output,
        {"cannot read '" + file.string() + "' as " + wanted, "it holds " + info.precision,
         "set grid.precision: " + info.precision});
  if (values.size() != info.fields.size() * static_cast<std::size_t>(owned.size()))
    throw comm::Error(
        comm::ExitCode::internal,
        {"cannot read '" + file.string() + "'",
         fmt::format("there is no room for {} fields", info.fields.size()), "report this"});
  read_verified<Real>(communicator, file, info, owned, values);
}

void verify_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file,
                       const CheckpointInfo& info) {
  const comm::Activity activity("verifying '" + file.string() + "'");
  if (info.precision == "float64") return read_verified<double>(communicator, file, info, {}, {});
  read_verified<float>(communicator, file, info, {}, {});
}

template void read_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                              const CheckpointInfo&, const comm::Box&, std::span<float>);
template void read_checkpoint(const comm::Communicator&, const std::filesystem::path&,
                              const CheckpointInfo&, const comm::Box&, std::span<double>);

}  // namespace halotherm::io
