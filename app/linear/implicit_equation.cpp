// SPDX-License-Identifier: MIT
#include "app/linear/implicit_equation.hpp"

#include "app/config/material_tables.hpp"
#include "app/linear/separation.hpp"
#include "solver/equation/cell_range.hpp"
#include "solver/linear/correction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halotherm::app {

template <class Real>
ImplicitEquation<Real>::ImplicitEquation(const comm::Streams& streams, Domain<Real>& domain,
                                         Problem<Real>& problem, const Config& config,
                                         bool has_mass)
    : streams_(streams),
      domain_(domain),
      problem_(problem),
      linear_(!is_nonlinear(config)),
      source_follows_(heating_follows_temperature(config)),
      anchored_(has_mass || problem.void_cells.exist || source_follows_),
      tangents_(problem.boundary.sides()),
      values_(domain.field("residual")) {}

template <class Real>
double ImplicitEquation<Real>::norm(solver::Field<Real>& T, const solver::Field<Real>& target,
                                    Multigrid& multigrid) {
  follow(std::as_const(T).view());
  if (source_follows_) problem_.check_conditions();
  const auto ghosted = domain_.halo.start(streams_, T.view()).finish();
  const auto& equation = problem_.equation;
  const auto& boundary = problem_.boundary.sides();
  const solver::StepMass<Real> mass{equation.heat_content(), rate_, target.view()};
  if (multigrid.restricts_residuals(equation)) {
    return norm_of([&](double factor, const solver::SumScale& scale) {
      const solver::Rounding<Real> rounding(equation, factor);
      return multigrid.set_b(
          solver::RoundedResidual<Real>{equation, boundary, ghosted.view(), mass, rounding}, scale);
    });
  }
  const auto& space = streams_.edge();
  solver::apply(space, comm::Region(domain_.owned), solver::Residual<Real>{equation, boundary},
                ghosted, values_.view());
  if (rate_ > 0)
    solver::add_mass<Real>(space, domain_.owned, mass, std::as_const(T).view(), values_.view());
  return norm_of([&](double factor, const solver::SumScale& scale) {
    const solver::Rounding<Real> rounding(equation, factor);
    return multigrid.set_b(solver::Rounded<Real>{rounding, std::as_const(values_).view()}, scale);
  });
}

/// After the launches on the edge stream, which may still write the temperatures; copies of these
/// across periodic sides, on the bulk stream, are ordered with it.
template <class Real>
void ImplicitEquation<Real>::follow(const comm::GridView<const Real>& T) {
  streams_.bulk_awaits_edge();
  if (linear_) return;
  problem_.follow_temperatures(streams_.bulk(), T);
  streams_.fence();
}

/// Of what `set_b` rounds and sums the squares of. Floats hold the values in units near the norm of
/// the time before; only if this one is far from it, all is computed once more.
template <class Real>
double ImplicitEquation<Real>::norm_of(const SetB& set_b) {
  constexpr int far = 40;  // powers of two
  const bool begins = std::exchange(begins_, false);
  if (begins) norms_ = first_norms_;
  while (true) {
    norms_.follow();
    const double squares = norms_.squares.sum(domain_.world, [&](const solver::SumScale& scale) {
      return set_b(1 / norms_.unit, scale);
    });
    if (squares == 0) return 0;
    norms_.exponent = std::ilogb(std::sqrt(squares));
    if (std::abs(norms_.exponent) > far) continue;
    if (begins) first_norms_ = norms_;
    return std::sqrt(squares) * norms_.unit;
  }
}

/// Takes the last norm as the unit.
template <class Real>
void ImplicitEquation<Real>::NormRange::follow() {
  unit = std::ldexp(unit, exponent);
  squares.expect_larger(-2 * exponent);
  exponent = 0;
}

template <class Real>
void ImplicitEquation<Real>::set_matrix(solver::Field<Real>& T, Level& level,
                                        solver::Field<Real>* scratch) {
  streams_.fence();
  if (linear_) {
    auto separable = separable_matrix(domain_, problem_, rate_);
    if (separable) {
      level.matrix = std::move(*separable);
      return;
    }
  }
  auto sides = problem_.boundary.sides().view();
  comm::GridView<const Real> fall;
  if (!linear_) {
    if (source_follows_) {
      const auto source_at = [&](const auto& at) {
        problem_.follow_sources(streams_.bulk(), at);
        streams_.fence();
        return problem_.equation.source();
      };
      solver::set_source_fall<Real>(streams_.edge(), domain_.owned, std::as_const(T).view(),
                                    scratch->view(), source_at, values_.view());
      fall = std::as_const(values_).view();
    }
    tangents_.set(streams_.edge(), std::as_const(T).view(), scratch->view(), [&](const auto& at) {
      problem_.balance_faces(streams_.bulk(), at);
      streams_.fence();
    });
    sides = tangents_.view();
    (void)domain_.halo.start(streams_, T.view()).finish();
    streams_.fence();
  }
  for (int axis = 0; axis < 3; ++axis)
    level.widths[static_cast<std::size_t>(axis)] = domain_.grid.shares(axis);
  solver::set_matrix(level.space(), level.grid, level.owned, problem_.equation, sides,
                     std::as_const(T).view(), rate_, level.faces(anchored_), fall);
}

template <class Real>
double ImplicitEquation<Real>::rounding(const solver::Field<Real>& T, Level& level) const {
  solver::residual_terms<Real>(level.space(), level.dimensions(), level.owned, level.A(), T.view(),
                               level.next.view());
  const auto terms = std::as_const(level.next).view();
  return std::numeric_limits<Real>::epsilon() *
         std::sqrt(Products().sum(domain_.world, level.space(), level.owned, terms, terms));
}

template <class Real>
void ImplicitEquation<Real>::correct(const solver::Field<Real>& from, double factor,
                                     const comm::GridView<const float>& x,
                                     solver::Field<Real>& T) const {
  solver::take_correction<Real>(streams_.edge(), domain_.owned, problem_.equation, rate_ > 0,
                                factor, x, from.view(), T.view());
}

template <class Real>
void ImplicitEquation<Real>::weigh(const solver::Field<Real>& T,
                                   const comm::GridView<const float>& x, Level& level) const {
  solver::apply_mass<Real>(streams_.edge(), domain_.owned, problem_.equation, rate_, T.view(), x,
                           level.b.view());
}

template <class Real>
double ImplicitEquation<Real>::largest(const comm::GridView<const float>& x) const {
  streams_.fence();
  const auto [least, most] = solver::range_of(domain_.owned, x);
  const double mine = std::max(std::abs(least), std::abs(most));
  return domain_.world.max(std::isfinite(mine) ? mine : std::numeric_limits<double>::infinity());
}

template class ImplicitEquation<float>;
template class ImplicitEquation<double>;

}  // namespace halotherm::app
