// SPDX-License-Identifier: MIT
// Checkpoints: the whole state of a run in one HDF5 file, independent of how the grid was cut
// (docs/file_formats.md).
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/distribution/file_chunks.hpp"
#include "io/field/field_writer.hpp"
#include "io/field/shared_field.hpp"
#include "io/files/durable_file.hpp"
#include "io/text/grid_shape.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halotherm::io {

/// The checksum of a data set that the run read, as docs/file_formats.md defines it.
struct InputChecksum {
  std::string key;  ///< of the configuration that names the data set
  std::uint64_t checksum = 0;

  bool operator==(const InputChecksum&) const = default;
};

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
  std::vector<InputChecksum>
      inputs;  ///< of all data sets that the configuration names, in the order of its keys
  bool knows_inputs =
      true;  ///< false where they are not known: a file of a format before version 3
  // of the data; none of it depends on the ranks that wrote it
  FileChunks chunks;
  std::vector<std::uint64_t> chunk_checksums;  ///< one a chunk
  std::uint64_t checksum = 0;                  ///< their sum modulo 2^64
};

/// What a FieldWriter is to write: `folder`/checkpoint_<step>.h5, of values of type `Real`.
/// `info`'s precision, chunks and checksums are filled in. Once the file has its name, the oldest
/// checkpoints of the folder beyond `keep` are removed.
template <class Real>
SharedField checkpoint_file(const std::filesystem::path& folder, CheckpointInfo info, int keep);

/// Collective. Makes the folder if it is missing, and removes partial files that killed runs left
/// there. Throws CollectiveError (input_output).
void prepare_checkpoint_folder(const comm::Communicator& communicator,
                               const std::filesystem::path& folder);

/// Local. The checkpoints of the folder by their names, ascending; those that were found to be
/// damaged; and the removal of partial files. Throws comm::Error (input_output) if the folder
/// cannot be listed.
std::vector<NumberedFile> checkpoint_files(const std::filesystem::path& folder);
std::vector<NumberedFile> damaged_checkpoint_files(const std::filesystem::path& folder);
void remove_stale_checkpoints(const std::filesystem::path& folder);

/// Local. Takes a checkpoint out of the way of every later restart, beside the others by another
/// name: the new one.
std::filesystem::path rename_damaged(const std::filesystem::path& file);

/// Collective. Writes a checkpoint and waits until it has its name. `temperature` [K] is this
/// rank's block `owned`, x fastest and without ghosts. The same state gives the same bytes,
/// whatever the ranks. Throws CollectiveError: input_output when the file cannot be written,
/// numerics when a value is not finite (the first such cell is named); then no file of a final name
/// was made or removed.
template <class Real>
WrittenFile write_checkpoint(const comm::Communicator& communicator,
                             const std::filesystem::path& folder, CheckpointInfo info,
                             const comm::Box& owned, std::span<const Real> temperature, int keep,
                             const WriteSettings& settings = {});

/// Collective. What the file says; throws CollectiveError (input_output) if it is not a complete
/// checkpoint of a known format, or if it is named checkpoint_<step>.h5 after another step than it
/// holds.
CheckpointInfo read_checkpoint_info(const comm::Communicator& communicator,
                                    const std::filesystem::path& file);

/// Collective. Reads this rank's block `owned`, which together are the grid, and verifies the
/// checksum of every chunk; throws CollectiveError (input_output). `info` is what
/// read_checkpoint_info gave; its precision must be that of `Real`, and `temperature` has the size
/// of `owned`.
template <class Real>
void read_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file,
                     const CheckpointInfo& info, const comm::Box& owned,
                     std::span<Real> temperature);

/// The step that a name of the form checkpoint_<step>.h5 says; none for other names.
std::optional<std::int64_t> checkpoint_step(const std::filesystem::path& file);

/// Collective. Verifies every chunk of the file without keeping it; throws CollectiveError
/// (input_output).
void verify_checkpoint(const comm::Communicator& communicator, const std::filesystem::path& file,
                       const CheckpointInfo& info);

/// Collective. The checkpoints of the folder, the latest step first.
std::vector<std::filesystem::path> checkpoints_in(const comm::Communicator& communicator,
                                                  const std::filesystem::path& folder);

}  // namespace halotherm::io
