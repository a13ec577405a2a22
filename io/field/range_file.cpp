// SPDX-License-Identifier: MIT
#include "io/field/range_file.hpp"

#include "comm/system/activity.hpp"
#include "io/files/durable_file.hpp"

#include <algorithm>
#include <future>
#include <vector>

namespace halotherm::io {

template <class Real>
RangeFile<Real>::RangeFile(const FileLayout& layout, const FileChunks& chunks, int threads,
                           int flags)
    : layout_(layout), chunks_(chunks), threads_(threads), file_(layout.partial, flags) {
  check_visible(file_, layout.partial, layout.bytes);
}

template <class Real>
std::int64_t RangeFile<Real>::offset_of(std::size_t field, std::int64_t place) const {
  return layout_.values_begin[field] + place * static_cast<std::int64_t>(sizeof(Real));
}

/// Calls work(share) for shares of a MiB or less, which the threads take in turns. Waits for all
/// threads, then throws what one of them has thrown.
template <class Real>
template <class Work>
void RangeFile<Real>::for_each_share(const ValueRange& range, const Work& work) const {
  constexpr std::int64_t size = (1 << 20) / sizeof(Real);
  const auto by_thread = [&](int thread) {
    for (auto first = range.first + thread * size; first < range.end; first += threads_ * size) {
      work(ValueRange{first, std::min(first + size, range.end)});
      comm::note_progress();
    }
  };
  std::vector<std::future<void>> others;
  for (int thread = 1; thread < threads_; ++thread)
    others.push_back(std::async(std::launch::async, by_thread, thread));
  by_thread(0);
  for (auto& other : others) other.get();
}

template <class Real>
void RangeFile<Real>::write(std::size_t field, const ValueRange& range,
                            std::span<const Real> values, std::span<std::uint64_t> sums) const {
  const auto of_field = chunks_.of_field(field, sums);
  for_each_share(range, [&](const ValueRange& share) {
    const auto some = values.subspan(static_cast<std::size_t>(share.first - range.first),
                                     static_cast<std::size_t>(share.size()));
    chunks_.add_checksums<Real>(share.first, some, of_field);
    file_.write(std::as_bytes(some), offset_of(field, share.first));
  });
}

template <class Real>
void RangeFile<Real>::read_back(std::size_t field, const ValueRange& range,
                                std::span<std::uint64_t> sums) const {
  const auto of_field = chunks_.of_field(field, sums);
  file_.forget();
  for_each_share(range, [&](const ValueRange& share) {
    std::vector<Real> values(static_cast<std::size_t>(share.size()));
    file_.read(std::as_writable_bytes(std::span(values)), offset_of(field, share.first));
    chunks_.add_checksums<Real>(share.first, values, of_field);
  });
}

template class RangeFile<float>;
template class RangeFile<double>;

}  // namespace halotherm::io
