// SPDX-License-Identifier: MIT
// The temperatures that a streaming thread holds, and those of its next plane on their way.
#pragma once

#include "comm/device/shared_memory.hpp"
#include "comm/device/tile.hpp"
#include "solver/streaming/streamed_cells.hpp"

namespace halotherm::solver {

/// As StreamedCells in three dimensions. While a thread computes a plane, copies of what the next
/// one needs are under way into shared memory on NVIDIA GPUs, where the thread has places of its
/// own: neither the copies nor the registers that loads would take hold it up.
template <int Rows, class Real>
class CellsUnderWay : public StreamedCells<3, Rows, Real> {
 public:
  using Cells = Pack<Real>;

  /// `T` is the first cell of the first row, `planes` how many the thread computes, `thread` its
  /// rank in the team of TileGrid::threads.
  KOKKOS_FORCEINLINE_FUNCTION CellsUnderWay(const Real* T, std::int64_t row, std::int64_t plane,
                                            int planes, int thread)
      : StreamedCells<3, Rows, Real>(T, row, plane), thread_(thread) {
    request(T, row, plane, planes);
  }

  /// Takes what the current rows need, from `T` on, and requests that of the next plane. `planes`:
  /// how many are left, with the current one.
  KOKKOS_FORCEINLINE_FUNCTION void arrive(const Real* T, std::int64_t row, std::int64_t plane,
                                          [[maybe_unused]] int planes) {
#if defined(__CUDA_ARCH__)
    comm::await_copies_to_shared();
    const auto& places = both_places()[next_];
    this->south = places.rows[0][thread_];
    this->north = places.rows[1][thread_];
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      this->above[r] = places.rows[2 + r][thread_];
      this->before[r] = places.ends[0][r][thread_];
      this->after[r] = places.ends[1][r][thread_];
    }
    next_ ^= 1;
    if (planes > 1) request(T + plane, row, plane, planes - 1);
#else
    StreamedCells<3, Rows, Real>::arrive(T, row, plane);
#endif
  }

 private:
  static constexpr int threads = comm::TileGrid::threads;
  /// Of all threads of a team, so that those of a warp lie side by side.
  struct Places {
    Cells rows[2 + Rows][threads];  ///< south, north, above
    Real ends[2][Rows][threads];    ///< before, after
  };
#if defined(__CUDA_ARCH__)
  static __device__ __forceinline__ Places* both_places() {
    __shared__ Places places[2];
    return places;
  }
#endif

  KOKKOS_FORCEINLINE_FUNCTION void request([[maybe_unused]] const Real* T,
                                           [[maybe_unused]] std::int64_t row,
                                           [[maybe_unused]] std::int64_t plane,
                                           [[maybe_unused]] int planes) {
#if defined(__CUDA_ARCH__)
    auto& places = both_places()[next_];
    const auto copy = [](auto& place, const Real* from) {
      using Value = std::decay_t<decltype(place)>;
      comm::copy_to_shared_by_cache(&place, reinterpret_cast<const Value*>(from));
    };
    copy(places.rows[0][thread_], T - row);
    copy(places.rows[1][thread_], T + Rows * row);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      copy(places.rows[2 + r][thread_], T + r * row + plane);
      copy(places.ends[0][r][thread_], T + r * row - 1);
      copy(places.ends[1][r][thread_], T + r * row + Cells::width);
    }
#endif
  }

  int thread_, next_ = 0;
};

}  // namespace halotherm::solver
