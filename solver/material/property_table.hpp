// SPDX-License-Identifier: MIT
// Material properties as tables in the temperature, on the host and in kernels.
#pragma once

#include "solver/field/arithmetic.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace halotherm::solver {

/// A property at a temperature.
struct PropertyPoint {
  double temperature = 0;  ///< [K]
  double value = 0;
};

/// A property as a function of the temperature: linear between its points, constant beyond the
/// first and the last. Temperatures ascend; two points at the same temperature make a jump, where
/// the upper of them counts.
using PropertyTable = std::vector<PropertyPoint>;

/// The largest number of points in a table.
inline constexpr std::size_t most_points = 1 << 14;

/// The value at a temperature [K].
double value_at(const PropertyTable& table, double temperature);

/// The sum of two tables.
PropertyTable sum(const PropertyTable& one, const PropertyTable& other);

/// A part of a table in which the property is linear.
template <class Real>
struct PropertySegment {
  Real from;      ///< [K]; of the first one, which has no lower end: its upper end
  Real value;     ///< at `from`
  Real slope;     ///< [1/K] of the value
  Real integral;  ///< of the value over the temperature, from 0 K to `from`
};

/// A segment as kernels evaluate it.
template <class Real>
struct alignas(4 * sizeof(Real)) PropertyLine {
  Real from = 0;   ///< [K]
  Real to = -1;    ///< [K] the segment holds every T with from <= T < to
  Real value = 0;  ///< at `from`
  Real slope = 0;  ///< [1/K] of the value

  KOKKOS_FORCEINLINE_FUNCTION bool holds(Real T) const { return T >= from && T < to; }
  KOKKOS_FORCEINLINE_FUNCTION bool holds(const Pack<Real>& T) const {
    bool all = true;
    HALOTHERM_UNROLL
    for (int n = 0; n < Pack<Real>::width; ++n) all = all && holds(T.lanes[n]);
    return all;
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Value& T) const {
    return multiply_add(broadcast<Value>(slope), T - broadcast<Value>(from),
                        broadcast<Value>(value));
  }
};

/// For several tables and temperature bins common to them, the line of each table in the middle of
/// each bin: one load finds the line of most temperatures.
template <class Real>
struct PropertyBins {
  const PropertyLine<Real>* lines = nullptr;  ///< of the bins of one table after the other
  float lowest = 0;                           ///< lower end of the second bin [K]
  float per_kelvin = 0;
  int count = 0;  ///< a table; the first and the last bin have no end

  /// A line of the table near T, which need not hold it.
  KOKKOS_FORCEINLINE_FUNCTION PropertyLine<Real> near(int table, Real T) const {
    // single precision suffices, and on GPUs leaves the units for double precision free
    const float bin = (static_cast<float>(T) - lowest) * per_kelvin + 1.0f;
    const auto last = static_cast<float>(count - 1);
    return lines[table * count + static_cast<int>(bin > 0 ? bin < last ? bin : last : 0.0f)];
  }
};

/// A table in kernels; the values that a PropertyTables owns.
template <class Real>
struct PropertyView {
  const PropertySegment<Real>* segments = nullptr;
  const PropertyLine<Real>* lines = nullptr;  ///< of the segments
  const std::uint16_t* first = nullptr;       ///< a segment at or below the lower end of each bin
  int count = 0;                              ///< segments
  int bins = 0;
  Real lowest = 0;  ///< lower end of the first bin [K]
  Real bins_per_kelvin = 0;
  Real smallest = 0, largest = 0;  ///< of all values

  /// The segment that holds T; of a T that is NaN the first.
  KOKKOS_INLINE_FUNCTION int segment_at(Real T) const {
    const Real bin = (T - lowest) * bins_per_kelvin;
    int n = first[bin >= Real(bins - 1) ? bins - 1 : bin > 0 ? static_cast<int>(bin) : 0];
    while (n + 1 < count && segments[n + 1].from <= T) ++n;
    return n;
  }

