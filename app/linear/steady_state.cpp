// SPDX-License-Identifier: MIT
#include "app/linear/steady_state.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/stopwatch.hpp"
#include "solver/field/copy_bandwidth.hpp"

#include <fmt/format.h>

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
SteadyState<Real>::SteadyState(const comm::Streams& streams, Domain<Real>& domain,
                               Problem<Real>& problem, const LinearConfig& config)
    : streams_(streams),
      domain_(domain),
      problem_(problem),
      config_(config),
      multigrid_(domain.world, streams, level_grid(domain), domain.partition, kind_in(domain),
                 problem.void_cells.body_cells < domain.grid.cell_count()),
      gradients_(multigrid_),
      residual_(domain.field("residual")) {
  if (problem.conditions_change())
    throw comm::CollectiveError(
        comm::ExitCode::usage,
        {"time.integrator: steady stands beside conditions that change with time",
         "a steady state has one value of each", "remove t from the formulas, or take rkl2"});
  auto& finest = multigrid_.finest();
  solver::set_matrix(finest.space(), finest.grid, finest.owned, problem.equation,
                     problem.boundary.sides().view(), finest.matrix);
  multigrid_.build();
  if (multigrid_.anchored()) return;
  throw comm::CollectiveError(
      comm::ExitCode::usage,
      {"time.integrator: steady has no solution, or no only one",
       "heat flows through no side by the temperature there, so nothing holds the temperature",
       "give a side a temperature or convection, or integrate in time"});
}

/// Collective. The norm of what heats the cells; leaves it in `residual_`.
template <class Real>
double SteadyState<Real>::residual_of(solver::Field<Real>& temperature) {
  const auto& owned = domain_.owned;
  problem_.balance_faces(streams_.bulk(), std::as_const(temperature).view());
  streams_.fence();
  const auto ghosted = domain_.halo.start(streams_, temperature.view()).finish();
  const auto& space = streams_.edge();
  solver::apply(space, comm::Region(owned),
                solver::Residual<Real>{problem_.equation, problem_.boundary.sides()}, ghosted,
                residual_.view());
  solver::weigh(space, owned, problem_.equation, residual_.view());
  const auto r = std::as_const(residual_).view();
  return std::sqrt(products_.sum(domain_.world, space, owned, r, r));
}

/// Collective. The norm of the residual that rounding the temperature alone makes, about.
template <class Real>
double SteadyState<Real>::rounding_of(const solver::Field<Real>& temperature) {
  auto& finest = multigrid_.finest();
  solver::residual_terms<Real>(finest.space(), finest.dimensions(), finest.owned,
                               finest.matrix.view(), temperature.view(), finest.next.view());
  const auto terms = std::as_const(finest.next).view();
  return std::numeric_limits<Real>::epsilon() *
         std::sqrt(Products().sum(domain_.world, finest.space(), finest.owned, terms, terms));
}

/// Of the temperature field, by the best of a few copies on this rank [s].
template <class Real>
double SteadyState<Real>::seconds_of_copy(const solver::Field<Real>& temperature) {
  constexpr int repeats = 3;
  return 2 * static_cast<double>(temperature.bytes()) /
         solver::copy_bandwidth(temperature, residual_, repeats);
}

template <class Real>
SolveRecord SteadyState<Real>::solve(solver::State<Real>& state, const io::Log& log) {
  const comm::Stopwatch stopwatch;
  auto& temperature = state.temperature();
  auto& finest = multigrid_.finest();
  SolveRecord record;
  record.levels = static_cast<int>(multigrid_.size());
  const double first = residual_of(temperature);
  double norm = first;
  while (norm > config_.tolerance * first) {
    if (record.iterations >= config_.iterations) report_no_convergence(record);
    const double wanted = std::max(reduction_at_once, 0.5 * config_.tolerance * first / norm);
    solver::round_to_float(finest.space(), finest.owned, 1 / norm, std::as_const(residual_).view(),
                           finest.b.view());
    const auto part =
        gradients_.solve(wanted, static_cast<int>(config_.iterations) - record.iterations);
    record.iterations += part.iterations;
    solver::correct(finest.space(), finest.owned, norm, gradients_.solution(), temperature.view());
    const double before = std::exchange(norm, residual_of(temperature));
    record.residuals.push_back(norm / first);
    log.line(
        fmt::format("steady         residual {:.2e} of the first after {} iterations, {:.3g} s",
                    norm / first, record.iterations, stopwatch.seconds()));
    if (norm <= 8 * rounding_of(temperature)) {
      record.at_rounding = norm > config_.tolerance * first;
      break;
    }
    if (!(norm < 0.5 * before)) report_no_convergence(record);
  }
  streams_.fence();
  record.seconds = domain_.world.max(stopwatch.seconds());
  record.copies = record.seconds / domain_.world.max(seconds_of_copy(temperature));
  return record;
}

template <class Real>
void SteadyState<Real>::report_no_convergence(const SolveRecord& record) const {
  std::string history;
  for (const double value : record.residuals)
    history += fmt::format("{}{:.2e}", history.empty() ? "" : ", ", value);
  throw comm::CollectiveError(
      comm::ExitCode::numerics,
      {fmt::format("the steady state is not reached after {} iterations", record.iterations),
       "residual over the first: " + history,
       "see whether every part of the body has a way for its heat to go, or raise "
       "linear.iterations or linear.tolerance"});
}

template class SteadyState<float>;
template class SteadyState<double>;

}  // namespace halotherm::app
