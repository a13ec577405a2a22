// SPDX-License-Identifier: MIT
#include "io/field/range_file.hpp"

#include "comm/system/activity.hpp"
#include "io/files/durable_file.hpp"
#include "io/hdf5/in_parallel.hpp"

#include <algorithm>
#include <vector>

namespace halotherm::io {

template <class Real>
RangeFile<Real>::RangeFile(const FileLayout& layout, const FileChunks& chunks, int threads,
                           int flags)
    : layout_(layout), chunks_(chunks), threads_(threads), file_(layout.partial, flags) {
  check_visible(file_, layout.partial, layout.bytes);
}

template <class Real>
std::int64_t RangeFile<Real>::place_of(std::int64_t value) const {
  return layout_.values_begin + value * static_cast<std::int64_t>(sizeof(Real));
}

/// The threads take turns: `work` gets a MiB or less at a time.
template <class Real>
template <class Work>
void RangeFile<Real>::for_each_share(const ValueRange& range, const Work& work) const {
  constexpr std::int64_t share = (1 << 20) / sizeof(Real);
  in_parallel(threads_, [&](int thread) {
    for (auto first = range.first + thread * share; first < range.end; first += threads_ * share) {
      work(ValueRange{first, std::min(first + share, range.end)});
      comm::note_progress();
    }
  });
}

template <class Real>
void RangeFile<Real>::write(const ValueRange& range, std::span<const Real> values,
                            std::span<std::uint64_t> sums) const {
  for_each_share(range, [&](const ValueRange& share) {
    const auto some = values.subspan(static_cast<std::size_t>(share.first - range.first),
                                     static_cast<std::size_t>(share.size()));
    chunks_.add_checksums<Real>(share.first, some, sums);
    file_.write(std::as_bytes(some), place_of(share.first));
  });
}

template <class Real>
void RangeFile<Real>::read_back(const ValueRange& range, std::span<std::uint64_t> sums) const {
  file_.forget();
  for_each_share(range, [&](const ValueRange& share) {
    std::vector<Real> values(static_cast<std::size_t>(share.size()));
    file_.read(std::as_writable_bytes(std::span(values)), place_of(share.first));
    chunks_.add_checksums<Real>(share.first, values, sums);
  });
}

template class RangeFile<float>;
template class RangeFile<double>;

}  // namespace halotherm::io
