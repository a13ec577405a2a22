// SPDX-License-Identifier: MIT
// What kernels do with computed values besides storing them, or instead: nothing, or add them to an
// accumulator.
#pragma once

#include "solver/diagnostics/accumulator.hpp"
#include "solver/equation/heat_equation.hpp"

namespace halotherm::solver {

/// Adds nothing: for steps without diagnostics.
struct NoInstrument {
  /// Whether kernels store what they compute; an instrument may take it instead.
  static constexpr bool results_are_stored = true;
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
  VolumeShares shares{};

  /// Of the sum of changes.
  KOKKOS_FORCEINLINE_FUNCTION const SumScale& change_scale() const {
    return heat.varies() ? scales.heat_change : scales.change;
  }
};

/// Adds results, while they are in registers, to the accumulator of one thread. `Weighed`: volumes
/// of cells differ.
template <class Real, bool Weighed>
class Instrument {
 public:
  static constexpr bool results_are_stored = true;
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
        add_to(single_, settings_, static_cast<double>(lane(now, n)),
               static_cast<double>(lane(before, n)), i + n, j, k);
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
  static KOKKOS_FORCEINLINE_FUNCTION void add_to(CellAccumulator<double>& sums,
                                                 const DiagnosticsSettings<Real>& settings,
                                                 double temperature, double previous, int i, int j,
                                                 int k) {
    const auto& heat = settings.heat;
    const auto& scales = settings.scales;
    if (heat.is_void(i, j, k)) return;
    const auto weighed = [&](double value) {
      return Weighed ? settings.shares(i, j, k) * value : value;
    };
    sums.add(temperature, previous, weighed(temperature), scales.temperature);
    if (!heat.varies()) return sums.add_change(weighed(temperature - previous), scales.change);
    sums.add_heat(weighed(heat(temperature, i, j, k)), scales.heat);
    sums.add_change(weighed(heat.between(previous, temperature, i, j, k)), scales.heat_change);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool some_void(int i, int j, int k) const {
    if (!settings_.heat.varies()) return false;
    bool some = false;
    for (int n = 0; n < Doubles::width; ++n) some = some || settings_.heat.is_void(i + n, j, k);
    return some;
  }

  /// Times the shares of the cells' volumes.
  KOKKOS_FORCEINLINE_FUNCTION Doubles weighed(const Doubles& values, int i, int j, int k) const {
    if constexpr (!Weighed) return values;
    const auto& along = settings_.shares.along;
    return load_unaligned<Doubles>(along[0] + i) * broadcast<Doubles>(along[1][j] * along[2][k]) *
           values;
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_part(const Pack<Real>& now, const Pack<Real>& before, int i,
                                            int j, int k, int part) {
    const Doubles temperature = doubles(now, part), previous = doubles(before, part);
    if (some_void(i + part, j, k)) {
      single_ = with_each(single_, settings_, temperature, previous, i + part, j, k);
      return;
    }
    const int first = i + part;
    packed_.add(temperature, previous, weighed(temperature, first, j, k),
                settings_.scales.temperature);
    const auto& heat = settings_.heat;
    if (!heat.varies()) {
      return packed_.add_change(weighed(temperature - previous, first, j, k),
                                settings_.scales.change);
    }
    Heats heats;
    if (heat.tabulated()) {
      heats = heats_of(heat, temperature, previous, first, j, k);
    } else {
      const Doubles inverse = doubles(heat.inverse_capacity.template at<Pack<Real>>(i, j, k), part);
      heats = {temperature / inverse, (temperature - previous) / inverse};
    }
    packed_.add_heat(weighed(heats.content, first, j, k), settings_.scales.heat);
    packed_.add_change(weighed(heats.change, first, j, k), settings_.scales.heat_change);
  }

  /// The heat per volume of some cells, and its change [J/m³].
  struct Heats {
    Doubles content;
    Doubles change;
  };
  static HALOTHERM_CALLED_ON_CPUS Heats heats_of(const HeatContent<Real>& heat,
                                                 const Doubles& temperature,
                                                 const Doubles& previous, int i, int j, int k) {
    Heats heats;
    for (int n = 0; n < Doubles::width; ++n) {
      heats.content.lanes[n] = heat(temperature.lanes[n], i + n, j, k);
      heats.change.lanes[n] = heat.between(previous.lanes[n], temperature.lanes[n], i + n, j, k);
    }
    return heats;
  }
  /// The sums of single cells and of those of a pack of which some are void.
  static HALOTHERM_CALLED_ON_CPUS CellAccumulator<double> with_each(
      CellAccumulator<double> sums, const DiagnosticsSettings<Real>& settings,
      const Doubles& temperature, const Doubles& previous, int i, int j, int k) {
    for (int n = 0; n < Doubles::width; ++n)
      add_to(sums, settings, temperature.lanes[n], previous.lanes[n], i + n, j, k);
    return sums;
  }

  Accumulator& accumulator_;
  const DiagnosticsSettings<Real>& settings_;
  CellAccumulator<double> single_;
  std::conditional_t<comm::kernels_run_on_host, CellAccumulator<Doubles>, Nothing> packed_;
};

}  // namespace halotherm::solver
