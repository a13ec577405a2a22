// SPDX-License-Identifier: MIT
#include "solver/copy_bandwidth.hpp"

#include "comm/timers.hpp"
#include "solver/arithmetic.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

using Doubles = Pack<double>;

/// As STREAM's copy: every element read once, written once.
struct Copy {
  const Doubles* source;
  Doubles* target;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const { target[n] = source[n]; }
};

struct StreamingCopy {
  const Doubles* source;
  Doubles* target;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    store_streaming(reinterpret_cast<double*>(target + n), source[n]);
  }
};

template <class Real>
struct Triad {
  const Pack<Real>* a;
  const Pack<Real>* b;
  Pack<Real>* target;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    target[n] = multiply_add(broadcast<Pack<Real>>(Real(3)), b[n], a[n]);
  }
};

template <class Real>
struct StreamingTriad {
  const Pack<Real>* a;
  const Pack<Real>* b;
  Pack<Real>* target;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    store_streaming(reinterpret_cast<Real*>(target + n), multiply_add(broadcast<Pack<Real>>(Real(3)), b[n], a[n]));
  }
};

/// The best of several launches.
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

template <class Body>
double fastest_kernel(int repeats, const comm::Space& space, std::int64_t packs, const Body& body) {
  return fastest(repeats, space, [&] {
    Kokkos::parallel_for("copy", Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<std::int64_t>>(space, 0, packs), body);
  });
}

}  // namespace

template <class Real>
double copy_bandwidth(const Field<Real>& source, Field<Real>& target, int repeats) {
  const comm::Space space;
  const std::int64_t bytes = source.bytes();
  const auto* from = reinterpret_cast<const Doubles*>(source.data());
  auto* to = reinterpret_cast<Doubles*>(target.data());
  using Bytes = Kokkos::View<std::byte*, comm::Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Bytes from_bytes(reinterpret_cast<std::byte*>(const_cast<Doubles*>(from)), static_cast<std::size_t>(bytes));
  const Bytes to_bytes(reinterpret_cast<std::byte*>(to), static_cast<std::size_t>(bytes));

  double seconds = fastest_kernel(repeats, space, bytes / pack_bytes, Copy{from, to});
  if (comm::kernels_run_on_host)
    seconds = std::min(seconds, fastest_kernel(repeats, space, bytes / pack_bytes, StreamingCopy{from, to}));
  seconds = std::min(seconds, fastest(repeats, space, [&] { Kokkos::deep_copy(space, to_bytes, from_bytes); }));
  return 2.0 * static_cast<double>(bytes) / seconds;
}

template <class Real>
double triad_bandwidth(const Field<Real>& a, const Field<Real>& b, Field<Real>& target, int repeats) {
  const comm::Space space;
  const auto* first = reinterpret_cast<const Pack<Real>*>(a.data());
  const auto* second = reinterpret_cast<const Pack<Real>*>(b.data());
  auto* to = reinterpret_cast<Pack<Real>*>(target.data());
  const auto packs = a.bytes() / pack_bytes;
  double seconds = fastest_kernel(repeats, space, packs, Triad<Real>{first, second, to});
  if (comm::kernels_run_on_host) {
    seconds = std::min(seconds, fastest_kernel(repeats, space, packs, StreamingTriad<Real>{first, second, to}));
  }
  return 3.0 * static_cast<double>(a.bytes()) / seconds;
}

template double copy_bandwidth(const Field<float>&, Field<float>&, int);
template double copy_bandwidth(const Field<double>&, Field<double>&, int);
template double triad_bandwidth(const Field<float>&, const Field<float>&, Field<float>&, int);
template double triad_bandwidth(const Field<double>&, const Field<double>&, Field<double>&, int);

}  // namespace halotherm::solver
