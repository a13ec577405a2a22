// SPDX-License-Identifier: MIT
#include "app/linear/products.hpp"

#include "app/domain/exact_sums.hpp"
#include "comm/mpi/error.hpp"

#include <cmath>
#include <utility>

namespace halotherm::app {

template <class Value>
double Products::sum(const comm::Communicator& world, const comm::Space& space,
                     const comm::Box& owned, const comm::GridView<const Value>& a,
                     const comm::GridView<const Value>& b) {
  return sum(world, [&](const solver::SumScale& scale) {
    return solver::sum_of_products(space, owned, a, b, scale);
  });
}

double Products::sum(const comm::Communicator& world, const Part& first, const Part& again) {
  bool called = false;
  return sum(world, [&](const solver::SumScale& scale) {
    return std::exchange(called, true) ? again(scale) : first(scale);
  });
}

double Products::sum(const comm::Communicator& world, const Part& part) {
  constexpr int spare = 16, unused = 60;  // bits of the scale above the largest product
  while (true) {
    const solver::SumScale scale(top_);
    auto mine = part(scale);
    const double largest = world.max(mine.largest);
    if (!std::isfinite(largest))
      throw comm::CollectiveError(comm::ExitCode::numerics,
                                  {"a sum of the linear solver is not finite",
                                   "coefficients or temperatures are out of the range of floats",
                                   "check the materials, the sources and the sides"});
    if (largest == 0) return 0;
    const int needed = std::ilogb(largest) + 1;
    if (needed > top_ || needed < top_ - unused) {
      top_ = needed + spare;
      continue;
    }
    sum_over_ranks(world, std::span(&mine.sum, 1));
    return mine.sum.value(scale);
  }
}

template double Products::sum(const comm::Communicator&, const comm::Space&, const comm::Box&,
                              const comm::GridView<const float>&,
                              const comm::GridView<const float>&);
template double Products::sum(const comm::Communicator&, const comm::Space&, const comm::Box&,
                              const comm::GridView<const double>&,
                              const comm::GridView<const double>&);

}  // namespace halotherm::app
