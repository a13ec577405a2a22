// SPDX-License-Identifier: MIT
#include "app/domain/exact_sums.hpp"

#include "solver/diagnostics/exact_carry.hpp"
#include "solver/diagnostics/flow_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace halotherm::app {

void sum_over_ranks(const comm::Communicator& world, std::span<solver::ExactSum> sums) {
  std::vector<std::int64_t> parts;
  for (auto& sum : sums) {
    sum = solver::carried(sum);
    parts.insert(parts.end(), std::begin(sum.high), std::end(sum.high));
    parts.insert(parts.end(), std::begin(sum.low), std::end(sum.low));
  }
  world.sum(std::span(parts));
  auto part = parts.begin();
  for (auto& sum : sums) {
    for (auto& high : sum.high) high = *part++;
    for (auto& low : sum.low) low = *part++;
  }
}

double exact_sum(const comm::Communicator& world, const std::vector<double>& numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  largest = world.max(largest);
  if (largest == 0) return 0;
  const solver::SumScale scale(std::ilogb(largest) + 1);
  solver::RateSum mine;
  for (const double number : numbers) mine.add(number, scale);
  sum_over_ranks(world, std::span(&mine.sum, 1));
  return mine.sum.value(scale);
}

}  // namespace halotherm::app
