// SPDX-License-Identifier: MIT
// The HDF5 side of a shared file: all of it but the values, which ranks write at their place by themselves.
#pragma once

#include "comm/communicator.hpp"
#include "io/shared_field.hpp"

namespace halotherm::io {

/// A file under its partial name that lacks only the values.
struct FileLayout {
  std::filesystem::path partial;
  std::int64_t bytes = 0;
  std::int64_t values_begin = 0;  ///< of the data set's values, which lie in one piece in the file's order [bytes]
};

/// Collective. Rank 0 tries whether the file fits on the disk, lays it out with all its space set aside, and every rank sees that
/// it can open this very file. Values of a MiB and more begin at a multiple of a MiB. Throws CollectiveError (input_output) and
/// leaves no file if anything fails on any rank.
template <class Real>
FileLayout lay_out(const comm::Communicator& communicator, const SharedField& field);

/// Rank 0 alone: has `field.complete` overwrite its part. Throws comm::Error (input_output).
void complete_description(const FileLayout& layout, const SharedField& field, std::span<const std::uint64_t> checksums);

/// Rank 0 alone: has `field.verify` look at what the disk gives back. Throws comm::Error (input_output).
void verify_description(const FileLayout& layout, const SharedField& field, std::span<const std::uint64_t> checksums);

}  // namespace halotherm::io
