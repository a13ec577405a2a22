// SPDX-License-Identifier: MIT
// The definitions of apply.hpp, compiled in one source for each operator and precision, and in one
// for all operators in each medium of uneven grids, of kinds, of tables, or of stored faces.
#pragma once

#include "solver/field/dimensions.hpp"
#include "solver/kernels/apply.hpp"
#include "solver/kernels/launch.hpp"

namespace halotherm::solver {

namespace detail {

/// Calls `work` with the heating of a step, or of a stage, that suits the coefficients.
template <int Dim, class Step, class Real, class Widths, class Work>
void with_heating(const Step& step, const TabulatedMedium<Real, Widths>& medium, const Work& work) {
  work(
      TabulatedHeating<Real>{medium.materials, step.equation.source(), static_cast<Real>(step.dt)});
}
template <int Dim, class Step, class Real, class Work>
void with_heating(const Step& step, const KindsMedium<Real>& medium, const Work& work) {
  const auto dt = static_cast<Real>(step.dt);
  if constexpr (!comm::kernels_run_on_host) {
    if (const auto* heats = step.equation.heats_of_kinds())
      return work(HeatingOfKinds<Real>{medium.of_cell, heats, dt});
  }
  work(VaryingHeating<Real>{step.equation.inverse_capacity(), step.equation.source(), dt});
}
template <int Dim, class Step, class Medium, class Work>
void with_heating(const Step& step, const Medium&, const Work& work) {
  const auto& inverse_capacity = step.equation.inverse_capacity();
  const auto& source = step.equation.source();
  using Real = std::decay_t<decltype(source.value.value)>;
  const auto dt = static_cast<Real>(step.dt);
  // in one dimension, and on CPUs where faces differ, a kernel less counts for more
  constexpr bool faces_differ = !std::is_same_v<Medium, UniformMedium<Real>>;
  constexpr bool has_constant = Dim > 1 && !(comm::kernels_run_on_host && faces_differ);
  if constexpr (has_constant) {
    if (!inverse_capacity.varies && source.uniform())
      return work(ConstantHeating<Real>{dt * inverse_capacity.value, source.value.value});
  }
  work(VaryingHeating<Real>{inverse_capacity, source, dt});
}

/// Calls `work` with the operator on cells that suits the coefficients.
template <int Dim, class Real, class Medium, class Work>
void with_cells(const EulerStep<Real>& step, const Medium& medium, const Work& work) {
  with_heating<Dim>(step, medium, [&](const auto& heating) {
    work(EulerCells<std::decay_t<decltype(heating)>>{heating});
  });
}
template <int Dim, class Real, class Medium, class Work>
void with_cells(const RungeKuttaStage<Real>& stage, const Medium& medium, const Work& work) {
  with_heating<Dim>(stage, medium, [&](const auto& heating) {
    work(RungeKuttaCells<std::decay_t<decltype(heating)>, Real>{heating,
                                                                {stage.start},
                                                                {stage.older_field},
                                                                {stage.first_field},
                                                                static_cast<Real>(stage.input),
                                                                static_cast<Real>(stage.older),
                                                                static_cast<Real>(stage.first)});
  });
}
template <int Dim, class Real, class Medium, class Work>
void with_cells(const Residual<Real>& residual, const Medium&, const Work& work) {
  work(CellResidual<Real>{residual.equation.source()});
}
template <int Dim, class Real, class Medium, class Work>
void with_cells(const Jacobi<Real>& sweep, const Medium&, const Work& work) {
  work(CellJacobi<Real>{{sweep.equation.source()}, static_cast<Real>(sweep.weight)});
}

/// The accumulators of an operator that may be instrumented; else nullptr, so that no instrumented
/// kernel is compiled.
template <class Operator>
auto board_of(const Operator& op) {
  if constexpr (requires { op.board; }) {
    return op.board;
  } else {
    return nullptr;
  }
}

/// In one medium.
template <template <class> class Operator, class Real, class Medium>
void apply_in(const Medium& medium, const comm::Space& space, const comm::Region& region,
              const Operator<Real>& op, const comm::GridView<const Real>& in,
              const comm::GridView<Real>& out) {
  const auto& equation = op.equation;
  const auto sides = op.boundary.view();
  with_dimensions(equation.dimensions(), [&](auto dim) {
    with_cells<dim()>(op, medium, [&](const auto& cells) {
      const Update<dim(), Real, Medium, std::decay_t<decltype(cells)>> update{in, out, medium,
                                                                              cells, sides};
      launch(space, region, equation.isotropic(), update, board_of(op));
    });
  });
}

}  // namespace detail

template <template <class> class Operator, class Real>
void apply(const comm::Space& space, const comm::Region& region, const Operator<Real>& op,
           const comm::GridView<const Real>& in, const comm::GridView<Real>& out) {
  std::visit([&](const auto& medium) { detail::apply_in(medium, space, region, op, in, out); },
             op.equation.medium());
}

}  // namespace halotherm::solver

