// SPDX-License-Identifier: MIT
// What a function gives in kernels, for tests of what kernels call.
#pragma once

#include "comm/device/execution.hpp"

#include <cstdint>
#include <vector>

namespace halotherm::test {

/// `work(n)` for n from 0 to count - 1, computed where kernels run. Blocking.
template <class Result, class Work>
std::vector<Result> kernel_results(std::size_t count, const Work& work) {
  const Kokkos::View<Result*, comm::PinnedMemory> results("results", count);
  const comm::Space space;
  Kokkos::parallel_for(
      "results", Kokkos::RangePolicy<comm::Space>(space, 0, static_cast<std::int64_t>(count)),
      KOKKOS_LAMBDA(const int n) { results(n) = work(n); });
  space.fence("results");
  return {results.data(), results.data() + count};
}

}  // namespace halotherm::test
