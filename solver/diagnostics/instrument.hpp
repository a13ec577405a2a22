// SPDX-License-Identifier: MIT
// How kernels note what they compute: not at all, or into a tally.
#pragma once

#include "solver/equation/heat_equation.hpp"
#include "solver/diagnostics/accumulator.hpp"

namespace halotherm::solver {

/// Of a step that nobody watches.
struct NoWatch {
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void note(const Value&, const Value&, int, int, int, int = 0, int = 0) {}
  KOKKOS_FORCEINLINE_FUNCTION void hand_over() {}
};

/// What a watched step needs to know.
template <class Real>
struct WatchSettings {
  CellValue<Real> inverse_capacity;  ///< heat is tallied where it varies
  TallyScales scales;
};

/// Notes results while they are in registers, into the tally of one thread.
template <class Real>
class Watch {
 public:
  KOKKOS_FORCEINLINE_FUNCTION Watch(Tally& tally, const WatchSettings<Real>& settings) : tally_(tally), settings_(settings) {}

  /// Lanes [begin, end) of a value: T after and before the step, of the cells from (i, j, k) on.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void note(const Value& now, const Value& before, int i, int j, int k, int begin = 0,
                                        int end = width_of<Value>) {
    if constexpr (comm::kernels_run_on_host && width_of < Value >> 1) {
      for (int part = 0; part < width_of<Value>; part += Pack<double>::width) note_part(now, before, i, j, k, part);
    } else {
      HALOTHERM_UNROLL
      for (int n = 0; n < width_of<Value>; ++n) {
        if (n < begin || n >= end) continue;
        const auto temperature = static_cast<double>(lane(now, n));
        single_.note(temperature, static_cast<double>(lane(before, n)), settings_.scales.temperature);
        if (!settings_.inverse_capacity.varies) continue;
        single_.note_heat(temperature / static_cast<double>(settings_.inverse_capacity(i + n, j, k)), settings_.scales.heat);
      }
    }
  }

  /// After each row or march.
  KOKKOS_FORCEINLINE_FUNCTION void hand_over() {
    single_.hand_over(tally_, settings_.scales);
    if constexpr (comm::kernels_run_on_host) packed_.hand_over(tally_, settings_.scales);
  }

 private:
  using Doubles = Pack<double>;
  struct Nothing {};

  static KOKKOS_FORCEINLINE_FUNCTION Doubles doubles(const Pack<Real>& value, int part) {
    Doubles result;
    HALOTHERM_UNROLL
    for (int n = 0; n < Doubles::width; ++n) result.lanes[n] = static_cast<double>(value.lanes[part + n]);
    return result;
  }

  KOKKOS_FORCEINLINE_FUNCTION void note_part(const Pack<Real>& now, const Pack<Real>& before, int i, int j, int k, int part) {
    const Doubles temperature = doubles(now, part);
    packed_.note(temperature, doubles(before, part), settings_.scales.temperature);
    if (!settings_.inverse_capacity.varies) return;
    packed_.note_heat(temperature / doubles(load_unaligned<Pack<Real>>(&settings_.inverse_capacity.field(i, j, k)), part),
                      settings_.scales.heat);
  }

  Tally& tally_;
  const WatchSettings<Real>& settings_;
  TallyCounter<double> single_;
  std::conditional_t<comm::kernels_run_on_host, TallyCounter<Doubles>, Nothing> packed_;
};

}  // namespace halotherm::solver
