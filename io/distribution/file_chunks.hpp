// SPDX-License-Identifier: MIT
// The parts of a data set that have a checksum of their own.
#pragma once

#include "comm/partition/box.hpp"

#include <cstdint>
#include <span>

namespace halotherm::io {

/// The values of a data set of `extent`, x fastest, in chunks of `length` values, of which the last
/// may be shorter.
struct FileChunks {
  comm::Int3 extent{1, 1, 1};
  std::int64_t length = 1;

  std::int64_t values() const { return std::int64_t{extent[0]} * extent[1] * extent[2]; }
  std::int64_t count() const { return (values() + length - 1) / length; }
  std::int64_t first(std::int64_t chunk) const { return chunk * length; }
  std::int64_t end(std::int64_t chunk) const {
    return chunk + 1 < count() ? first(chunk + 1) : values();
  }

  /// Adds the part that `values`, the first one at `place` in the file, have in the checksum of
  /// each chunk to `sums`, one a chunk. Several threads may do so at once.
  template <class Real>
  void add_checksums(std::int64_t place, std::span<const Real> values,
                     std::span<std::uint64_t> sums) const;
  /// The same for all values of a box, x fastest.
  template <class Real>
  void add_checksums(const comm::Box& box, std::span<const Real> values,
                     std::span<std::uint64_t> sums) const;
};

/// Chunks of at least 2^17 values, 1 MiB in double precision, and so long that there are no more
/// than 2^16 of them.
FileChunks chunks_of(const comm::Int3& extent);

}  // namespace halotherm::io
