// SPDX-License-Identifier: MIT
#include "app/domain/exact_sums.hpp"

#include "solver/diagnostics/exact_carry.hpp"

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

}  // namespace halotherm::app
