// SPDX-License-Identifier: MIT
#include "io/distribution/file_chunks.hpp"

#include "io/files/checksum.hpp"

#include <algorithm>
#include <atomic>

namespace halotherm::io {

template <class Real>
void FileChunks::add_checksums(std::int64_t place, std::span<const Real> values,
                               std::span<std::uint64_t> sums) const {
  while (!values.empty()) {
    const auto chunk = place / length;
    const auto count = std::min(values.size(), static_cast<std::size_t>(end(chunk) - place));
    std::atomic_ref(sums[static_cast<std::size_t>(chunk)]) +=
        range_checksum(place, values.first(count));
    values = values.subspan(count);
    place += static_cast<std::int64_t>(count);
  }
}

template <class Real>
void FileChunks::add_checksums(const comm::Box& box, std::span<const Real> values,
                               std::span<std::uint64_t> sums) const {
  const auto row = static_cast<std::size_t>(box.extent(0));
  std::size_t done = 0;
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j, done += row) {
      add_checksums((k * extent[1] + j) * extent[0] + box.lower[0], values.subspan(done, row),
                    sums);
    }
  }
}

template void FileChunks::add_checksums(std::int64_t, std::span<const float>,
                                        std::span<std::uint64_t>) const;
template void FileChunks::add_checksums(std::int64_t, std::span<const double>,
                                        std::span<std::uint64_t>) const;
template void FileChunks::add_checksums(const comm::Box&, std::span<const float>,
                                        std::span<std::uint64_t>) const;
template void FileChunks::add_checksums(const comm::Box&, std::span<const double>,
                                        std::span<std::uint64_t>) const;

FileChunks chunks_of(const comm::Int3& extent) {
  constexpr std::int64_t most = 1 << 16;
  FileChunks chunks{extent, 1 << 17};
  while (chunks.count() > most) chunks.length *= 2;
  return chunks;
}

}  // namespace halotherm::io
