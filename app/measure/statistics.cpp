// SPDX-License-Identifier: MIT
#include "app/measure/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace halotherm::app {

namespace {

/// The quantile `share`, from 0 to 1, of the sorted values, interpolated between neighbours.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// How many of the samples at each end lie outside of the interval, and how sure that is.
struct Ends {
  int outside = 0;
  double confidence = 0;
};

Ends ends_for(int count) {
  constexpr double wanted = 0.95;
  double probability =
      std::pow(0.5, count);   // that exactly `k` of the samples are below the true median
  double tail = probability;  // that at most `k` are
  Ends ends{0, 1 - 2 * tail};
  for (int k = 1; k < count / 2; ++k) {
    probability *= static_cast<double>(count - k + 1) / k;
    tail += probability;
    if (1 - 2 * tail < wanted) break;
    ends = {k, 1 - 2 * tail};
  }
  return ends;
}

}  // namespace

Estimate estimate(std::vector<double> samples) {
  assert(!samples.empty());
  std::ranges::sort(samples);
  const auto ends = ends_for(static_cast<int>(samples.size()));
  const double lower = quantile(samples, 0.25);
  const double upper = quantile(samples, 0.75);
  const double reach = 1.5 * (upper - lower);
  const auto outlies = [&](double sample) {
    return sample < lower - reach || sample > upper + reach;
  };
  Estimate result;
  result.median = quantile(samples, 0.5);
  result.low = samples[static_cast<std::size_t>(ends.outside)];
  result.high = samples[samples.size() - 1 - static_cast<std::size_t>(ends.outside)];
  result.confidence = ends.confidence;
  result.outliers = static_cast<int>(std::ranges::count_if(samples, outlies));
  return result;
}

Estimate ratio(const Estimate& a, const Estimate& b) {
  const double both = std::max(0.0, a.confidence + b.confidence - 1);  // Bonferroni
  return {a.median / b.median, a.low / b.high, a.high / b.low, both, a.outliers + b.outliers};
}

Estimate scaled(const Estimate& estimate, double factor) {
  auto result = estimate;
  for (double* value : {&result.median, &result.low, &result.high}) *value *= factor;
  return result;
}

Steady settle(const std::function<double()>& window) {
  constexpr int alike = 4, most = 30;
  constexpr double near = 0.005;
  std::vector<double> steps;
  for (int n = 1; n <= most; ++n) {
    steps.push_back(window());
    if (n < alike) continue;
    const auto first = steps.end() - alike;
    const auto [fastest, slowest] = std::minmax_element(first, steps.end());
    const bool still_slower =
        std::adjacent_find(first, steps.end(), std::greater_equal<>()) == steps.end();
    const double mean = std::accumulate(first, steps.end(), 0.0) / alike;
    if (*slowest - *fastest <= near * mean && !still_slower) return {mean, n, true};
    if (n == most) return {mean, n, false};
  }
  return {};
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace halotherm::app
