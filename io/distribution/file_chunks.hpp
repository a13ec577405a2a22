// SPDX-License-Identifier: MIT
// Divides the values of a data set into chunks that have a checksum each.
#pragma once

#include "comm/partition/box.hpp"

#include <cstdint>
#include <span>

namespace halotherm::io {

/// Chunks of `length` values each, x fastest, of a data set of `extent`; the last may be shorter.
struct FileChunks {
  comm::Int3 extent{1, 1, 1};
  std::int64_t length = 1;

  std::int64_t values() const { return std::int64_t{extent[0]} * extent[1] * extent[2]; }
  std::int64_t count() const { return (values() + length - 1) / length; }
  std::int64_t first(std::int64_t chunk) const { return chunk * length; }
  std::int64_t end(std::int64_t chunk) const {
    return chunk + 1 < count() ? first(chunk + 1) : values();
  }

  /// The sums of one field, where `sums` has those of several, one after another.
  template <class Sum>
  std::span<Sum> of_field(std::size_t field, std::span<Sum> sums) const {
    const auto each = static_cast<std::size_t>(count());
    return sums.subspan(field * each, each);
  }

  /// Adds the contributions of `values`, whose first one is at `place` in the file, to the
  /// checksums of their chunks. `sums` has one entry a chunk; several threads may add to it at
  /// once.
  template <class Real>
  void add_checksums(std::int64_t place, std::span<const Real> values,
                     std::span<std::uint64_t> sums) const;
  /// Adds the contributions of all values of a box, x fastest.
  template <class Real>
  void add_checksums(const comm::Box& box, std::span<const Real> values,
                     std::span<std::uint64_t> sums) const;
};

/// Chunks of at least 2^17 values (1 MiB in double precision), at most 2^16 chunks.
FileChunks chunks_of(const comm::Int3& extent);

}  // namespace halotherm::io
