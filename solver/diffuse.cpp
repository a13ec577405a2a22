// SPDX-License-Identifier: MIT
#include "solver/diffuse.hpp"

#include "solver/stencil.hpp"

namespace halotherm::solver {

namespace {

/// A coefficient that is the same everywhere, called as if it varied, so that kernels need no branch.
template <class Real>
struct Everywhere {
  Real value;
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(int, int, int) const { return value; }
};

template <int Dim, class Real, class Conductance, class Capacity, class Source>
struct EulerStep {
  comm::GridView<const Real> T;
  comm::GridView<Real> next;
  Conductance G;
  Capacity inverse_capacity;
  Source source;
  Real dt;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const Real heating = divergence_of_flux<Dim>(T, G, i, j, k) + source(i, j, k);
    next(i, j, k) = T(i, j, k) + (dt * inverse_capacity(i, j, k)) * heating;
  }
};

/// Calls `work` with the number of axes as a compile-time constant.
template <class Work>
void with_dimensions(int dimensions, const Work& work) {
  if (dimensions == 1) return work(std::integral_constant<int, 1>{});
  if (dimensions == 2) return work(std::integral_constant<int, 2>{});
  work(std::integral_constant<int, 3>{});
}

/// Calls `work` with the coefficient as a field or as a number.
template <class Real, class Work>
void with_coefficient(const CellValue<Real>& coefficient, const Work& work) {
  if (coefficient.varies) return work(coefficient.field);
  work(Everywhere<Real>{coefficient.value});
}

}  // namespace

template <class Real>
void diffuse(const comm::Space& space, const comm::Region& region, const HeatEquation<Real>& equation, double dt,
             const comm::GridView<const Real>& temperature, const comm::GridView<Real>& next) {
  const auto launch = [&](auto dimensions, const auto& G, const auto& inverse_capacity, const auto& source) {
    using Step = EulerStep<decltype(dimensions)::value, Real, std::decay_t<decltype(G)>, std::decay_t<decltype(inverse_capacity)>,
                           std::decay_t<decltype(source)>>;
    comm::for_each_cell(space, "diffuse", region, Step{temperature, next, G, inverse_capacity, source, static_cast<Real>(dt)});
  };
  with_dimensions(equation.dimensions(), [&](auto dimensions) {
    with_coefficient(equation.inverse_capacity(), [&](const auto& inverse_capacity) {
      with_coefficient(equation.source(), [&](const auto& source) {
        std::visit([&](const auto& G) { launch(dimensions, G, inverse_capacity, source); }, equation.conductance());
      });
    });
  });
}

template <class Real>
void diffuse(const comm::Space& space, const comm::Region& region, const HeatEquation<Real>& equation, double dt,
             const comm::Ghosted<Real>& temperature, const comm::GridView<Real>& next) {
  diffuse(space, region, equation, dt, temperature.view(), next);
}

#define HALOTHERM_INSTANTIATE(Real)                                                                                             \
  template void diffuse(const comm::Space&, const comm::Region&, const HeatEquation<Real>&, double,                             \
                        const comm::GridView<const Real>&, const comm::GridView<Real>&);                                        \
  template void diffuse(const comm::Space&, const comm::Region&, const HeatEquation<Real>&, double, const comm::Ghosted<Real>&, \
                        const comm::GridView<Real>&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
