// SPDX-License-Identifier: MIT
// Checkpoints: the whole state of a run in one HDF5 file, independent of how the grid was cut (docs/file_formats.md).
#pragma once

#include "comm/communicator.hpp"
#include "io/grid_shape.hpp"
#include "io/shared_field.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace halotherm::io {

/// What a checkpoint says besides the temperature itself.
struct CheckpointInfo {
  GridShape grid;
  std::string precision;  ///< "float32" or "float64"
  std::int64_t step = 0;
  double time = 0;  ///< [s]
  double dt = 0;    ///< [s] of a full step
  std::string title;
  std::string config;   ///< resolved, as YAML
  std::string version;  ///< of the Halotherm that wrote it
  std::string commit;
  std::uint64_t checksum = 0;  ///< of the data; does not depend on the ranks that wrote it
};

/// Collective. Writes `folder`/checkpoint_<step>.h5 under a temporary name, flushes it to the disk, reads it back and compares the
/// checksum, renames it, and then removes the oldest checkpoints of the folder beyond `keep`. `temperature` [K] is this rank's
/// block `owned`, x fastest and without ghosts. `info.checksum` and `info.precision` are filled in by the writer. The folder is
/// made if it is missing; partial files of killed runs in it are removed. The same state gives the same bytes, whatever the ranks.
/// Throws CollectiveError: input_output when the file cannot be written, numerics when a value is not finite (the first such cell
/// is named); then no file of a final name was made or removed.
template <class Real>
WrittenFile write_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& folder, CheckpointInfo info,
                             const comm::Box& owned, std::span<const Real> temperature, int keep);

/// Collective. What the file says; throws CollectiveError (input_output) if it is not a complete checkpoint of a known format.
CheckpointInfo read_checkpoint_info(const comm::Communicator& communicator, const std::filesystem::path& file);

/// Collective. Reads this rank's block `owned` and verifies the checksum of the whole; throws CollectiveError (input_output).
/// `info` is what read_checkpoint_info gave; its precision must be that of `Real`, and `temperature` has the size of `owned`.
template <class Real>
void read_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file, const CheckpointInfo& info,
                     const comm::Box& owned, std::span<Real> temperature);

/// Collective. The checkpoint of the highest step in the folder, if there is one.
std::optional<std::filesystem::path> latest_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& folder);

}  // namespace halotherm::io
