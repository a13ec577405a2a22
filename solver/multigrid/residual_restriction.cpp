// SPDX-License-Identifier: MIT
#include "solver/multigrid/residual_restriction.hpp"

#include "solver/multigrid/residual_stream.hpp"

#include <type_traits>
#include <variant>

namespace halotherm::solver {

namespace {

/// Calls `work` with the medium, if K is one number along each axis there.
template <class Real, class Work>
void with_constant_K(const HeatEquation<Real>& equation, const Work& work) {
  const auto& medium = equation.medium();
  if (const auto* even = std::get_if<UniformMedium<Real>>(&medium)) return work(*even);
  if (const auto* stretched = std::get_if<StretchedMedium<Real>>(&medium)) return work(*stretched);
}

/// Whether the block consists of pairs along three axes.
bool is_paired(const Coarsening& coarsening, const comm::Box& owned) {
  bool paired = coarsening.fine.dimensions == 3;
  for (int axis = 0; axis < 3; ++axis) {
    paired = paired && coarsening.factors[axis] == 2 && owned.lower[axis] % 2 == 0 &&
             owned.upper[axis] % 2 == 0;
  }
  return paired;
}

}  // namespace

template <class Real>
bool restricts_residuals(const HeatEquation<Real>& equation, const Coarsening& coarsening,
                         const comm::Box& owned) {
  bool constant_K = false;
  with_constant_K(equation, [&](const auto&) { constant_K = true; });
  return !comm::kernels_run_on_host && constant_K && is_paired(coarsening, owned);
}

template <class Real>
ProductSum round_restrict_and_sum(const comm::Space& space, const comm::Box& owned,
                                  const RoundedResidual<Real>& residual,
                                  const comm::GridView<float>& fine,
                                  const comm::GridView<float>& coarse, const SumScale& scale) {
  ProductSum sum;
  with_constant_K(residual.equation, [&](const auto& medium) {
    using Medium = std::decay_t<decltype(medium)>;
    const Update<3, Real, Medium, CellResidual<Real>> update{
        residual.T, {}, medium, {residual.equation.source()}, residual.boundary.view()};
    const RoundedHeating<Real, MediumTraits<Medium>::uneven> rounded{residual.mass,
                                                                     residual.rounding, fine};
    if constexpr (!comm::kernels_run_on_host)
      sum = ResidualStream(scale, update, rounded, coarse).run(space, "restricted residual", owned);
  });
  return sum;
}

#define HALOTHERM_INSTANTIATE(Real)                                               \
  template bool restricts_residuals(const HeatEquation<Real>&, const Coarsening&, \
                                    const comm::Box&);                            \
  template ProductSum round_restrict_and_sum(                                     \
      const comm::Space&, const comm::Box&, const RoundedResidual<Real>&,         \
      const comm::GridView<float>&, const comm::GridView<float>&, const SumScale&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
