// SPDX-License-Identifier: MIT
#include "solver/diagnostics/accumulator_board.hpp"

#include <cassert>
#include <cmath>

namespace halotherm::solver {

TallyScales TallyScales::for_capacity(double largest_capacity) {
  TallyScales scales;
  scales.heat = SumScale(scales.temperature.top + std::ilogb(largest_capacity) + 1);
  return scales;
}

template <class Real>
TallyBoard<Real>::TallyBoard(const HeatEquation<Real>& equation, const TallyScales& scales)
    : equation_(equation),
      scales_(scales),
      slots_(Kokkos::view_alloc("tallies", Kokkos::WithoutInitializing), capacity),
      host_(Kokkos::view_alloc("tallies on the host", Kokkos::WithoutInitializing), capacity) {}

template <class Real>
typename TallyBoard<Real>::Slot TallyBoard<Real>::next_slot() {
  assert(used_ < capacity);
  return Kokkos::subview(slots_, used_++);
}

template <class Real>
Tally TallyBoard<Real>::collect() const {
  const comm::Space space;
  Kokkos::deep_copy(space, host_, slots_);
  space.fence("tallies");
  Tally all = Tally::nothing();
  for (int n = 0; n < used_; ++n) all.join(host_(n));
  return all;
}

template class TallyBoard<float>;
template class TallyBoard<double>;

}  // namespace halotherm::solver
