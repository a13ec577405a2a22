// SPDX-License-Identifier: MIT
// Checkpoints: the whole state of a run in one HDF5 file, independent of the partition
// (docs/file_formats.md). See checkpoint_reading.hpp for reading them.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "io/distribution/file_chunks.hpp"
#include "io/field/field_writer.hpp"
#include "io/field/shared_field.hpp"
#include "io/files/durable_file.hpp"
#include "io/text/grid_shape.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
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

/// The description of a checkpoint: everything but the values of its fields.
struct CheckpointInfo {
  GridShape grid;
  std::vector<comm::Quantity> fields{comm::temperature};  ///< in the order of their values
  std::string precision;                                  ///< "float32" or "float64"
  std::int64_t step = 0;
  double time = 0;  ///< [s]
  double dt = 0;    ///< [s] of a full step
  std::string title;
  std::string config;   ///< resolved, as YAML
  std::string version;  ///< of the Halotherm that wrote it
  std::string commit;
  std::map<std::string, double> numbers{};  ///< further ones of the state, by name
  std::vector<InputChecksum> inputs;        ///< of all data sets in the configuration, in its order
  bool knows_inputs = true;                 ///< false for files of formats before version 3
  // Checksums of the data, which do not depend on the ranks that wrote them.
  FileChunks chunks;                           ///< of each field
  std::vector<std::uint64_t> chunk_checksums;  ///< one a chunk, field by field
  std::uint64_t checksum = 0;                  ///< their sum modulo 2^64
};

/// The file `folder`/checkpoint_<step>.h5 for a FieldWriter, with values of type `Real`. Fills in
/// the precision, chunks and checksums of `info`. When the file has its name, the oldest
/// checkpoints of the folder beyond `keep` are removed. Instantiated for float and double.
template <class Real>
SharedField checkpoint_file(const std::filesystem::path& folder, CheckpointInfo info, int keep);

/// Collective. Creates the folder if it is missing, and removes the partial files of killed runs.
/// Throws CollectiveError (input_output).
void prepare_checkpoint_folder(const comm::Communicator& communicator,
                               const std::filesystem::path& folder);

/// Local; throw comm::Error (input_output) if the folder cannot be listed. The checkpoints of the
/// folder by their names, ascending; those set aside as damaged; the removal of partial files.
std::vector<NumberedFile> checkpoint_files(const std::filesystem::path& folder);
std::vector<NumberedFile> damaged_checkpoint_files(const std::filesystem::path& folder);
void remove_stale_checkpoints(const std::filesystem::path& folder);

/// Local. Renames a damaged checkpoint, beside the others, so that no restart finds it; returns the
/// new name.
std::filesystem::path rename_damaged(const std::filesystem::path& file);

/// Collective. Writes a checkpoint and waits until it has its name. `values` are those of this
/// rank's block `owned`, x fastest and without ghosts, of one of `info.fields` after another. The
/// same state gives the same bytes for all numbers of ranks. Throws CollectiveError: input_output
/// if the file cannot be written, numerics if a value is not finite (the message names the first
/// such cell); then no file of a final name was created or removed. Instantiated for float and
/// double.
template <class Real>
WrittenFile write_checkpoint(const comm::Communicator& communicator,
                             const std::filesystem::path& folder, CheckpointInfo info,
                             const comm::Box& owned, std::span<const Real> values, int keep,
                             const WriteSettings& settings = {});

/// The step in a name of the form checkpoint_<step>.h5; none for other names.
std::optional<std::int64_t> checkpoint_step(const std::filesystem::path& file);

/// Collective. The checkpoints of the folder, the latest step first.
std::vector<std::filesystem::path> checkpoints_in(const comm::Communicator& communicator,
                                                  const std::filesystem::path& folder);

}  // namespace halotherm::io
