// SPDX-License-Identifier: MIT
#include "app/linear/refinement.hpp"

#include "app/linear/replication.hpp"
#include "app/linear/separation.hpp"
#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace halotherm::app {

namespace {

/// That a refinement asks of conjugate gradients in single precision, which reach some 1e-6.
constexpr double reduction_at_once = 1e-4;

/// A cycle that leaves more of the residual is slow: an iteration of conjugate gradients, which
/// leaves less, takes the time of several.
constexpr double slow = 0.7;

/// Collective. As the domain's messages travel; likewise towards blocks that share an edge only,
/// and towards all ranks where they are few.
template <class Real>
KindTowards kind_in(const Domain<Real>& domain) {
  std::set<int> others;
  for (const auto& message :
       comm::make_halo_plan(domain.partition, domain.world.rank(), 1, comm::GhostRegion::all)
           .messages)
    others.insert(message.neighbour);
  for (int rank = 0; sends_to_all(domain.world) && rank < domain.world.size(); ++rank) {
    if (rank != domain.world.rank()) others.insert(rank);
  }
  std::vector<comm::Channel> channels;
  for (const int other : others)
    channels.push_back({.neighbour = other, .elements = 1, .element_bytes = sizeof(float)});
  const auto towards = kinds_for(domain.world, domain.transport, channels);
  std::map<int, comm::TransportKind> kinds;
  for (std::size_t n = 0; n < channels.size(); ++n) kinds[channels[n].neighbour] = towards[n];
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
                             Problem<Real>& problem, const Config& config, bool has_mass)
    : streams_(streams),
      config_(config.linear),
      multigrid_(domain.world, streams, level_grid(domain), domain.partition, kind_in(domain)),
      equation_(streams, domain, problem, config, has_mass) {
  if (!is_linear()) before_.emplace(domain.field("temperature before a correction"));
}

template <class Real>
void Refinement<Real>::set_matrix(double rate, solver::Field<Real>& temperature) {
  equation_.set_rate(rate);
  equation_.set_matrix(temperature, multigrid_.finest(), before_ ? &*before_ : nullptr);
  multigrid_.build();
  cycles_suffice_ = multigrid_.finest().is_separable();
}

/// By the last correction; 1 before one.
template <class Real>
double Refinement<Real>::Norms::falls_by() const {
  return all.size() > 1 ? last() / all[all.size() - 2] : 1;
}

/// A norm below is progress: where cells melt, the norm may rise for some corrections (Grippo,
/// Lampariello & Lucidi 1986, SIAM J. Numer. Anal. 23).
template <class Real>
double Refinement<Real>::Norms::limit() const {
  constexpr std::ptrdiff_t remembered = 5;
  const auto count = std::min(remembered, static_cast<std::ptrdiff_t>(all.size()));
  return *std::max_element(all.end() - count, all.end());
}

/// That a correction must reach. In single precision a large and smooth one is rounded so that as
/// much is left as before, but from cell to cell; the next one removes that. A linear equation's
/// norm must halve within three corrections.
template <class Real>
double Refinement<Real>::Norms::limit_of(bool linear) const {
  if (!linear) return limit();
  constexpr std::size_t patience = 3;
  return all.size() < patience ? std::numeric_limits<double>::infinity()
                               : 0.5 * all[all.size() - patience];
}

/// That a correction needs. Of a nonlinear equation not much more than the last one gained
/// (Eisenstat & Walker 1996, SIAM J. Sci. Comput. 17, tie it to that likewise).
template <class Real>
double Refinement<Real>::wanted_reduction(const Norms& norms) const {
  constexpr double at_least = 0.1;
  const double left = 0.5 * config_.tolerance * norms.first / norms.last();
  if (is_linear()) return std::max(reduction_at_once, left);
  const double gained = std::min(at_least, 0.5 * norms.falls_by());
  return std::max({reduction_at_once, left, gained});
}

template <class Real>
ConjugateGradients& Refinement<Real>::gradients() {
  return gradients_ ? *gradients_ : gradients_.emplace(multigrid_);
}

/// Collective. Solves for a correction, unless `correct` does; returns the number of cycles.
template <class Real>
int Refinement<Real>::prepare_correction(const Norms& norms, std::int64_t most) {
  if (cycles_suffice_) return 1;
  return gradients().solve(wanted_reduction(norms), static_cast<int>(most)).iterations;
}

/// Collective. Adds a correction to the temperature, or a part of it; returns the new norm.
template <class Real>
double Refinement<Real>::correct(solver::Field<Real>& temperature,
                                 const solver::Field<Real>& target, const Norms& norms) {
  constexpr double least_share = 1e-12, expected = 1e-4;
  const double unit = equation_.unit();
  if (cycles_suffice_) {
    const bool starts = norms.all.size() == 1;
    if (starts && equation_.rate() == 0) {  // far from a steady state
      multigrid_.first_cycle_onto(unit, temperature.view());
    } else {
      multigrid_.cycle_onto(unit, temperature.view());
    }
    return equation_.norm(temperature, target, multigrid_);
  }
  const auto x = gradients_->solution();
  if (is_linear()) {
    equation_.correct(temperature, unit, x, temperature);
    return equation_.norm(temperature, target, multigrid_);
  }
  swap(*before_, temperature);
  for (double share = 1;; share *= 0.5) {
    equation_.correct(*before_, share * unit, x, temperature);
    const double norm = equation_.norm(temperature, target, multigrid_);
    if (norm < (1 - expected * share) * norms.limit() || share < least_share) return norm;
  }
}

template <class Real>
SolveRecord Refinement<Real>::solve(solver::Field<Real>& temperature,
                                    const solver::Field<Real>& target, const std::string& what,
                                    const Progress& progress) {
  constexpr double falls_fast = 0.1;
  auto& finest = multigrid_.finest();
  SolveRecord record;
  record.levels = static_cast<int>(multigrid_.size());
  streams_.fence();  // both streams may still write the temperatures
  equation_.begin_solve();
  Norms norms{equation_.norm(temperature, target, multigrid_), {}};
  norms.all = {norms.first};
  while (norms.last() > config_.tolerance * norms.first) {
    if (record.iterations >= config_.iterations) report_no_convergence(record, what);
    if (!is_linear() && norms.all.size() > 1 && norms.falls_by() > falls_fast)
      set_matrix(equation_.rate(), temperature);
    record.iterations += prepare_correction(norms, config_.iterations - record.iterations);
    const double limit = norms.limit_of(is_linear());
    const double norm = correct(temperature, target, norms);
    norms.all.push_back(norm);
    record.residuals.push_back(norm / norms.first);
    ++record.corrections;
    if (progress) progress(record);
    if (norms.falls_by() <= slow) continue;
    if (norm <= 8 * equation_.rounding(temperature, finest)) {
      record.at_rounding = norm > config_.tolerance * norms.first;
      break;
    }
    if (!cycles_suffice_ && !(norm < limit)) report_no_convergence(record, what);
    cycles_suffice_ = false;
  }
  streams_.fence();
  return record;
}

template <class Real>
void Refinement<Real>::repeat_coarse_levels(std::int64_t cycles) {
  for (std::int64_t n = 0; n < cycles; ++n) {
    if (cycles_suffice_) {
      multigrid_.cycle_coarse_levels();
    } else {
      multigrid_.symmetric_cycle_coarse_levels();
    }
  }
  streams_.fence();
}

template <class Real>
double Refinement<Real>::filtered_residual(solver::Field<Real>& temperature,
                                           const solver::Field<Real>& target) {
  constexpr double enough = 0.03;
  constexpr int most = 30;
  streams_.fence();
  if (equation_.norm(temperature, target, multigrid_) == 0) return 0;
  gradients().solve(enough, most);
  equation_.weigh(temperature, gradients().solution(), multigrid_.finest());
  gradients().solve(enough, most);
  return equation_.unit() * equation_.largest(gradients().solution());
}

template <class Real>
void Refinement<Real>::report_no_convergence(const SolveRecord& record,
                                             const std::string& what) const {
  std::string history;
  for (const double value : record.residuals)
    history += fmt::format("{}{:.2e}", history.empty() ? "" : ", ", value);
  throw NoSolution(comm::ExitCode::numerics,
                   {fmt::format("{} is not reached after {} iterations", what, record.iterations),
                    "residual over the first: " + history,
                    "see whether every part of the body has a way for its heat to go, raise "
                    "linear.iterations or linear.tolerance, or take a smaller time.dt"});
}

template class Refinement<float>;
template class Refinement<double>;

}  // namespace halotherm::app
