// SPDX-License-Identifier: MIT
#include "app/linear/multigrid.hpp"

#include "app/linear/products.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "solver/linear/smoother.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace halotherm::app {

namespace {

/// Fewer cells than this are not worth messages.
constexpr std::int64_t cells_for_one_rank = 4096;

/// Of D⁻¹A: the smallest eigenvalue of an error that coarser cells do not see is 1/3 where all axes
/// conduct alike. A larger bound gives up some of it for more of the others.
constexpr double smoothed_from = 0.4;
const auto weights = solver::chebyshev_weights<2>(smoothed_from);

std::array<double, 3> conductances(Level& level) {
  std::array<double, 3> sums{};
  for (int axis = 0; axis < level.dimensions(); ++axis) {
    sums[static_cast<std::size_t>(axis)] =
        Products().sum(level.communicator, level.space(), level.owned,
                       std::as_const(level.matrix.lower(axis)).view(), {});
  }
  return sums;
}

bool splits_pairs(const comm::Partition& partition, const comm::Int3& factors) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto& points = partition.split_points()[static_cast<std::size_t>(axis)];
    if (factors[axis] == 2 &&
        std::any_of(points.begin(), points.end() - 1, [](int point) { return point % 2 != 0; }))
      return true;
  }
  return false;
}

/// The cells of a box in the order of a larger one's memory.
template <class Work>
void for_places(const comm::Box& whole, const comm::Box& part, const Work& work) {
  std::size_t n = 0;
  for (int k = part.lower[2]; k < part.upper[2]; ++k) {
    for (int j = part.lower[1]; j < part.upper[1]; ++j) {
      const std::int64_t row =
          std::int64_t{k - whole.lower[2]} * whole.extent(1) + (j - whole.lower[1]);
      for (int i = part.lower[0]; i < part.upper[0]; ++i)
        work(static_cast<std::size_t>(row * whole.extent(0) + (i - whole.lower[0])), n++);
    }
  }
}

}  // namespace

Multigrid::Multigrid(const comm::Communicator& world, const comm::Streams& streams,
                     const solver::LevelGrid& grid, const comm::Partition& partition,
                     const KindTowards& kind, bool anchored)
    : alone_(comm::this_rank_alone()), kind_(kind) {
  levels_.push_back(std::make_unique<Level>(world, streams, grid, partition, kind, anchored));
}

void Multigrid::build() {
  levels_.resize(1);
  finest().exchange_matrix(kind_);
  while (!levels_.back()->is_coarsest()) {
    auto& level = *levels_.back();
    const auto coarsening = solver::coarsening_of(level.grid, conductances(level));
    const auto partition = level.partition.coarsened(coarsening.factors, 1);
    const bool few = level.partition.global().size() <= cells_for_one_rank;
    if (level.communicator.size() > 1 && (few || !partition)) {
      add_copy();
    } else {
      add_coarser(coarsening, *partition);
    }
  }
}

void Multigrid::add_coarser(const solver::Coarsening& coarsening,
                            const comm::Partition& partition) {
  auto& fine = *levels_.back();
  fine.coarsening = coarsening;
  fine.splits_pairs = splits_pairs(fine.partition, coarsening.factors);
  levels_.push_back(std::make_unique<Level>(fine.communicator, fine.streams, coarsening.coarse(),
                                            partition, kind_, fine.matrix.anchored()));
  auto& coarse = *levels_.back();
  solver::coarsen(fine.space(), coarsening, coarse.owned, fine.matrix.view(), coarse.matrix);
  coarse.exchange_matrix(kind_);
}

/// One block is the whole grid.
void Multigrid::add_copy() {
  auto& level = *levels_.back();
  const auto& cells = level.grid.cells;
  const comm::Partition whole(cells, level.grid.periodic, {1, 1, 1});
  levels_.push_back(std::make_unique<Level>(
      alone_, level.streams, level.grid, whole, [](int) { return comm::TransportKind::staged; },
      level.matrix.anchored()));
  auto& copy = *levels_.back();
  for (int axis = 0; axis < level.dimensions(); ++axis) {
    gather(level, level.matrix.lower(axis), copy, copy.matrix.lower(axis),
           [&](const comm::Box& owned) { return level.grid.faces(owned, axis); });
  }
  const auto same = [](const comm::Box& owned) { return owned; };
  if (level.matrix.anchored())
    gather(level, level.matrix.anchor(), copy, copy.matrix.anchor(), same);
  copy.exchange_matrix(kind_);
}

