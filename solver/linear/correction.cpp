// SPDX-License-Identifier: MIT
#include "solver/linear/correction.hpp"

#include "comm/device/for_each_cell.hpp"

namespace halotherm::solver {

namespace {

template <class Real>
struct TakeCorrection {
  HeatContent<Real> heat;
  bool by_heat;
  double factor;
  comm::GridView<const float> x;
  comm::GridView<const Real> from;
  comm::GridView<Real> T;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const Real before = from(i, j, k);
    const double change = factor * static_cast<double>(x(i, j, k));
    auto after = static_cast<Real>(static_cast<double>(before) + change);
    if (by_heat && heat.tabulated()) {
      const auto& capacity = heat.materials.at(i, j, k).heat_capacity;
      const Real heated =
          capacity.advanced(before, static_cast<Real>(heat.capacity(before, i, j, k) * change));
      if (Kokkos::abs(heated - before) < Kokkos::abs(after - before)) after = heated;
    }
    T(i, j, k) = after;
  }
};

}  // namespace

template <class Real>
void take_correction(const comm::Space& space, const comm::Box& owned,
                     const HeatEquation<Real>& equation, bool by_heat, double factor,
                     const comm::GridView<const float>& x, const comm::GridView<const Real>& from,
                     const comm::GridView<Real>& T) {
  comm::for_each_cell(space, "take correction", owned,
                      TakeCorrection<Real>{equation.heat_content(), by_heat, factor, x, from, T});
}

#define HALOTHERM_INSTANTIATE(Real)                                                              \
  template void take_correction(const comm::Space&, const comm::Box&, const HeatEquation<Real>&, \
                                bool, double, const comm::GridView<const float>&,                \
                                const comm::GridView<const Real>&, const comm::GridView<Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
