// SPDX-License-Identifier: MIT
// Run-time choices as compile-time ones, so that kernels need no branch.
#pragma once

#include <type_traits>

namespace halotherm::solver {

/// Calls `work` with the number of axes as an integral constant.
template <class Work>
decltype(auto) with_dimensions(int dimensions, const Work& work) {
  if (dimensions == 1) return work(std::integral_constant<int, 1>{});
  if (dimensions == 2) return work(std::integral_constant<int, 2>{});
  return work(std::integral_constant<int, 3>{});
}

/// Calls `work` with a flag as an integral constant.
template <class Work>
decltype(auto) with_flag(bool flag, const Work& work) {
  if (flag) return work(std::true_type{});
  return work(std::false_type{});
}

}  // namespace halotherm::solver
