// SPDX-License-Identifier: MIT
// The HDF5 side of a shared file: all of it but the values, which ranks write at their place by
// themselves.
#pragma once

#include "io/field/shared_field.hpp"
#include "io/hdf5/error.hpp"
#include "io/hdf5/handle.hpp"

namespace halotherm::io {

/// A file under its partial name that lacks only the values.
struct FileLayout {
  std::filesystem::path partial;
  std::int64_t bytes = 0;
  std::int64_t values_begin =
      0;  ///< of the data set's values, which lie in one piece in the file's order [bytes]
};

// All of it is local, for rank 0 alone, and may run in any thread; HDF5 must not be called by two
// threads at once. Failures throw comm::Error (input_output).

/// Makes the partial file with all its space set aside, which may take a second a GiB. Values of a
/// MiB and more begin at a multiple of a MiB. A failure may leave the file there.
template <class Real>
FileLayout lay_out(const SharedField& field);

/// Has `field.complete` overwrite its part.
void complete_description(const FileLayout& layout, const SharedField& field,
                          std::span<const std::uint64_t> checksums);

/// Has `field.verify` look at what the disk gives back.
void verify_description(const FileLayout& layout, const SharedField& field,
                        std::span<const std::uint64_t> checksums);

// What files that one process lays out and files that ranks make together
// (io/field/parallel_file.hpp) have in common. Failures of HDF5 throw hdf5::CallError.

/// How a new file is opened: its format, and values of a MiB and more at a multiple of a MiB.
hdf5::PropertyList new_file_access();

/// Makes the file, which must not be there, or throws CallError. Times are not tracked, so that the
/// same state gives the same bytes.
hid_t create_file(const std::filesystem::path& partial, const hdf5::PropertyList& access);

/// Makes everything in the file but the field's values, whose space is allocated and not filled.
/// Where ranks make the file together, all call it and one `fills` the small data sets; it alone is
/// to be true.
template <class Real>
hdf5::Dataset describe_in(const hdf5::File& file, const SharedField& field, bool fills);

/// What a failure of HDF5 means for the user.
comm::Error writing_failed(const std::filesystem::path& path, const hdf5::CallError& error);

/// Where the values of an allocated data set begin in the file [bytes].
std::int64_t begin_of_values(const hdf5::Dataset& dataset);

}  // namespace halotherm::io
