// SPDX-License-Identifier: MIT
#include "solver/material/property_table.hpp"

#include "solver/field/dense.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
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

/// The segments as lines: a constant table is one line, else the first and the last segment end
/// some spans beyond the table.
template <class Real>
std::vector<PropertyLine<Real>> lines_of(const std::vector<PropertySegment<double>>& segments) {
  const auto constant = std::ranges::all_of(segments, [&](const auto& segment) {
    return segment.slope == 0 && segment.value == segments.front().value;
  });
  const double first = segments.front().from, last = segments.back().from;
  const double beyond = 4 * (std::max(std::abs(first), std::abs(last)) + 1);
  constexpr double everywhere = std::numeric_limits<Real>::max() / 2;
  std::vector<PropertyLine<Real>> lines;
  for (std::size_t n = 0; n < segments.size(); ++n) {
    const auto& segment = segments[n];
    const bool is_last = n + 1 == segments.size();
    const double from = constant ? -everywhere
                        : n == 0 ? first - beyond
                                 : segment.from,
                 to = constant  ? everywhere
                      : is_last ? last + beyond
                                : segments[n + 1].from;
    lines.push_back({static_cast<Real>(from), static_cast<Real>(to),
                     static_cast<Real>(segment.value), static_cast<Real>(segment.slope)});
  }
  return lines;
}

/// How many bins of one width leave at most two ends of segments in most of them.
int bins_for(const std::vector<std::vector<PropertySegment<double>>>& tables, double span) {
  constexpr std::size_t most_lines = 1 << 18;
  std::size_t segments = 1;
  double shortest = span;
  for (const auto& table : tables) {
    segments = std::max(segments, table.size());
    for (std::size_t n = 2; n < table.size(); ++n)
      shortest = std::min(shortest, table[n].from - table[n - 1].from);
  }
  const double wanted = shortest > 0 ? 8 * span / shortest : 1;
  const std::size_t most = std::min(std::max<std::size_t>(1024, 4 * segments),
                                    std::max<std::size_t>(64, most_lines / tables.size()));
  return static_cast<int>(std::min(wanted, static_cast<double>(most)));
}

/// One entry of a table times a factor.
template <class Real>
struct Scale {
  const PropertySegment<Real>* segments;
  const PropertyLine<Real>* lines;
  const PropertyLine<Real>* binned;
  PropertySegment<Real>* scaled_segments;
  PropertyLine<Real>* scaled_lines;
  PropertyLine<Real>* scaled_binned;
  int segment_count, bin_count;
  Real factor;

  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    if (n < segment_count) {
      const auto& segment = segments[n];
      scaled_segments[n] = {segment.from, factor * segment.value, factor * segment.slope,
                            factor * segment.integral};
      scaled_lines[n] = scaled(lines[n]);
    }
    if (n < bin_count) scaled_binned[n] = scaled(binned[n]);
  }
  KOKKOS_INLINE_FUNCTION PropertyLine<Real> scaled(const PropertyLine<Real>& line) const {
    return {line.from, line.to, factor * line.value, factor * line.slope};
  }
};

template <class View>
View copy_of(const View& view) {
  const View copy(Kokkos::view_alloc("original " + view.label(), Kokkos::WithoutInitializing),
                  view.extent(0));
  Kokkos::deep_copy(copy, view);
  return copy;
}

}  // namespace

double value_at(const PropertyTable& table, double temperature) {
  return value_at(table, temperature, true);
}

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
  std::vector<std::vector<PropertySegment<double>>> segments_of_tables;
  for (const auto& table : tables) segments_of_tables.push_back(segments_of(table));
  std::vector<PropertySegment<Real>> all_segments;
  std::vector<PropertyLine<Real>> all_lines;
  std::vector<std::uint16_t> all_first;
  std::vector<std::pair<std::size_t, std::size_t>> positions;
  for (std::size_t n = 0; n < tables.size(); ++n) {
    const auto& table = tables[n];
    const auto& segments = segments_of_tables[n];
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
    const auto lines = lines_of<Real>(segments);
    all_lines.insert(all_lines.end(), lines.begin(), lines.end());
  }
  segments_ = on_device("property segments", all_segments);
  first_ = on_device("property bins", all_first);
  lines_ = on_device("property lines", all_lines);
  binned_ = on_device("property lines of bins", lines_of_bins(segments_of_tables));
  for (std::size_t n = 0; n < views_.size(); ++n) {
    views_[n].segments = segments_.data() + positions[n].first;
    views_[n].lines = lines_.data() + positions[n].first;
    views_[n].first = first_.data() + positions[n].second;
  }
}

template <class Real>
std::vector<PropertyLine<Real>> PropertyTables<Real>::lines_of_bins(
    const std::vector<std::vector<PropertySegment<double>>>& tables) {
  double lowest = tables.front().front().from, highest = lowest;
  for (const auto& segments : tables) {
    lowest = std::min(lowest, segments.front().from);
    highest = std::max(highest, segments.back().from);
  }
  const int inner = bins_for(tables, highest - lowest);
  const double width = (highest - lowest) / inner;
  bins_ = inner + 2;
  lowest_ = static_cast<float>(lowest);
  bins_per_kelvin_ = static_cast<float>(width > 0 ? 1 / width : 0.0);
  std::vector<PropertyLine<Real>> result;
  for (const auto& segments : tables) {
    const auto lines = lines_of<Real>(segments);
    std::size_t n = 0;
    for (int bin = 0; bin < bins_; ++bin) {
      const double middle = lowest + (bin - 0.5) * width;
      while (n + 1 < segments.size() && segments[n + 1].from <= middle) ++n;
      result.push_back(lines[n]);
    }
  }
  return result;
}

template <class Real>
void PropertyTables<Real>::keep_originals() {
  original_segments_ = copy_of(segments_);
  original_lines_ = copy_of(lines_);
  original_binned_ = copy_of(binned_);
}

template <class Real>
void PropertyTables<Real>::scale(const comm::Space& space, std::size_t table, double factor) const {
  assert(original_segments_.extent(0) > 0);
  const auto& view = views_[table];
  const auto first = view.segments - segments_.data();
  const auto first_bin = static_cast<std::ptrdiff_t>(table) * bins_;
  const Scale<Real> work{original_segments_.data() + first,
                         original_lines_.data() + first,
                         original_binned_.data() + first_bin,
                         segments_.data() + first,
                         lines_.data() + first,
                         binned_.data() + first_bin,
                         view.count,
                         bins_,
                         static_cast<Real>(factor)};
  Kokkos::parallel_for("scale a property",
                       Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<int>>(
                           space, 0, std::max(view.count, bins_)),
                       work);
}

template class PropertyTables<float>;
template class PropertyTables<double>;

}  // namespace halotherm::solver
