// SPDX-License-Identifier: MIT
// A file that all ranks write together: its content, and the result of the write.
#pragma once

#include "comm/mpi/file_hints.hpp"
#include "comm/partition/quantity.hpp"
#include "io/distribution/field_block.hpp"
#include "io/text/grid_shape.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace halotherm::io {

/// The content of the file besides the values of its fields. Rank 0 alone calls the functions, in a
/// thread; but where ranks make the file together (io/field/parallel_file.hpp), all call
/// `describe`, with the same result. All functions but `describe` may be empty.
struct SharedField {
  std::filesystem::path path;          ///< final name; its folder exists
  GridShape grid;                      ///< for messages
  std::string group;                   ///< of the data sets, ends with '/'; empty for the root
  std::vector<comm::Quantity> fields;  ///< one data set each; their values follow in this order
  FieldAxes axes;                      ///< of each data set
  std::int64_t description_bytes = 0;  ///< at least what `describe` adds to the file
  /// Creates everything but the values in the new file. Where ranks make it together, only one of
  /// them `fills` the small data sets.
  std::function<void(hid_t file, std::span<const hdf5::Dataset> datasets, bool fills)> describe;
  /// Overwrites what `describe` could not know, given the checksum of each chunk of each field,
  /// when all values are on the disk.
  std::function<void(hid_t file, std::span<const std::uint64_t> checksums)> complete;
  /// Throws hdf5::FormatError unless the file, opened again, has the content that it was given.
  std::function<void(hid_t file, std::span<const std::uint64_t> checksums)> verify;
  /// Flushes whatever must be on the disk before the file gets its final name.
  std::function<void()> publishing;
  /// Runs when the file has its final name. Returns a remark for the user, mostly an empty one.
  std::function<std::string()> published;

  std::string dataset(std::size_t field) const { return group + fields[field].name; }
};

/// A file that was written.
struct WrittenFile {
  std::filesystem::path path;
  std::int64_t bytes = 0;
  double seconds = 0;     ///< that the slowest rank took to write and flush its part
  double latency = 0;     ///< [s] from the start to the final name, read-back included
  std::string remark;     ///< for the user, although nothing is lost; mostly empty
  comm::FileHints hints;  ///< that MPI-IO followed; empty if it did not write the file
};

}  // namespace halotherm::io