/// Each rank adds the bits of its values to zeros.
void Multigrid::gather(const Level& from, const solver::Field<float>& values, Level& to,
                       solver::Field<float>& copy,
                       const std::function<comm::Box(const comm::Box&)>& part) {
  const auto mine = part(from.owned), whole = part(to.owned);
  std::vector<float> host(static_cast<std::size_t>(mine.size()));
  from.streams.fence();
  solver::copy_to_host<float>(values, mine, host);
  std::vector<std::int64_t> bits(static_cast<std::size_t>(whole.size()), 0);
  for_places(whole, mine, [&](std::size_t place, std::size_t n) {
    bits[place] = std::bit_cast<std::uint32_t>(host[n]);
  });
  from.communicator.sum(std::span(bits));
  std::vector<float> all(bits.size());
  std::ranges::transform(bits, all.begin(), [](std::int64_t value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value));
  });
  solver::copy_from_host<float>(all, whole, copy);
}

bool Multigrid::anchored() const {
  const auto& last = *levels_.back();
  std::vector<float> value(1);
  double sum = 0;
  last.streams.fence();
  const auto add = [&](const solver::Field<float>& field, const comm::Box& box) {
    solver::copy_to_host<float>(field, box, value);
    sum += static_cast<double>(value.front());
  };
  for (int axis = 0; axis < last.dimensions(); ++axis) {
    add(last.matrix.lower(axis), last.owned);
    auto above = last.owned;
    ++above.lower[axis];
    ++above.upper[axis];
    if (!last.grid.periodic[axis]) add(last.matrix.lower(axis), above);
  }
  if (last.matrix.anchored()) add(last.matrix.anchor(), last.owned);
  return sum > 0;
}

void Multigrid::smooth(Level& level, float weight) {
  level.exchange(level.x);
  solver::sweep(level.space(), level.dimensions(), level.owned, level.matrix.view(), weight,
                std::as_const(level.b).view(), std::as_const(level.x).view(), level.next.view());
  swap(level.x, level.next);
}

void Multigrid::cycle(std::size_t n) {
  auto& level = *levels_[n];
  const auto& space = level.space();
  const auto A = level.matrix.view();
  const auto b = std::as_const(level.b).view();
  if (level.is_coarsest())
    return solver::first_sweep(space, level.dimensions(), level.owned, A, 1, b, level.x.view());
  auto& coarse = *levels_[n + 1];
  if (!level.coarsening) {  // the next level is a copy
    gather(level, level.b, coarse, coarse.b, [](const comm::Box& owned) { return owned; });
    cycle(n + 1);
    return solver::restrict_to(space, {level.grid}, level.owned, std::as_const(coarse.x).view(),
                               level.x.view());
  }
  solver::first_sweep(space, level.dimensions(), level.owned, A, weights[0], b, level.x.view());
  smooth(level, weights[1]);

  level.exchange(level.x);
  // CPUs compute residuals several at once, but not the sums of neighbours
  if (level.splits_pairs || comm::kernels_run_on_host) {
    solver::residual(space, level.dimensions(), level.owned, A, b, std::as_const(level.x).view(),
                     level.next.view());
    if (level.splits_pairs) level.exchange(level.next);
    solver::restrict_to(space, *level.coarsening, coarse.owned, std::as_const(level.next).view(),
                        coarse.b.view());
  } else {
    solver::restrict_residual(space, *level.coarsening, coarse.owned, A, b,
                              std::as_const(level.x).view(), coarse.b.view());
  }
  cycle(n + 1);
  if (level.splits_pairs) coarse.exchange(coarse.x);
  solver::add_correction(space, *level.coarsening, level.owned, A, std::as_const(coarse.x).view(),
                         level.x.view());

  smooth(level, weights[1]);
  smooth(level, weights[0]);
}

}  // namespace halotherm::app
