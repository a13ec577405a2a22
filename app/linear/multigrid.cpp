// SPDX-License-Identifier: MIT
#include "app/linear/multigrid.hpp"

#include "app/linear/replication.hpp"
#include "solver/linear/smoother.hpp"
#include "solver/multigrid/restriction.hpp"
#include "solver/multigrid/side_part.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace halotherm::app {

namespace {

/// Of D⁻¹A: the smallest eigenvalue of an error that coarser cells do not see is 1/3 where all axes
/// conduct alike. A larger bound gives up some of it for more of the others.
constexpr double smoothed_from = 0.3;
const auto weights = solver::chebyshev_weights<solver::SymmetricCycle::sweeps>(smoothed_from);

const solver::SeparableMatrix& separable(const Level& level) {
  return std::get<solver::SeparableMatrix>(level.matrix);
}

void ascend_symmetric(const solver::SymmetricCycle& cycle, Level& level, const Level& coarse) {
  solver::ascend(level.space(), cycle, coarse.x.view(), level.x, level.next);
}

}  // namespace

void Multigrid::build() {
  levels_.build();
  recorded_.clear();
  whole_cycle_ran_ = false;
}

void Multigrid::symmetric_cycle(std::size_t n, const Correct& correct) {
  auto& level = levels_[n];
  if (level.is_coarsest())
    return solver::first_sweep(level.space(), level.dimensions(), level.owned, level.A(), 1,
                               std::as_const(level.b).view(), level.x.view());
  auto& coarse = levels_[n + 1];
  if (!level.coarsening) {  // the next level is a copy
    replicate(level, level.b, coarse, coarse.b);
    symmetric_cycle(n + 1, ascend_symmetric);
    return copy_block(level, coarse.x, level.x);
  }
  const auto cycle = level.prepare_descent(coarse, weights);
  solver::descend(level.space(), cycle, level.x, level.next, coarse.b.view());
  symmetric_cycle(n + 1, ascend_symmetric);
  level.prepare_correction(cycle, coarse);
  correct(cycle, level, coarse);
}

solver::ProductSum Multigrid::symmetric_cycle_and_sum(const solver::SumScale& scale) {
  auto& first = finest();
  std::optional<solver::ProductSum> sum;
  symmetric_cycle(0, [&](const solver::SymmetricCycle& cycle, Level& level, const Level& coarse) {
    sum = solver::ascend_and_sum(level.space(), cycle, coarse.x.view(), level.x, level.next, scale);
  });
  if (sum) return *sum;
  return solver::sum_of_products(first.space(), first.owned, std::as_const(first.b).view(),
                                 std::as_const(first.x).view(), scale);
}

void Multigrid::symmetric_cycle_coarse_levels() {
  if (levels_.size() > 1) symmetric_cycle(1, ascend_symmetric);
}

void Multigrid::cycle_coarse_levels() {
  const std::size_t whole = first_whole_level();
  for (std::size_t n = first_restricted(); n < whole; ++n) restrict_from(n);
  cycle_whole_levels(whole);
  ascend_coarse_levels(whole, Corrections::enlarged);
}

template <class Real>
void Multigrid::cycle_onto(double factor, const comm::GridView<Real>& values) {
  cycle_coarse_levels();
  ascend_onto(Corrections::enlarged, factor, values);
}
template void Multigrid::cycle_onto(double, const comm::GridView<float>&);
template void Multigrid::cycle_onto(double, const comm::GridView<double>&);

