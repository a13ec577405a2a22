// SPDX-License-Identifier: MIT
// A field in the order of its file, in chunks.
#pragma once

#include "comm/box.hpp"

#include <cstdint>
#include <vector>

namespace halotherm::io {

/// The values of a data set of `extent`, x fastest, in chunks of `length` values, of which the last may be shorter. A chunk is
/// written by one rank and has a checksum of its own.
struct FileChunks {
  comm::Int3 extent{1, 1, 1};
  std::int64_t length = 1;

  std::int64_t values() const { return std::int64_t{extent[0]} * extent[1] * extent[2]; }
  std::int64_t count() const { return (values() + length - 1) / length; }
  std::int64_t first(std::int64_t chunk) const { return chunk * length; }
  std::int64_t end(std::int64_t chunk) const { return chunk + 1 < count() ? first(chunk + 1) : values(); }

  /// At most five boxes that are the chunk's values, in the order of the file.
  std::vector<comm::Box> boxes(std::int64_t chunk) const;
};

/// Chunks of at least 2^17 values, 1 MiB in double precision, and so long that there are no more than 2^16 of them.
FileChunks chunks_of(const comm::Int3& extent);

}  // namespace halotherm::io
