// SPDX-License-Identifier: MIT
// Extremes and sums of a field for the diagnostics, accumulated by kernels from values in
// registers.
#pragma once

#include "solver/diagnostics/exact_sum.hpp"

namespace halotherm::solver {

/// Extremes and sums over a set of cells. They do not depend on how the cells are grouped; `join`
/// combines two sets.
struct Accumulator {
  double lowest;          ///< [K]
  double highest;         ///< [K]
  double largest_change;  ///< max |T − T_previous| [K]
  double not_finite;  ///< 1 if a temperature is NaN or infinite, else 0; the other numbers are then
                      ///< meaningless
  /// Each cell counts by its volume's share in that of the grid's largest cell.
  ExactSum temperature;  ///< [K]
  ExactSum heat;         ///< of rho c T where rho c varies, else 0 [J/m³]
  ExactSum change;       ///< of T − T_previous, times rho c where that varies [K] or [J/m³]

  static KOKKOS_INLINE_FUNCTION Accumulator nothing() {
    constexpr double infinity = Kokkos::Experimental::infinity_v<double>;
    return {infinity, -infinity, 0, 0, {}, {}, {}};
  }
  KOKKOS_INLINE_FUNCTION void join(const Accumulator& other) {
    lowest = Kokkos::min(lowest, other.lowest);
    highest = Kokkos::max(highest, other.highest);
    largest_change = Kokkos::max(largest_change, other.largest_change);
    not_finite = Kokkos::max(not_finite, other.not_finite);
    temperature += other.temperature;
    heat += other.heat;
    change += other.change;
  }
};

/// Scales of the exact sums: the same on all ranks and in all runs of a configuration.
struct AccumulatorScales {
  SumScale temperature{40};  ///< up to 1e12 K
  SumScale heat{40};
  /// of a change of T, and of one of rho c T
  SumScale change{41};
  SumScale heat_change{41};

  /// For volumetric heat capacities up to `largest_capacity` [J/(m³ K)].
  static AccumulatorScales for_capacity(double largest_capacity);
};

/// Adds cells one by one, or a pack at a time; `Value` is double or Pack<double>.
template <class Value>
class CellAccumulator {
 public:
  KOKKOS_FORCEINLINE_FUNCTION CellAccumulator()
      : lowest_(broadcast<Value>(Kokkos::Experimental::infinity_v<double>)),
        highest_(broadcast<Value>(-Kokkos::Experimental::infinity_v<double>)),
        change_(broadcast<Value>(0.0)) {
    HALOTHERM_UNROLL
    for (int c = 0; c < SumScale::chunks; ++c)
      temperature_[c] = heat_[c] = changes_[c] = broadcast<Value>(0.0);
  }

  /// `weighed` is `now` times the share of the cell's volume.
  KOKKOS_FORCEINLINE_FUNCTION void add(const Value& now, const Value& before, const Value& weighed,
                                       const SumScale& scale) {
    lowest_ = minimum(lowest_, now);
    highest_ = maximum(highest_, now);
    change_ = maximum(change_, maximum(now - before, before - now));
    add_to_chunks(temperature_, weighed, scale);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_heat(const Value& heat, const SumScale& scale) {
    add_to_chunks(heat_, heat, scale);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_change(const Value& change, const SumScale& scale) {
    add_to_chunks(changes_, change, scale);
  }

  /// Moves what was added into `accumulator`. Call it before a lane has more than 2^19 cells.
  /// `change_scale`: of what `add_change` got.
  KOKKOS_FORCEINLINE_FUNCTION void hand_over(Accumulator& accumulator,
                                             const AccumulatorScales& scales,
                                             const SumScale& change_scale) {
    const CellAccumulator added =
        *this;  // a copy has its lanes in memory; this one stays in registers
    *this = CellAccumulator();
    for (int n = 0; n < width_of<Value>; ++n)
      added.hand_over_lane(n, accumulator, scales, change_scale);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void hand_over_lane(int n, Accumulator& accumulator,
                                                  const AccumulatorScales& scales,
                                                  const SumScale& change_scale) const {
    double temperature[SumScale::chunks];
    double heat[SumScale::chunks];
    double changes[SumScale::chunks];
    double all = 0;
    HALOTHERM_UNROLL
    for (int c = 0; c < SumScale::chunks; ++c) {
      temperature[c] = lane(temperature_[c], n);
      heat[c] = lane(heat_[c], n);
      changes[c] = lane(changes_[c], n);
      all += temperature[c] + heat[c] + changes[c];
    }
    // NaN and infinity spoil the sums for good, but not the extremes; what is beyond the scale
    // would spoil the sums silently
    const double largest =
        Kokkos::max(Kokkos::abs(lane(lowest_, n)), Kokkos::abs(lane(highest_, n)));
    const bool added = lane(lowest_, n) <= lane(highest_, n);
    if (!Kokkos::isfinite(all) || (added && largest >= scales.temperature.limit())) {
      accumulator.not_finite = 1;
      return;
    }
    if (!added) return;
    accumulator.lowest = Kokkos::min(accumulator.lowest, lane(lowest_, n));
    accumulator.highest = Kokkos::max(accumulator.highest, lane(highest_, n));
    accumulator.largest_change = Kokkos::max(accumulator.largest_change, lane(change_, n));
    accumulator.temperature.add_chunks(temperature, scales.temperature);
    accumulator.heat.add_chunks(heat, scales.heat);
    accumulator.change.add_chunks(changes, change_scale);
  }

  Value lowest_;
  Value highest_;
  Value change_;
  Value temperature_[SumScale::chunks];
  Value heat_[SumScale::chunks];
  Value changes_[SumScale::chunks];
};

/// The reducing functor that Kokkos' reductions expect.
struct JoiningAccumulators {
  using value_type = Accumulator;
  KOKKOS_INLINE_FUNCTION void init(Accumulator& accumulator) const {
    accumulator = Accumulator::nothing();
  }
  KOKKOS_INLINE_FUNCTION void join(Accumulator& accumulator, const Accumulator& other) const {
    accumulator.join(other);
  }
};

}  // namespace halotherm::solver
