// SPDX-License-Identifier: MIT
#include "solver/diagnostics/accumulator_board.hpp"

#include <cassert>
#include <cmath>
#include <utility>

namespace halotherm::solver {

AccumulatorScales AccumulatorScales::for_capacity(double largest_capacity) {
  AccumulatorScales scales;
  scales.heat = SumScale(scales.temperature.top + std::ilogb(largest_capacity) + 1);
  scales.heat_change = SumScale(scales.heat.top + 1);
  return scales;
}

template <class Real>
AccumulatorBoard<Real>::AccumulatorBoard(const HeatEquation<Real>& equation,
                                         const AccumulatorScales& scales,
                                         std::optional<FlowSums<Real>> flows)
    : equation_(equation),
      scales_(scales),
      flows_(std::move(flows)),
      slots_(Kokkos::view_alloc("accumulators", Kokkos::WithoutInitializing), capacity),
      host_(Kokkos::view_alloc("accumulators on the host", Kokkos::WithoutInitializing), capacity) {
}

template <class Real>
void AccumulatorBoard<Real>::begin(double dt) {
  used_ = 0;
  if (flows_) flows_->begin(dt);
}

template <class Real>
void AccumulatorBoard<Real>::add_flows(const comm::Space& space,
                                       const comm::GridView<const Real>& T,
                                       const Boundary<Real>& boundary, double weight) {
  if (flows_) flows_->add(space, T, boundary, weight);
}

template <class Real>
typename AccumulatorBoard<Real>::Slot AccumulatorBoard<Real>::next_slot() {
  assert(used_ < capacity);
  return Kokkos::subview(slots_, used_++);
}

template <class Real>
Accumulator AccumulatorBoard<Real>::collect() const {
  const comm::Space space;
  Kokkos::deep_copy(space, host_, slots_);
  space.fence("accumulators");
  Accumulator all = Accumulator::nothing();
  for (int n = 0; n < used_; ++n) all.join(host_(n));
  return all;
}

template class AccumulatorBoard<float>;
template class AccumulatorBoard<double>;

}  // namespace halotherm::solver
