// SPDX-License-Identifier: MIT
// The definitions of diffuse.hpp, compiled in one source for each precision.
#pragma once

#include "solver/field/dimensions.hpp"
#include "solver/kernels/diffuse.hpp"
#include "solver/kernels/launch.hpp"

namespace halotherm::solver {

namespace detail {

/// Calls `work` with the update that suits the coefficients.
template <class Real, class Work>
void with_cells(const HeatEquation<Real>& equation, Real dt, const Work& work) {
  const auto& inverse_capacity = equation.inverse_capacity();
  const auto& source = equation.source();
  if (inverse_capacity.varies || source.varies)
    return work(VaryingCells<Real>{inverse_capacity, source, dt});
  work(ConstantCells<Real>{dt * inverse_capacity.value, source.value});
}

}  // namespace detail

template <class Real>
void diffuse(const comm::Space& space, const comm::Region& region, const Step<Real>& step,
             const comm::GridView<const Real>& temperature, const comm::GridView<Real>& next) {
  const auto& equation = step.equation;
  const auto sides = step.boundary.view();
  with_dimensions(equation.dimensions(), [&](auto dim) {
    detail::with_cells<Real>(equation, static_cast<Real>(step.dt), [&](const auto& cells) {
      std::visit(
          [&](const auto& medium) {
            using Medium = std::decay_t<decltype(medium)>;
            const Update<dim(), Real, Medium, std::decay_t<decltype(cells)>> update{
                temperature, next, medium, cells, sides};
            launch(space, region, equation.isotropic(), update, step.instrument);
          },
          equation.medium());
    });
  });
}

template <class Real>
void diffuse(const comm::Space& space, const comm::Region& region, const Step<Real>& step,
             const comm::Ghosted<Real>& temperature, const comm::GridView<Real>& next) {
  diffuse(space, region, step, temperature.view(), next);
}

}  // namespace halotherm::solver

#define HALOTHERM_DIFFUSE_OF(Real)                                                       \
  namespace halotherm::solver {                                                          \
  template void diffuse(const comm::Space&, const comm::Region&, const Step<Real>&,      \
                        const comm::GridView<const Real>&, const comm::GridView<Real>&); \
  template void diffuse(const comm::Space&, const comm::Region&, const Step<Real>&,      \
                        const comm::Ghosted<Real>&, const comm::GridView<Real>&);        \
  }
