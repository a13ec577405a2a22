// SPDX-License-Identifier: MIT
#include "app/linear/refinement.hpp"

#include "app/linear/separation.hpp"
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

/// A refinement that leaves more of the residual is slow.
constexpr double slow = 0.4;

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
      multigrid_(domain.world, streams, level_grid(domain), domain.partition, kind_in(domain)),
      anchored_(has_mass || problem.void_cells.body_cells < domain.grid.cell_count()),
      residual_(domain.field("residual")) {}

template <class Real>
void Refinement<Real>::set_matrix(double rate) {
  rate_ = rate;
  auto& finest = multigrid_.finest();
  streams_.fence();
  auto separable = separable_matrix(domain_, problem_, rate);
  cycles_suffice_ = separable.has_value();
  if (separable) {
    finest.matrix = std::move(*separable);
  } else {
    solver::set_matrix(finest.space(), finest.grid, finest.owned, problem_.equation,
                       problem_.boundary.sides().view(), rate, finest.faces(anchored_));
  }
  multigrid_.build();
}

/// Collective. The norm of the function; leaves it in b of the finest level, in units of `unit_`.
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
  return round_residual();
}

/// Floats hold it in units near its norm, which is near that of the time before.
template <class Real>
double Refinement<Real>::round_residual() {
  constexpr int far = 20;  // powers of two
  while (true) {
    const double squares = products_.sum(domain_.world, [&](const solver::SumScale& scale) {
      return solver::round_and_sum(streams_.edge(), domain_.owned, problem_.equation, 1 / unit_,
                                   std::as_const(residual_).view(), multigrid_.finest().b.view(),
                                   scale);
    });
    const double norm = std::sqrt(squares);
    if (norm == 0) return 0;
    const int exponent = std::ilogb(norm);
    const double unit = unit_;
    if (std::abs(exponent) <= far) return norm * unit;
    unit_ = std::ldexp(unit_, exponent);
  }
}

/// Collective. The norm of the residual that rounding the temperature alone makes, about.
template <class Real>
double Refinement<Real>::rounding_of(const solver::Field<Real>& temperature) {
  auto& finest = multigrid_.finest();
  solver::residual_terms<Real>(finest.space(), finest.dimensions(), finest.owned, finest.A(),
                               temperature.view(), finest.next.view());
  const auto terms = std::as_const(finest.next).view();
  return std::numeric_limits<Real>::epsilon() *
         std::sqrt(Products().sum(domain_.world, finest.space(), finest.owned, terms, terms));
}

/// Collective. The number of cycles that it took.
template <class Real>
int Refinement<Real>::correct(solver::Field<Real>& temperature, double reduction,
                              std::int64_t most) {
  if (cycles_suffice_) {
    multigrid_.cycle_onto(unit_, temperature.view());
    return 1;
  }
  if (!gradients_) gradients_.emplace(multigrid_);
  const auto result = gradients_->solve(reduction, static_cast<int>(most));
  solver::correct(streams_.edge(), domain_.owned, unit_, gradients_->solution(),
                  temperature.view());
  return result.iterations;
}

template <class Real>
SolveRecord Refinement<Real>::solve(solver::Field<Real>& temperature,
                                    const solver::Field<Real>& target, const std::string& what,
                                    const Progress& progress) {
  SolveRecord record;
  record.levels = static_cast<int>(multigrid_.size());
  const double first = residual_of(temperature, target);
  double norm = first;
  while (norm > config_.tolerance * first) {
    if (record.iterations >= config_.iterations) report_no_convergence(record, what);
    const double wanted = std::max(reduction_at_once, 0.5 * config_.tolerance * first / norm);
    record.iterations += correct(temperature, wanted, config_.iterations - record.iterations);
    const double before = std::exchange(norm, residual_of(temperature, target));
    record.residuals.push_back(norm / first);
    if (progress) progress(record);
    if (norm <= slow * before) continue;
    if (norm <= 8 * rounding_of(temperature)) {
      record.at_rounding = norm > config_.tolerance * first;
      break;
    }
    if (!cycles_suffice_ && !(norm < 0.5 * before)) report_no_convergence(record, what);
    cycles_suffice_ = false;
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
