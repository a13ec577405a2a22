// SPDX-License-Identifier: MIT
// The HDF5 side of a shared file: all of it but the values, which ranks write at their place by themselves.
#pragma once

#include "io/shared_field.hpp"

namespace halotherm::io {

/// A file under its partial name that lacks only the values.
struct FileLayout {
  std::filesystem::path partial;
  std::int64_t bytes = 0;
  std::int64_t values_begin = 0;  ///< of the data set's values, which lie in one piece in the file's order [bytes]
};

// All of it is local, for rank 0 alone, and may run in any thread; HDF5 must not be called by two threads at once. Failures throw
// comm::Error (input_output).

/// Makes the partial file with all its space set aside, which may take a second a GiB. Values of a MiB and more begin at a multiple
/// of a MiB. A failure may leave the file there.
template <class Real>
FileLayout lay_out(const SharedField& field);

/// Has `field.complete` overwrite its part.
void complete_description(const FileLayout& layout, const SharedField& field, std::span<const std::uint64_t> checksums);

/// Has `field.verify` look at what the disk gives back.
void verify_description(const FileLayout& layout, const SharedField& field, std::span<const std::uint64_t> checksums);

}  // namespace halotherm::io
