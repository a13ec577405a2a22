// SPDX-License-Identifier: MIT
// One file that all ranks write together: what it is to hold, and what came of it.
#pragma once

#include "comm/mpi/file_hints.hpp"
#include "io/distribution/field_block.hpp"
#include "io/text/grid_shape.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace halotherm::io {

/// What the file is to hold besides the field's values. The functions are called by rank 0 alone,
/// in a thread; but for `describe`, which all ranks call, with the same result, where they make the
/// file together (io/field/parallel_file.hpp).
struct SharedField {
  std::filesystem::path path;          ///< final name; its folder is there
  GridShape grid;                      ///< for messages
  std::string dataset;                 ///< name of the data set
  FieldAxes axes;                      ///< of the data set
  std::int64_t description_bytes = 0;  ///< at least what `describe` adds to the file
  /// Makes everything but the values in the new file. Where ranks make it together, only one of
  /// them `fills` the small data sets.
  std::function<void(hid_t file, hid_t dataset, bool fills)> describe;
  /// Once all values are on the disk: given each chunk's checksum, overwrites what `describe` could
  /// not know; may be empty.
  std::function<void(hid_t file, std::span<const std::uint64_t> checksums)> complete;
  /// Throws hdf5::FormatError if the file, opened again, does not say all that it was given; may be
  /// empty.
  std::function<void(hid_t file, std::span<const std::uint64_t> checksums)> verify;
  /// Just before the file gets its final name: brings to the disk what must be there if this file
  /// is; may be empty.
  std::function<void()> publishing;
  /// Once the file has its final name; gives a remark for the user, mostly none. May be empty.
  std::function<std::string()> published;
};

/// A file that was written.
struct WrittenFile {
  std::filesystem::path path;
  std::int64_t bytes = 0;
  double seconds = 0;  ///< that the slowest rank took to write its share and bring it to the disk
  double latency = 0;  ///< [s] from the start to the final name, read-back included
  std::string remark;  ///< what the user should know although nothing is lost; empty if all went as
                       ///< it should
  comm::FileHints hints;  ///< that MPI-IO followed; none if it did not write the file
};

}  // namespace halotherm::io
