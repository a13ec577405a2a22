// SPDX-License-Identifier: MIT
#include "app/linear/multigrid.hpp"

#include "app/linear/replication.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "solver/linear/smoother.hpp"
#include "solver/linear/vectors.hpp"
#include "solver/multigrid/restriction.hpp"
#include "solver/multigrid/side_part.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::app {

namespace {

/// Fewer cells than this are not worth messages.
constexpr std::int64_t cells_for_one_rank = 4096;

/// Of D⁻¹A: the smallest eigenvalue of an error that coarser cells do not see is 1/3 where all axes
/// conduct alike. A larger bound gives up some of it for more of the others.
constexpr double smoothed_from = 0.4;
const auto weights = solver::chebyshev_weights<solver::SymmetricCycle::sweeps>(smoothed_from);

bool splits_pairs(const comm::Partition& partition, const comm::Int3& factors) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto& points = partition.split_points()[static_cast<std::size_t>(axis)];
    if (factors[axis] == 2 &&
        std::any_of(points.begin(), points.end() - 1, [](int point) { return point % 2 != 0; }))
      return true;
  }
  return false;
}

/// By the widths of cells too where the matrix is separable.
solver::Coarsening coarsening_of(const Level& level, const std::array<double, 3>& conductances) {
  if (const auto* separable = std::get_if<solver::SeparableMatrix>(&level.matrix))
    return solver::coarsening_of(level.grid, *separable);
  return solver::coarsening_of(level.grid, conductances);
}

/// Weights of sweeps after a correction across these axes: errors that it does not see have
/// eigenvalues of D⁻¹A from the share of the weakest joined axis on, but bounds above 1/3 gain
/// nothing. Where three cells are joined, the smallest is less, measured.
auto weights_for(const solver::Coarsening& coarsening, const std::array<double, 3>& conductances) {
  double all = 0, weakest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double one = conductances[static_cast<std::size_t>(axis)];
    all += one;
    if (coarsening.factors[axis] == 2 && (weakest == 0 || one < weakest)) weakest = one;
  }
  const auto& three = coarsening.ends_in_three;
  const double most = three[0] || three[1] || three[2] ? 0.2 : 1.0 / 3;
  return solver::chebyshev_weights<solver::Ascent::sweeps>(all > 0 ? std::min(weakest / all, most)
                                                                   : most);
}

/// Corrections of cells that are joined across three axes are some 2 % too small, across two axes
/// 1 %: measured, with fixed sides 96³ cells take 9 instead of 11 cycles for 1e-8, 512² 9 instead
/// of 10.
double overcorrection(const solver::Coarsening& coarsening) {
  const auto& factors = coarsening.factors;
  const int joined = factors[0] * factors[1] * factors[2];
  return joined == 8 ? 1.025 : joined == 4 ? 1.01 : 1.0;
}

const solver::SeparableMatrix& separable(const Level& level) {
  return std::get<solver::SeparableMatrix>(level.matrix);
}

void ascend_symmetric(const solver::SymmetricCycle& cycle, Level& level, const Level& coarse) {
  solver::ascend(level.space(), cycle, coarse.x.view(), level.x, level.next);
}

}  // namespace

Multigrid::Multigrid(const comm::Communicator& world, const comm::Streams& streams,
                     const solver::LevelGrid& grid, const comm::Partition& partition,
                     const KindTowards& kind)
    : alone_(comm::this_rank_alone()), kind_(kind) {
  levels_.push_back(std::make_unique<Level>(world, streams, grid, partition, kind));
}

void Multigrid::build() {
  finest().exchange_matrix();
  std::size_t n = 0;
  for (; !levels_[n]->is_coarsest(); ++n) {
    auto& level = *levels_[n];
    const auto conductances = level.conductances();
    const auto coarsening = coarsening_of(level, conductances);
    const auto partition =
        level.partition.coarsened(coarsening.factors, coarsening.coarse().cells, 1);
    const bool few = level.partition.global().size() <= cells_for_one_rank;
    if (level.communicator.size() > 1 && (few || !partition)) {
      add_copy(n);
    } else {
      level.weights = weights_for(coarsening, conductances);
      add_coarser(n, coarsening, *partition);
    }
  }
  levels_.resize(n + 1);
}

Level& Multigrid::next_level(std::size_t n, const comm::Communicator& communicator,
                             const solver::LevelGrid& grid, const comm::Partition& partition,
                             const KindTowards& kind) {
  const bool exists = n + 1 < levels_.size() && &levels_[n + 1]->communicator == &communicator &&
                      levels_[n + 1]->partition.split_points() == partition.split_points();
  if (!exists) {
    levels_.resize(n + 1);
    levels_.push_back(
        std::make_unique<Level>(communicator, levels_[n]->streams, grid, partition, kind));
  }
  return *levels_[n + 1];
}

