// SPDX-License-Identifier: MIT
#include "app/measure/steady.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace halotherm::app {

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

}  // namespace halotherm::app
