// SPDX-License-Identifier: MIT
// What kernels do with computed values besides storing them: nothing, or add them to an
// accumulator.
#pragma once

#include "solver/diagnostics/accumulator.hpp"
#include "solver/equation/heat_equation.hpp"

namespace halotherm::solver {

/// Adds nothing: for steps without diagnostics.
struct NoInstrument {
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Value&, const Value&, int, int, int, int = 0,
                                       int = 0) {}
  KOKKOS_FORCEINLINE_FUNCTION void hand_over() {}
};

/// Settings of an instrumented step.
template <class Real>
struct DiagnosticsSettings {
  HeatContent<Real> heat;  ///< accumulated where it varies
  AccumulatorScales scales;

  /// Of the sum of changes.
  KOKKOS_FORCEINLINE_FUNCTION const SumScale& change_scale() const {
    return heat.varies() ? scales.heat_change : scales.change;
  }
};

/// Adds results, while they are in registers, to the accumulator of one thread.
template <class Real>
class Instrument {
 public:
  KOKKOS_FORCEINLINE_FUNCTION Instrument(Accumulator& accumulator,
                                         const DiagnosticsSettings<Real>& settings)
      : accumulator_(accumulator), settings_(settings) {}

  /// Lanes [begin, end) of a value: T after and before the step, of the cells from (i, j, k) on.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Value& now, const Value& before, int i, int j, int k,
                                       int begin = 0, int end = width_of<Value>) {
    if constexpr (comm::kernels_run_on_host && width_of < Value >> 1) {
      for (int part = 0; part < width_of<Value>; part += Pack<double>::width)
        add_part(now, before, i, j, k, part);
    } else {
      HALOTHERM_UNROLL
      for (int n = 0; n < width_of<Value>; ++n) {
        if (n < begin || n >= end) continue;
        add_one(static_cast<double>(lane(now, n)), static_cast<double>(lane(before, n)), i + n, j,
                k);
      }
    }
  }

  /// Moves the sums into the accumulator: after each row or stream.
  KOKKOS_FORCEINLINE_FUNCTION void hand_over() {
    const auto& change_scale = settings_.change_scale();
    single_.hand_over(accumulator_, settings_.scales, change_scale);
    if constexpr (comm::kernels_run_on_host)
      packed_.hand_over(accumulator_, settings_.scales, change_scale);
  }

 private:
  using Doubles = Pack<double>;
  struct Nothing {};

  static KOKKOS_FORCEINLINE_FUNCTION Doubles doubles(const Pack<Real>& value, int part) {
    Doubles result;
    HALOTHERM_UNROLL
    for (int n = 0; n < Doubles::width; ++n)
      result.lanes[n] = static_cast<double>(value.lanes[part + n]);
    return result;
  }

  /// T after and before the step of one cell, unless it is void.
  KOKKOS_FORCEINLINE_FUNCTION void add_one(double temperature, double previous, int i, int j,
                                           int k) {
    const auto& heat = settings_.heat;
    if (heat.is_void(i, j, k)) return;
    single_.add(temperature, previous, settings_.scales.temperature);
    if (!heat.varies()) return single_.add_change(temperature - previous, settings_.scales.change);
    single_.add_heat(heat(temperature, i, j, k), settings_.scales.heat);
    single_.add_change(heat.between(previous, temperature, i, j, k), settings_.scales.heat_change);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool some_void(int i, int j, int k) const {
    if (!settings_.heat.varies()) return false;
    bool some = false;
    for (int n = 0; n < Doubles::width; ++n) some = some || settings_.heat.is_void(i + n, j, k);
    return some;
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_part(const Pack<Real>& now, const Pack<Real>& before, int i,
                                            int j, int k, int part) {
    const Doubles temperature = doubles(now, part), previous = doubles(before, part);
    if (some_void(i + part, j, k)) {
      for (int n = 0; n < Doubles::width; ++n)
        add_one(temperature.lanes[n], previous.lanes[n], i + part + n, j, k);
      return;
    }
    packed_.add(temperature, previous, settings_.scales.temperature);
    const auto& heat = settings_.heat;
    if (!heat.varies()) return packed_.add_change(temperature - previous, settings_.scales.change);
    Doubles content, change;
    if (heat.tabulated()) {
      for (int n = 0; n < Doubles::width; ++n) {
        content.lanes[n] = heat(temperature.lanes[n], i + part + n, j, k);
        change.lanes[n] = heat.between(previous.lanes[n], temperature.lanes[n], i + part + n, j, k);
      }
    } else {
      const Doubles inverse =
          doubles(load_unaligned<Pack<Real>>(&heat.inverse_capacity.field(i, j, k)), part);
      content = temperature / inverse;
      change = (temperature - previous) / inverse;
    }
    packed_.add_heat(content, settings_.scales.heat);
    packed_.add_change(change, settings_.scales.heat_change);
  }

  Accumulator& accumulator_;
  const DiagnosticsSettings<Real>& settings_;
  CellAccumulator<double> single_;
  std::conditional_t<comm::kernels_run_on_host, CellAccumulator<Doubles>, Nothing> packed_;
};

}  // namespace halotherm::solver
