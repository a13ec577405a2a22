// SPDX-License-Identifier: MIT
#include "solver/material/property_table.hpp"

#include "solver/field/dense.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>
#include <utility>

namespace halotherm::solver {

namespace {

/// The value at a temperature, and at a jump the one below or above it.
double value_at(const PropertyTable& table, double temperature, bool above) {
  const auto later = std::ranges::find_if(table, [&](const PropertyPoint& point) {
    return above ? point.temperature > temperature : point.temperature >= temperature;
  });
  const bool at_point = later != table.end() && later->temperature == temperature;
  if (at_point || later == table.begin()) return later->value;
  const auto earlier = std::prev(later);
  if (later == table.end() || earlier->temperature == temperature) return earlier->value;
  const double part =
      (temperature - earlier->temperature) / (later->temperature - earlier->temperature);
  return earlier->value + part * (later->value - earlier->value);
}

/// The linear parts of a table, in double precision.
std::vector<PropertySegment<double>> segments_of(const PropertyTable& table) {
  const auto& [lowest, at_lowest] = table.front();
  std::vector<PropertySegment<double>> segments{{lowest, at_lowest, 0, at_lowest * lowest}};
  double integral = at_lowest * lowest;
  for (std::size_t n = 0; n < table.size(); ++n) {
    const auto& here = table[n];
    if (n + 1 == table.size()) {
      segments.push_back({here.temperature, here.value, 0, integral});
      break;
    }
    const auto& next = table[n + 1];
    const double length = next.temperature - here.temperature;
    assert(length >= 0);
    if (length == 0) continue;
    segments.push_back(
        {here.temperature, here.value, (next.value - here.value) / length, integral});
    integral += 0.5 * length * (here.value + next.value);
  }
  return segments;
}

/// For bins of equal width, the segment at or below the lower end of each. A bin's lower end counts
/// as a little lower, so that rounding never gives a segment above the temperature.
std::vector<std::uint16_t> first_segments(const std::vector<PropertySegment<double>>& segments,
                                          std::size_t bins, double width) {
  std::vector<std::uint16_t> first(bins);
  std::size_t n = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const double lower = segments.front().from + (static_cast<double>(bin) - 0.01) * width;
    while (n + 1 < segments.size() && segments[n + 1].from <= lower) ++n;
    first[bin] = static_cast<std::uint16_t>(n);
  }
  return first;
}

}  // namespace

PropertyTable sum(const PropertyTable& one, const PropertyTable& other) {
  std::vector<double> temperatures;
  for (const auto* table : {&one, &other}) {
    for (const auto& point : *table) temperatures.push_back(point.temperature);
  }
  std::ranges::sort(temperatures);
  const auto repeated = std::ranges::unique(temperatures);
  temperatures.erase(repeated.begin(), repeated.end());
  PropertyTable result;
  for (const double temperature : temperatures) {
    const auto at = [&](bool above) {
      return value_at(one, temperature, above) + value_at(other, temperature, above);
    };
    result.push_back({temperature, at(false)});
    if (at(true) != at(false)) result.push_back({temperature, at(true)});
  }
  return result;
}

template <class Real>
PropertyTables<Real>::PropertyTables(const std::vector<PropertyTable>& tables) {
  std::vector<PropertySegment<Real>> all_segments;
  std::vector<std::uint16_t> all_first;
  std::vector<std::pair<std::size_t, std::size_t>> positions;
  for (const auto& table : tables) {
    const auto segments = segments_of(table);
    const auto bins = std::bit_ceil(4 * segments.size());
    const double span = segments.back().from - segments.front().from;
    const auto first = first_segments(segments, bins, span / static_cast<double>(bins));
    PropertyView<Real> view;
    view.count = static_cast<int>(segments.size());
    view.bins = static_cast<int>(bins);
    view.lowest = static_cast<Real>(segments.front().from);
    view.bins_per_kelvin = static_cast<Real>(span > 0 ? static_cast<double>(bins) / span : 0.0);
    const auto [smallest, largest] = std::ranges::minmax(table, {}, &PropertyPoint::value);
    view.smallest = static_cast<Real>(smallest.value);
    view.largest = static_cast<Real>(largest.value);
    views_.push_back(view);
    positions.emplace_back(all_segments.size(), all_first.size());
    for (const auto& [from, value, slope, integral] : segments) {
      all_segments.push_back({static_cast<Real>(from), static_cast<Real>(value),
                              static_cast<Real>(slope), static_cast<Real>(integral)});
    }
    all_first.insert(all_first.end(), first.begin(), first.end());
  }
  const auto to_device = [](const std::string& label, const auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    const DeviceArray<Value> view(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                  values.size());
    Kokkos::deep_copy(view, HostSpan<const Value>(values.data(), values.size()));
    return view;
  };
  segments_ = to_device("property segments", all_segments);
  first_ = to_device("property bins", all_first);
  for (std::size_t n = 0; n < views_.size(); ++n) {
    views_[n].segments = segments_.data() + positions[n].first;
    views_[n].first = first_.data() + positions[n].second;
  }
}

template class PropertyTables<float>;
template class PropertyTables<double>;

}  // namespace halotherm::solver