template <class Real>
void Multigrid::first_cycle_onto(double factor, const comm::GridView<Real>& values) {
  auto& first = finest();
  for (std::size_t n = 0; n + 1 < levels_.size(); ++n) {
    auto& level = levels_[n];
    if (level.coarsening) {
      const solver::SidePart part(*level.coarsening, separable(level).view(), *level.interpolation);
      level.exchange(level.b);
      if (n == 0) {
        solver::take_out_onto(level.space(), level.owned, part, level.b, level.next, factor,
                              values);
      } else {
        solver::take_out(level.space(), level.owned, part, level.b, level.next,
                         level.side_part->view());
        if (n < first_restricted()) {  // the finest level's copy: its part goes onto `values`, too
          copy_block(first, *level.side_part, first.x);
          solver::correct(first.space(), first.owned, factor, std::as_const(first.x).view(),
                          values);
        }
      }
    }
    restrict_from(n);
  }
  solve_coarsest();
  ascend_coarse_levels(levels_.size() - 1, Corrections::as_solved);
  ascend_onto(Corrections::as_solved, factor, values);
}
template void Multigrid::first_cycle_onto(double, const comm::GridView<float>&);
template void Multigrid::first_cycle_onto(double, const comm::GridView<double>&);

/// The level from which a cycle restricts first: `set_b` does so from the finest level, or from its
/// copy.
std::size_t Multigrid::first_restricted() const {
  return finest().coarsening ? 1 : 2;
}

/// The first of the levels whose part of a cycle the host submits at once: each rank has them as a
/// whole, so there are no messages.
std::size_t Multigrid::first_whole_level() const {
  std::size_t n = std::min(first_restricted(), levels_.size() - 1);
  while (n + 1 < levels_.size() && levels_[n].communicator.size() > 1) ++n;
  return n;
}

/// From the b of a level to its x. Recorded when it is needed again, as recording takes as long as
/// some cycles.
void Multigrid::cycle_whole_levels(std::size_t whole) {
  const auto cycle = [this, whole] {
    for (std::size_t n = whole; n + 1 < levels_.size(); ++n) restrict_from(n);
    solve_coarsest();
    for (std::size_t n = levels_.size() - 1; n > whole; --n)
      ascend_to(n - 1, Corrections::enlarged);
  };
  if (!whole_cycle_ran_) {
    whole_cycle_ran_ = true;
    return cycle();
  }
  std::vector<const float*> x;
  for (std::size_t n = whole; n < levels_.size(); ++n)
    x.push_back(std::as_const(levels_[n].x).view().data);
  auto found = std::ranges::find(recorded_, x, &RecordedCycle::x);
  if (found == recorded_.end()) {
    recorded_.emplace_back(new RecordedCycle{x, comm::Recording(finest().streams, cycle)});
    found = std::prev(recorded_.end());
  }
  (*found)->launches.submit();
}

/// From the x of the next level.
void Multigrid::ascend_to(std::size_t n, Corrections corrections) {
  auto& level = levels_[n];
  ascend(n, corrections, [&](const solver::Ascent& ascent, const solver::Exchange& exchange) {
    solver::ascend(level.space(), level.owned, ascent, exchange, level.x, level.next);
  });
  if (corrections == Corrections::as_solved && level.coarsening && n >= first_restricted())
    solver::put_back(level.space(), level.owned, level.grid, std::as_const(*level.side_part).view(),
                     level.x.view());
}

/// From the x of level `n` to that of the next one after the finest.
void Multigrid::ascend_coarse_levels(std::size_t n, Corrections corrections) {
  for (; n > 1; --n) ascend_to(n - 1, corrections);
}

/// To the finest level, from the x of the next one.
template <class Real>
void Multigrid::ascend_onto(Corrections corrections, double factor,
                            const comm::GridView<Real>& values) {
  auto& first = finest();
  if (levels_.size() > 1)
    ascend(0, corrections, [&](const solver::Ascent& ascent, const solver::Exchange& exchange) {
      solver::ascend_onto(first.space(), first.owned, ascent, exchange, first.x, first.next, factor,
                          values);
    });
  if (!first.coarsening)  // all that a level is was solved on its copy
    solver::correct(first.space(), first.owned, factor, std::as_const(first.x).view(), values);
}

/// Whether b is restricted while it is set.
bool Multigrid::restricts_at_once() const {
  const auto& first = finest();
  return first.is_separable() && first.coarsening && !first.splits_pairs;
}

