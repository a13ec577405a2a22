// SPDX-License-Identifier: MIT
#include "solver/field/copy_bandwidth.hpp"

#include "comm/device/launch_teams.hpp"
#include "comm/system/best_time.hpp"
#include "solver/field/arithmetic.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

/// As STREAM's copy: every element read once, written once.
template <class Real>
struct Copy {
  const Real* source;
  KOKKOS_FORCEINLINE_FUNCTION Pack<Real> operator()(std::int64_t cell) const {
    return load<Pack<Real>>(source + cell);
  }
};

template <class Real>
struct Triad {
  const Real* a;
  const Real* b;
  KOKKOS_FORCEINLINE_FUNCTION Pack<Real> operator()(std::int64_t cell) const {
    return multiply_add(broadcast<Pack<Real>>(Real(3)), load<Pack<Real>>(b + cell),
                        load<Pack<Real>>(a + cell));
  }
};

/// A pack after the other.
template <class Real, bool NonTemporal, class Operation>
struct EachPack {
  Operation operation;
  Real* target;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t cell = n * Pack<Real>::width;
    if constexpr (NonTemporal) {
      store_non_temporal(target + cell, operation(cell));
    } else {
      store(target + cell, operation(cell));
    }
  }
};

/// A few packs a thread, all loads before the first store: on some sizes GPUs move more so.
template <class Real, class Operation>
struct FewPacks {
  static constexpr int packs = 4;
  static constexpr int threads = 256;
  Operation operation;
  Real* target;
  std::int64_t cells;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread) const {
    Pack<Real> result[packs];
    HALOTHERM_UNROLL
    for (int n = 0; n < packs; ++n) {
      if (cell(team, thread, n) < cells) result[n] = operation(cell(team, thread, n));
    }
    HALOTHERM_UNROLL
    for (int n = 0; n < packs; ++n) {
      if (cell(team, thread, n) < cells) store(target + cell(team, thread, n), result[n]);
    }
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION std::int64_t cell(int team, int thread, int n) {
    return (std::int64_t{team} * packs * threads + n * threads + thread) * Pack<Real>::width;
  }
};

/// Seconds for the operation over `cells` cells, in the fastest of the ways that suit the device.
template <class Real, class Operation>
double fastest_sweep(int repeats, const comm::Space& space, const Operation& operation,
                     Real* target, std::int64_t cells) {
  const Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<std::int64_t>> packs(
      space, 0, cells / Pack<Real>::width);
  const auto plain = [&] {
    Kokkos::parallel_for("copy", packs, EachPack<Real, false, Operation>{operation, target});
  };
  const auto other = [&] {
    if constexpr (comm::kernels_run_on_host) {
      Kokkos::parallel_for("copy", packs, EachPack<Real, true, Operation>{operation, target});
    } else {
      using Few = FewPacks<Real, Operation>;
      constexpr std::int64_t of_team = std::int64_t{Few::packs} * Few::threads * Pack<Real>::width;
      comm::for_each_thread<Kokkos::LaunchBounds<Few::threads, 4>>(
          space, "copy", static_cast<int>((cells + of_team - 1) / of_team), Few::threads,
          Few{operation, target, cells});
    }
  };
  const auto fence = [&] { space.fence("copy"); };
  const comm::Repeats launches{.timings = repeats};
  return std::min(best_time(comm::Alone(), launches, plain, fence),
                  best_time(comm::Alone(), launches, other, fence));
}

}  // namespace

template <class Real>
double copy_bandwidth(const Field<Real>& source, Field<Real>& target, int repeats) {
  const comm::Space space;
  const std::int64_t bytes = source.bytes();
  using Bytes = Kokkos::View<std::byte*, comm::Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Bytes from(reinterpret_cast<std::byte*>(const_cast<Real*>(source.data())),
                   static_cast<std::size_t>(bytes));
  const Bytes to(reinterpret_cast<std::byte*>(target.data()), static_cast<std::size_t>(bytes));

  const auto cells = bytes / std::int64_t{sizeof(Real)};
  const double kernel =
      fastest_sweep(repeats, space, Copy<Real>{source.data()}, target.data(), cells);
  const double memory = best_time(
      comm::Alone(), {.timings = repeats}, [&] { Kokkos::deep_copy(space, to, from); },
      [&] { space.fence("copy"); });
  return 2.0 * static_cast<double>(bytes) / std::min(kernel, memory);
}

template <class Real>
double triad_bandwidth(const Field<Real>& a, const Field<Real>& b, Field<Real>& target,
                       int repeats) {
  const comm::Space space;
  const auto cells = a.bytes() / std::int64_t{sizeof(Real)};
  return 3.0 * static_cast<double>(a.bytes()) /
         fastest_sweep(repeats, space, Triad<Real>{a.data(), b.data()}, target.data(), cells);
}

template double copy_bandwidth(const Field<float>&, Field<float>&, int);
template double copy_bandwidth(const Field<double>&, Field<double>&, int);
template double triad_bandwidth(const Field<float>&, const Field<float>&, Field<float>&, int);
template double triad_bandwidth(const Field<double>&, const Field<double>&, Field<double>&, int);

}  // namespace halotherm::solver
