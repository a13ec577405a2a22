// SPDX-License-Identifier: MIT
// The HDF5 side of a shared file: all of it but the values.
#pragma once

#include "io/field/shared_field.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/library.hpp"

namespace halotherm::io {

/// A file under its partial name that lacks only the values.
struct FileLayout {
  std::filesystem::path partial;
  std::int64_t bytes = 0;
  /// The offset of each field's values, which are contiguous [bytes].
  std::vector<std::int64_t> values_begin = {};
};

// All functions are local and may run in any thread, but HDF5 must not be called by two threads at
// once. Rank 0 alone calls these two. Failures throw comm::Error (input_output).

/// Creates the partial file and reserves all its space, which may take a second a GiB. Values of a
/// MiB and more begin at a multiple of a MiB. A failure may leave the file there.
template <class Real>
FileLayout lay_out(const SharedField& field);

/// Calls `field.complete`, flushes the whole file, and calls `field.verify` on what the disk
/// returns.
void complete_description(const FileLayout& layout, const SharedField& field,
                          std::span<const std::uint64_t> checksums);

// Shared with files that ranks make together (io/field/parallel_file.hpp). Failures of HDF5 throw
// hdf5::CallError.

/// The access properties of a new file: its format and alignment.
hdf5::PropertyList new_file_access();

/// Creates the file, which must not exist. Tracks no times, so that the same state gives the same
/// bytes.
hid_t create_file(const std::filesystem::path& partial, const hdf5::PropertyList& access);

/// Creates everything in the file but the fields' values, whose space is allocated and not filled.
/// Where ranks make the file together, all call it and exactly one passes `fills` = true, which
/// writes the small data sets; a process that makes the file alone passes true.
template <class Real>
std::vector<hdf5::Dataset> describe_in(const hdf5::File& file, const SharedField& field,
                                       bool fills);

/// A failure of HDF5 as the user should read it.
comm::Error writing_failed(const std::filesystem::path& path, const hdf5::CallError& error);

/// The offsets of allocated data sets' values in the file [bytes].
std::vector<std::int64_t> begin_of_values(std::span<const hdf5::Dataset> datasets);

}  // namespace halotherm::io