/// In a medium of uneven grids, of kinds, of tables, or of stored faces.
#define HALOTHERM_APPLY_IN(Operator, Real, ...)                                 \
  template void halotherm::solver::detail::apply_in(                            \
      const halotherm::solver::__VA_ARGS__&, const halotherm::comm::Space&,     \
      const halotherm::comm::Region&, const halotherm::solver::Operator<Real>&, \
      const halotherm::comm::GridView<const Real>&, const halotherm::comm::GridView<Real>&);
#define HALOTHERM_APPLY_STRETCHED(Operator, Real) \
  HALOTHERM_APPLY_IN(Operator, Real, StretchedMedium<Real>)
#define HALOTHERM_APPLY_UNEVEN(Operator, Real) \
  HALOTHERM_APPLY_IN(Operator, Real, VaryingMedium<Real, halotherm::solver::UnevenSpacing<Real>>)
#define HALOTHERM_APPLY_KINDS(Operator, Real) HALOTHERM_APPLY_IN(Operator, Real, KindsMedium<Real>)
#define HALOTHERM_APPLY_TABULATED(Operator, Real) \
  HALOTHERM_APPLY_IN(Operator, Real, TabulatedMedium<Real, halotherm::solver::EvenWidths<Real>>)
#define HALOTHERM_APPLY_TABULATED_UNEVEN(Operator, Real) \
  HALOTHERM_APPLY_IN(Operator, Real, TabulatedMedium<Real, halotherm::solver::UnevenWidths<Real>>)
#define HALOTHERM_APPLY_STORED(Operator, Real) \
  HALOTHERM_APPLY_IN(Operator, Real, StoredMedium<Real, halotherm::solver::EvenSpacing<Real>>)
#define HALOTHERM_APPLY_STORED_UNEVEN(Operator, Real) \
  HALOTHERM_APPLY_IN(Operator, Real, StoredMedium<Real, halotherm::solver::UnevenSpacing<Real>>)

// clang-format off
#define HALOTHERM_APPLY_OF(Operator, Real)                                               \
  extern HALOTHERM_APPLY_STRETCHED(Operator, Real)                                       \
  extern HALOTHERM_APPLY_UNEVEN(Operator, Real)                                          \
  extern HALOTHERM_APPLY_KINDS(Operator, Real)                                           \
  extern HALOTHERM_APPLY_TABULATED(Operator, Real)                                       \
  extern HALOTHERM_APPLY_TABULATED_UNEVEN(Operator, Real)                                \
  extern HALOTHERM_APPLY_STORED(Operator, Real)                                          \
  extern HALOTHERM_APPLY_STORED_UNEVEN(Operator, Real)                                   \
  namespace halotherm::solver {                                                          \
    template void apply(const comm::Space&, const comm::Region&, const Operator<Real>&,  \
                        const comm::GridView<const Real>&, const comm::GridView<Real>&); \
  }
// clang-format on
