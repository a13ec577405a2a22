// SPDX-License-Identifier: MIT
#include "app/linear/refinement.hpp"

#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace halotherm::app {

namespace {

/// That a refinement asks of conjugate gradients in single precision, which reach some 1e-6.
constexpr double reduction_at_once = 1e-4;

template <class Real>
solver::LevelGrid level_grid(const Domain<Real>& domain) {
  return {domain.grid.dimensions, domain.grid.cells, domain.partition.periodic()};
}

/// As the domain's messages travel. Blocks that share an edge only exchange little: through host
/// memory.
template <class Real>
KindTowards kind_in(const Domain<Real>& domain) {
  std::map<int, comm::TransportKind> kinds;
  const auto& messages = domain.halo.plan().messages;
  for (std::size_t n = 0; n < messages.size(); ++n)
    kinds[messages[n].neighbour] = domain.transport.kinds[n];
  return [kinds](int neighbour) {
    const auto found = kinds.find(neighbour);
    return found == kinds.end() ? comm::TransportKind::staged : found->second;
  };
}

}  // namespace

template <class Real>
Refinement<Real>::Refinement(const comm::Streams& streams, Domain<Real>& domain,
                             Problem<Real>& problem, const LinearConfig& config, bool has_mass)
    : streams_(streams),
      domain_(domain),
      problem_(problem),
      config_(config),
      multigrid_(domain.world, streams, level_grid(domain), domain.partition, kind_in(domain),
                 has_mass || problem.void_cells.body_cells < domain.grid.cell_count()),
      gradients_(multigrid_),
      residual_(domain.field("residual")) {}

template <class Real>
void Refinement<Real>::set_matrix(double rate) {
  rate_ = rate;
  auto& finest = multigrid_.finest();
  streams_.fence();
  solver::set_matrix(finest.space(), finest.grid, finest.owned, problem_.equation,
                     problem_.boundary.sides().view(), rate, finest.matrix);
  multigrid_.build();
}

/// Collective. The norm of the function; leaves it in `residual_`.
template <class Real>
double Refinement<Real>::residual_of(solver::Field<Real>& temperature,
                                     const solver::Field<Real>& target) {
  const auto& owned = domain_.owned;
  problem_.balance_faces(streams_.bulk(), std::as_const(temperature).view());
  streams_.fence();
  const auto ghosted = domain_.halo.start(streams_, temperature.view()).finish();
  const auto& space = streams_.edge();
  solver::apply(space, comm::Region(owned),
                solver::Residual<Real>{problem_.equation, problem_.boundary.sides()}, ghosted,
                residual_.view());
  if (rate_ > 0)
    solver::add_mass(space, owned, problem_.equation, rate_, target.view(),
                     std::as_const(temperature).view(), residual_.view());
  solver::weigh(space, owned, problem_.equation, residual_.view());
  const auto r = std::as_const(residual_).view();
  return std::sqrt(products_.sum(domain_.world, space, owned, r, r));
}

/// Collective. The norm of the residual that rounding the temperature alone makes, about.
template <class Real>
double Refinement<Real>::rounding_of(const solver::Field<Real>& temperature) {
  auto& finest = multigrid_.finest();
  solver::residual_terms<Real>(finest.space(), finest.dimensions(), finest.owned,
                               finest.matrix.view(), temperature.view(), finest.next.view());
  const auto terms = std::as_const(finest.next).view();
  return std::numeric_limits<Real>::epsilon() *
         std::sqrt(Products().sum(domain_.world, finest.space(), finest.owned, terms, terms));
}

template <class Real>
SolveRecord Refinement<Real>::solve(solver::Field<Real>& temperature,
                                    const solver::Field<Real>& target, const std::string& what,
                                    const Progress& progress) {
  auto& finest = multigrid_.finest();
  SolveRecord record;
  record.levels = static_cast<int>(multigrid_.size());
  const double first = residual_of(temperature, target);
  double norm = first;
  while (norm > config_.tolerance * first) {
    if (record.iterations >= config_.iterations) report_no_convergence(record, what);
    const double wanted = std::max(reduction_at_once, 0.5 * config_.tolerance * first / norm);
    solver::round_to_float(finest.space(), finest.owned, 1 / norm, std::as_const(residual_).view(),
                           finest.b.view());
    const auto part =
        gradients_.solve(wanted, static_cast<int>(config_.iterations - record.iterations));
    record.iterations += part.iterations;
    solver::correct(finest.space(), finest.owned, norm, gradients_.solution(), temperature.view());
    const double before = std::exchange(norm, residual_of(temperature, target));
    record.residuals.push_back(norm / first);
    if (progress) progress(record);
    if (norm <= 8 * rounding_of(temperature)) {
      record.at_rounding = norm > config_.tolerance * first;
      break;
    }
    if (!(norm < 0.5 * before)) report_no_convergence(record, what);
  }
  streams_.fence();
  return record;
}

template <class Real>
void Refinement<Real>::report_no_convergence(const SolveRecord& record,
                                             const std::string& what) const {
  std::string history;
  for (const double value : record.residuals)
    history += fmt::format("{}{:.2e}", history.empty() ? "" : ", ", value);
  throw comm::CollectiveError(
      comm::ExitCode::numerics,
      {fmt::format("{} is not reached after {} iterations", what, record.iterations),
       "residual over the first: " + history,
       "see whether every part of the body has a way for its heat to go, or raise "
       "linear.iterations or linear.tolerance"});
}

template class Refinement<float>;
template class Refinement<double>;

}  // namespace halotherm::app