void Multigrid::add_coarser(std::size_t n, const solver::Coarsening& coarsening,
                            const comm::Partition& partition) {
  auto& fine = *levels_[n];
  fine.coarsening = coarsening;
  fine.splits_pairs = splits_pairs(fine.partition, coarsening.factors);
  auto& coarse = next_level(n, fine.communicator, coarsening.coarse(), partition, kind_);
  if (const auto* matrix = std::get_if<solver::SeparableMatrix>(&fine.matrix)) {
    const auto& joined =
        coarse.matrix.emplace<solver::SeparableMatrix>(coarsened(coarsening, *matrix));
    fine.interpolation.emplace(coarsening, *matrix, joined, overcorrection(coarsening));
    if (n > 0 && !fine.side_part) fine.side_part.emplace(fine.field("side part"));
    return;
  }
  fine.interpolation.reset();
  const auto& matrix = std::get<solver::Matrix>(fine.matrix);
  solver::coarsen(fine.space(), coarsening, coarse.owned, matrix.view(),
                  coarse.faces(matrix.anchored()));
  coarse.exchange_matrix();
}

/// One block is the whole grid.
void Multigrid::add_copy(std::size_t n) {
  auto& level = *levels_[n];
  level.coarsening.reset();
  const comm::Partition whole(level.grid.cells, level.grid.periodic, {1, 1, 1});
  auto& copy =
      next_level(n, alone_, level.grid, whole, [](int) { return comm::TransportKind::staged; });
  if (level.is_separable()) {
    copy.matrix = level.matrix;
    return;
  }
  const auto& from = std::get<solver::Matrix>(level.matrix);
  auto& to = copy.faces(from.anchored());
  for (int axis = 0; axis < level.dimensions(); ++axis) {
    gather(level, from.lower(axis), copy, to.lower(axis),
           [&](const comm::Box& owned) { return level.grid.faces(owned, axis); });
  }
  if (from.anchored()) gather(level, from.anchor(), copy, to.anchor(), owned_cells);
  copy.exchange_matrix();
}

bool Multigrid::anchored() const {
  const auto& last = *levels_.back();
  if (const auto* separable = std::get_if<solver::SeparableMatrix>(&last.matrix))
    return separable->anchored();
  const auto& matrix = std::get<solver::Matrix>(last.matrix);
  std::vector<float> value(1);
  double sum = 0;
  last.streams.fence();
  const auto add = [&](const solver::Field<float>& field, const comm::Box& box) {
    solver::copy_to_host<float>(field, box, value);
    sum += static_cast<double>(value.front());
  };
  for (int axis = 0; axis < last.dimensions(); ++axis) {
    add(matrix.lower(axis), last.owned);
    auto above = last.owned;
    ++above.lower[axis];
    ++above.upper[axis];
    if (!last.grid.periodic[axis]) add(matrix.lower(axis), above);
  }
  if (matrix.anchored()) add(matrix.anchor(), last.owned);
  return sum > 0;
}

