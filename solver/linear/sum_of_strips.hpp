// SPDX-License-Identifier: MIT
// Exact sums that wavefronts over strips of rows find on CPUs.
#pragma once

#include "solver/diagnostics/exact_reduction.hpp"
#include "solver/linear/strips.hpp"

namespace halotherm::solver {

namespace detail {

template <class Body>
struct SumStrip {
  using value_type = Collected;
  Strips strips;
  Body body;
  void init(Collected& value) const { body.init(value); }
  void join(Collected& value, const Collected& other) const { body.join(value, other); }
  void operator()(int n, Collected& value) const { body(strips.part(n), value); }
};

}  // namespace detail

/// The sum of what `body(part, value)`, an ExactReduction, adds in each part. Blocking.
template <class Body>
ProductSum sum_of_strips(const comm::Space& space, const char* label, const Strips& strips,
                         const Body& body) {
  using Policy =
      Kokkos::RangePolicy<comm::Space, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
  Collected result;
  Kokkos::parallel_reduce(label, Policy(space, 0, strips.count()),
                          detail::SumStrip<Body>{strips, body}, result);
  space.fence(label);
  result.hand_over(body.scale);
  return result.total;
}

}  // namespace halotherm::solver