  /// The line that holds T [K].
  KOKKOS_INLINE_FUNCTION PropertyLine<Real> line_at(Real T) const { return lines[segment_at(T)]; }

  /// The property at T [K].
  KOKKOS_INLINE_FUNCTION Real operator()(Real T) const { return line_at(T)(T); }

  /// The integral of the property from 0 K to T [K].
  KOKKOS_INLINE_FUNCTION Real integral(Real T) const {
    const auto& segment = segments[segment_at(T)];
    const Real above = T - segment.from;
    return segment.integral + above * (segment.value + Real(0.5) * segment.slope * above);
  }

  /// The integral between two temperatures [K], without cancellation within a segment.
  KOKKOS_INLINE_FUNCTION Real integral_between(Real from, Real to) const {
    const auto& segment = segments[segment_at(from)];
    if (&segment != &segments[segment_at(to)]) return integral(to) - integral(from);
    const Real middle = Real(0.5) * (from + to) - segment.from;
    return (to - from) * (segment.value + segment.slope * middle);
  }

  /// The temperature at which the integral is larger by `increment` than at T, for a property that
  /// is positive. Exact across points and jumps: the increment is spent segment by segment. With
  /// an increment of 0 it is T to the last bit.
  KOKKOS_INLINE_FUNCTION Real advanced(Real T, Real increment) const {
    int n = segment_at(T);
    while (true) {
      const auto& segment = segments[n];
      const Real value = segment.value + segment.slope * (T - segment.from);
      if (increment > 0 && n + 1 < count) {
        const Real end = segments[n + 1].from;
        const Real at_end = segment.value + segment.slope * (end - segment.from);
        const Real room = Real(0.5) * (end - T) * (value + at_end);
        if (increment >= room) {
          increment -= room;
          T = end;
          ++n;
          continue;
        }
      } else if (increment < 0 && n > 0) {
        const Real room = Real(0.5) * (segment.from - T) * (segment.value + value);
        if (increment < room) {
          increment -= room;
          T = segment.from;
          --n;
          continue;
        }
      }
      // the root of value d + slope d²/2 = increment, without cancellation
      const Real square = value * value + 2 * segment.slope * increment;
      return T + 2 * increment / (value + Kokkos::sqrt(square > 0 ? square : Real(0)));
    }
  }
};

/// Owns tables in device memory. Instantiated for float and double.
template <class Real>
class PropertyTables {
 public:
  /// The tables must have 1 to `most_points` points in ascending order. Blocking.
  explicit PropertyTables(const std::vector<PropertyTable>& tables);

  std::size_t size() const { return views_.size(); }
  /// Valid as long as this object or a copy of it.
  const PropertyView<Real>& operator[](std::size_t n) const { return views_[n]; }
  /// Of all tables; valid as long.
  PropertyBins<Real> bins() const { return {binned_.data(), lowest_, bins_per_kelvin_, bins_}; }

  /// Before any table is scaled: keeps copies of all. Blocking.
  void keep_originals();
  /// Makes the values of a table those that it was made of times `factor`, for kernels that follow.
  /// `smallest` and `largest` stay. Asynchronous on `space`; no kernel on other streams may be
  /// reading the table.
  void scale(const comm::Space& space, std::size_t table, double factor) const;

 private:
  std::vector<PropertyLine<Real>> lines_of_bins(
      const std::vector<std::vector<PropertySegment<double>>>& tables);

  Kokkos::View<PropertySegment<Real>*, comm::Memory> segments_, original_segments_;
  Kokkos::View<PropertyLine<Real>*, comm::Memory> lines_, original_lines_;
  Kokkos::View<PropertyLine<Real>*, comm::Memory> binned_, original_binned_;
  float lowest_ = 0, bins_per_kelvin_ = 0;
  int bins_ = 0;
  Kokkos::View<std::uint16_t*, comm::Memory> first_;
  std::vector<PropertyView<Real>> views_;
};

}  // namespace halotherm::solver
