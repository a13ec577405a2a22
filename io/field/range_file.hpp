// SPDX-License-Identifier: MIT
// Ranges of a shared file's values, written and read back by several threads of a rank, with their
// checksums.
#pragma once

#include "io/distribution/file_chunks.hpp"
#include "io/distribution/file_order.hpp"
#include "io/field/field_file.hpp"
#include "io/files/file_descriptor.hpp"

#include <span>

namespace halotherm::io {

/// A file that rank 0 laid out, as this rank sees it. All members are local and throw comm::Error
/// (input_output); `sums`: of every chunk, to which the checksums of the values that pass by are
/// added.
template <class Real>
class RangeFile {
 public:
  /// `flags`: as open(2) has them. Throws if this rank sees another file than rank 0 made.
  RangeFile(const FileLayout& layout, const FileChunks& chunks, int threads, int flags);

  void write(const ValueRange& range, std::span<const Real> values,
             std::span<std::uint64_t> sums) const;
  /// Waits until what was written is on the disk.
  void flush() const { file_.flush(); }
  /// Reads by way of the disk where the system can be made to.
  void read_back(const ValueRange& range, std::span<std::uint64_t> sums) const;

 private:
  template <class Work>
  void for_each_share(const ValueRange& range, const Work& work) const;
  std::int64_t place_of(std::int64_t value) const;

  const FileLayout& layout_;
  const FileChunks& chunks_;
  int threads_;
  FileDescriptor file_;
};

}  // namespace halotherm::io