void Multigrid::symmetric_cycle(std::size_t n, const Correct& correct) {
  auto& level = *levels_[n];
  if (level.is_coarsest())
    return solver::first_sweep(level.space(), level.dimensions(), level.owned, level.A(), 1,
                               std::as_const(level.b).view(), level.x.view());
  auto& coarse = *levels_[n + 1];
  if (!level.coarsening) {  // the next level is a copy
    gather(level, level.b, coarse, coarse.b, owned_cells);
    symmetric_cycle(n + 1, ascend_symmetric);
    return take_part(coarse.x, level, level.x);
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

template <class Real>
void Multigrid::cycle_onto(double factor, const comm::GridView<Real>& values) {
  // `set_b` restricts from the finest level, or from its copy
  for (std::size_t n = finest().coarsening ? 1 : 2; n + 1 < levels_.size(); ++n) restrict_from(n);
  solve_coarsest();
  ascend_onto(Corrections::enlarged, factor, values);
}
template void Multigrid::cycle_onto(double, const comm::GridView<float>&);
template void Multigrid::cycle_onto(double, const comm::GridView<double>&);

template <class Real>
void Multigrid::first_cycle_onto(double factor, const comm::GridView<Real>& values) {
  for (std::size_t n = 0; n + 1 < levels_.size(); ++n) {
    auto& level = *levels_[n];
    if (level.coarsening) {
      const solver::SidePart part(level.grid, separable(level).view(), *level.interpolation);
      level.exchange(level.b);
      if (n == 0) {
        solver::take_out_onto(level.space(), level.owned, part, level.b, level.next, factor,
                              values);
      } else {
        solver::take_out(level.space(), level.owned, part, level.b, level.next,
                         level.side_part->view());
      }
    }
    restrict_from(n);
  }
  solve_coarsest();
  ascend_onto(Corrections::as_solved, factor, values);
}
template void Multigrid::first_cycle_onto(double, const comm::GridView<float>&);
template void Multigrid::first_cycle_onto(double, const comm::GridView<double>&);

/// From the x of the coarsest level.
template <class Real>
void Multigrid::ascend_onto(Corrections corrections, double factor,
                            const comm::GridView<Real>& values) {
  for (std::size_t n = levels_.size() - 1; n > 0; --n) {
    auto& level = *levels_[n - 1];
    ascend(n - 1, corrections, [&](const solver::Ascent& ascent, const solver::Exchange& exchange) {
      if (n > 1)
        return solver::ascend(level.space(), level.owned, ascent, exchange, level.x, level.next);
      solver::ascend_onto(level.space(), level.owned, ascent, exchange, level.x, level.next, factor,
                          values);
    });
    if (corrections == Corrections::as_solved && n > 1 && level.coarsening)
      solver::put_back(level.space(), level.owned, level.grid,
                       std::as_const(*level.side_part).view(), level.x.view());
  }
  auto& first = finest();
  if (!first.coarsening)  // all that a level is was solved on its copy
    solver::correct(first.space(), first.owned, factor, std::as_const(first.x).view(), values);
}

template <class Real>
solver::ProductSum Multigrid::set_b(const solver::Rounded<Real>& rounded,
                                    const solver::SumScale& scale) {
  auto& first = finest();
  const bool restricts = first.is_separable() && !first.is_coarsest();
  if (restricts && first.coarsening && !first.splits_pairs) {
    auto& coarse = *levels_[1];
    return solver::round_restrict_and_sum(first.space(), *first.coarsening, coarse.owned, rounded,
                                          first.b.view(), coarse.b.view(), scale);
  }
  solver::round_to(first.space(), first.owned, rounded, first.b.view());
  const auto b = std::as_const(first.b).view();
  if (!restricts) return solver::sum_of_products(first.space(), first.owned, b, b, scale);
  if (first.coarsening) return restrict_and_sum(0, scale);
  auto& copy = *levels_[1];
  gather(first, first.b, copy, copy.b, owned_cells);
  const auto whole = restrict_and_sum(1, scale);
  return first.communicator.rank() == 0 ? whole : solver::ProductSum{};
}
template solver::ProductSum Multigrid::set_b(const solver::Rounded<float>&,
                                             const solver::SumScale&);
template solver::ProductSum Multigrid::set_b(const solver::Rounded<double>&,
                                             const solver::SumScale&);

solver::ProductSum Multigrid::restrict_and_sum(std::size_t n, const solver::SumScale& scale) {
  auto& level = *levels_[n];
  auto& coarse = *levels_[n + 1];
  if (level.splits_pairs) level.exchange(level.b);
  return solver::restrict_and_sum(level.space(), *level.coarsening, coarse.owned,
                                  std::as_const(level.b).view(), coarse.b.view(), scale);
}

/// b of the next level from that of this one.
void Multigrid::restrict_from(std::size_t n) {
  auto& level = *levels_[n];
  auto& coarse = *levels_[n + 1];
  if (!level.coarsening) return gather(level, level.b, coarse, coarse.b, owned_cells);
  if (level.splits_pairs) level.exchange(level.b);
  solver::restrict_to(level.space(), *level.coarsening, coarse.owned, std::as_const(level.b).view(),
                      coarse.b.view());
}

void Multigrid::solve_coarsest() {
  auto& last = *levels_.back();
  solver::first_sweep(last.space(), last.dimensions(), last.owned, last.A(), 1,
                      std::as_const(last.b).view(), last.x.view());
}

/// Calls `work` with the ascent to a level, from the x of the next one.
void Multigrid::ascend(std::size_t n, Corrections corrections, const Ascend& work) {
  auto& level = *levels_[n];
  auto& coarse = *levels_[n + 1];
  if (!level.coarsening) return take_part(coarse.x, level, level.x);
  const auto exchange = level.prepare_ascent(coarse);
  const bool enlarged = corrections == Corrections::enlarged;
  work({level.grid, separable(level).view(),
        enlarged ? level.interpolation->multiplied() : level.interpolation->view(), level.weights,
        std::as_const(level.b).view(), std::as_const(coarse.x).view()},
       exchange);
}

}  // namespace halotherm::app
