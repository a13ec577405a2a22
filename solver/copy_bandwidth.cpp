// SPDX-License-Identifier: MIT
#include "solver/copy_bandwidth.hpp"

#include "comm/timers.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

struct alignas(16) Line {
  double values[2];
};

/// As STREAM's copy: every element read once, written once.
struct Copy {
  const Line* source;
  Line* target;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const { target[n] = source[n]; }
};

template <class Work>
double fastest(int repeats, const comm::Space& space, const Work& work) {
  work();  // warm-up
  space.fence("copy");
  double best = 1e300;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const comm::Stopwatch watch;
    work();
    space.fence("copy");
    best = std::min(best, watch.seconds());
  }
  return best;
}

}  // namespace

template <class Real>
double copy_bandwidth(const Field<Real>& source, Field<Real>& target, int repeats) {
  const comm::Space space;
  const std::int64_t bytes = source.bytes();
  const auto* from = reinterpret_cast<const Line*>(source.data());
  auto* to = reinterpret_cast<Line*>(target.data());
  using Bytes = Kokkos::View<std::byte*, comm::Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Bytes from_bytes(reinterpret_cast<std::byte*>(const_cast<Line*>(from)), static_cast<std::size_t>(bytes));
  const Bytes to_bytes(reinterpret_cast<std::byte*>(to), static_cast<std::size_t>(bytes));

  const double by_kernel = fastest(repeats, space, [&] {
    Kokkos::parallel_for("copy", Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<std::int64_t>>(space, 0, bytes / 16),
                         Copy{from, to});
  });
  const double by_memory = fastest(repeats, space, [&] { Kokkos::deep_copy(space, to_bytes, from_bytes); });
  return 2.0 * static_cast<double>(bytes) / std::min(by_kernel, by_memory);
}

template double copy_bandwidth(const Field<float>&, Field<float>&, int);
template double copy_bandwidth(const Field<double>&, Field<double>&, int);

}  // namespace halotherm::solver
