// SPDX-License-Identifier: MIT
// Writes and reads back ranges of a file's values, with checksums, by several threads of a rank.
#pragma once

#include "io/distribution/file_chunks.hpp"
#include "io/distribution/file_order.hpp"
#include "io/field/field_file.hpp"
#include "io/files/file_descriptor.hpp"

#include <span>

namespace halotherm::io {

/// A file that rank 0 laid out, as this rank sees it. The references must outlive it. All members
/// are local and throw comm::Error (input_output). `field`: which of the file's. `sums` has one
/// entry for each chunk of each field, to which the checksums of the transferred values are added.
/// Instantiated for float and double.
template <class Real>
class RangeFile {
 public:
  /// Opens the file; `flags`: as of open(2). Throws if this rank sees another file than rank 0
  /// made.
  RangeFile(const FileLayout& layout, const FileChunks& chunks, int threads, int flags);

  void write(std::size_t field, const ValueRange& range, std::span<const Real> values,
             std::span<std::uint64_t> sums) const;
  /// Waits until all written values are on the disk.
  void flush() const { file_.flush(); }
  /// Reads from the disk rather than from a cache where the system permits it.
  void read_back(std::size_t field, const ValueRange& range, std::span<std::uint64_t> sums) const;

 private:
  template <class Work>
  void for_each_share(const ValueRange& range, const Work& work) const;
  std::int64_t offset_of(std::size_t field, std::int64_t place) const;

  const FileLayout& layout_;
  const FileChunks& chunks_;
  int threads_;
  FileDescriptor file_;
};

}  // namespace halotherm::io