template <class Real>
bool Multigrid::restricts_residuals(const solver::HeatEquation<Real>& equation) const {
  const auto& first = finest();
  return restricts_at_once() &&
         solver::restricts_residuals(equation, *first.coarsening, first.owned);
}
template bool Multigrid::restricts_residuals(const solver::HeatEquation<float>&) const;
template bool Multigrid::restricts_residuals(const solver::HeatEquation<double>&) const;

template <class Real>
solver::ProductSum Multigrid::set_b(const solver::RoundedResidual<Real>& residual,
                                    const solver::SumScale& scale) {
  auto& first = finest();
  auto& coarse = levels_[1];
  return solver::round_restrict_and_sum(first.space(), first.owned, residual, first.b.view(),
                                        coarse.b.view(), scale);
}
template solver::ProductSum Multigrid::set_b(const solver::RoundedResidual<float>&,
                                             const solver::SumScale&);
template solver::ProductSum Multigrid::set_b(const solver::RoundedResidual<double>&,
                                             const solver::SumScale&);

template <class Real>
solver::ProductSum Multigrid::set_b(const solver::Rounded<Real>& rounded,
                                    const solver::SumScale& scale) {
  auto& first = finest();
  if (restricts_at_once()) {
    auto& coarse = levels_[1];
    return solver::round_restrict_and_sum(first.space(), *first.coarsening, coarse.owned, rounded,
                                          first.b.view(), coarse.b.view(), scale);
  }
  solver::round_to(first.space(), first.owned, rounded, first.b.view());
  const auto b = std::as_const(first.b).view();
  if (!first.is_separable() || first.is_coarsest())
    return solver::sum_of_products(first.space(), first.owned, b, b, scale);
  if (first.coarsening) return restrict_and_sum(0, scale);
  auto& copy = levels_[1];
  replicate(first, first.b, copy, copy.b);
  const auto whole = restrict_and_sum(1, scale);
  return first.communicator.rank() == 0 ? whole : solver::ProductSum{};
}
template solver::ProductSum Multigrid::set_b(const solver::Rounded<float>&,
                                             const solver::SumScale&);
template solver::ProductSum Multigrid::set_b(const solver::Rounded<double>&,
                                             const solver::SumScale&);

solver::ProductSum Multigrid::restrict_and_sum(std::size_t n, const solver::SumScale& scale) {
  auto& level = levels_[n];
  auto& coarse = levels_[n + 1];
  if (level.splits_pairs) level.exchange(level.b);
  return solver::restrict_and_sum(level.space(), *level.coarsening, coarse.owned,
                                  std::as_const(level.b).view(), coarse.b.view(), scale);
}

/// b of the next level from that of this one.
void Multigrid::restrict_from(std::size_t n) {
  auto& level = levels_[n];
  auto& coarse = levels_[n + 1];
  if (!level.coarsening) return replicate(level, level.b, coarse, coarse.b);
  if (level.splits_pairs) level.exchange(level.b);
  solver::restrict_to(level.space(), *level.coarsening, coarse.owned, std::as_const(level.b).view(),
                      coarse.b.view());
}

void Multigrid::solve_coarsest() {
  auto& last = levels_[levels_.size() - 1];
  solver::first_sweep(last.space(), last.dimensions(), last.owned, last.A(), 1,
                      std::as_const(last.b).view(), last.x.view());
}

/// Calls `work` with the ascent to a level, from the x of the next one.
void Multigrid::ascend(std::size_t n, Corrections corrections, const Ascend& work) {
  auto& level = levels_[n];
  auto& coarse = levels_[n + 1];
  if (!level.coarsening) return copy_block(level, coarse.x, level.x);
  const auto exchange = level.prepare_ascent(coarse);
  const bool enlarged = corrections == Corrections::enlarged;
  work({level.grid, separable(level).view(),
        enlarged ? level.interpolation->multiplied() : level.interpolation->view(), level.weights,
        std::as_const(level.b).view(), std::as_const(coarse.x).view()},
       exchange);
}

}  // namespace halotherm::app
