// SPDX-License-Identifier: MIT
// The first value that a formula must not have, noted on the device.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/partition/box.hpp"

#include <cstdint>

namespace halotherm::solver {

/// A value that is not allowed.
struct FormulaFailure {
  bool found = false;
  double time = 0;  ///< [s]
  double value = 0;
  std::int32_t place[3] = {0, 0, 0};  ///< the cell; of a face the ghost cell beyond it
  std::int32_t part = 0;              ///< as given to an evaluation
};

/// The first evaluation that failed, kept on the device, so that no evaluation waits for the host.
class FirstFailure {
 public:
  FirstFailure();
  /// For kernels, one at a time.
  const Kokkos::View<FormulaFailure, comm::Memory>& view() const { return failure_; }
  /// What the launches on `space` so far found. Blocking.
  FormulaFailure read(const comm::Space& space) const;

 private:
  Kokkos::View<FormulaFailure, comm::Memory> failure_;
  Kokkos::View<FormulaFailure, comm::PinnedMemory> host_;
};

/// The place of a cell in a box, x fastest, that is no cell's.
inline constexpr std::int64_t no_place = INT64_MAX;

/// Notes a failure at a place of a box, unless there was one before; `no_place` for none.
KOKKOS_INLINE_FUNCTION void note_failure(FormulaFailure& failure, double time, double value,
                                         const comm::Box& box, std::int64_t place,
                                         std::int32_t part) {
  if (failure.found || place == no_place) return;
  const std::int64_t nx = box.extent(0), ny = box.extent(1);
  failure = {true,
             time,
             value,
             {box.lower[0] + static_cast<int>(place % nx),
              box.lower[1] + static_cast<int>(place / nx % ny),
              box.lower[2] + static_cast<int>(place / nx / ny)},
             part};
}

/// Runs `body(0)` on the device. Asynchronous on `space`.
template <class Body>
void launch_once(const comm::Space& space, const char* label, const Body& body) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<int>>(space, 0, 1),
                       body);
}

}  // namespace halotherm::solver
