// SPDX-License-Identifier: MIT
#include "app/linear/levels.hpp"

#include "app/linear/replication.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "solver/cycle/coarse_faces.hpp"
#include "solver/linear/smoother.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::app {

namespace {

/// So few cells are not worth messages: on GPUs an exchange takes as long as the sweeps of a level
/// of 64³ cells. The copies of coefficients, where matrices are stored, are summed up through
/// hosts.
std::int64_t cells_for_one_rank(const Level& level) {
  constexpr std::int64_t usual = 4096, on_gpus = 262144;
  return !comm::kernels_run_on_host && level.is_separable() && sends_to_all(level.communicator)
             ? on_gpus
             : usual;
}

solver::Joining joining_of(const Level& level) {
  if (const auto* separable = std::get_if<solver::SeparableMatrix>(&level.matrix))
    return solver::joining_of(level.grid, *separable);
  return solver::joining_of(level.grid, level.strengths());
}

/// Whether a block ends below this cell and between two that are joined.
bool splits(const solver::Coarsening& coarsening, int axis, int point) {
  return point > 0 && point < coarsening.fine.cells[axis] &&
         coarsening.parent(axis, point - 1) == coarsening.parent(axis, point);
}

bool splits_pairs(const comm::Partition& partition, const solver::Coarsening& coarsening) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const int point : partition.split_points()[static_cast<std::size_t>(axis)]) {
      if (splits(coarsening, axis, point)) return true;
    }
  }
  return false;
}

/// Blocks of coarse cells: joined cells belong to the block of the first one. Nothing if a block
/// has none.
std::optional<comm::Partition> coarse_partition(const comm::Partition& partition,
                                                const solver::Coarsening& coarsening) {
  auto points = partition.split_points();
  for (int axis = 0; axis < 3; ++axis) {
    auto& along = points[static_cast<std::size_t>(axis)];
    for (auto& point : along) point = point == 0 ? 0 : coarsening.parent(axis, point - 1) + 1;
    if (std::ranges::adjacent_find(along) != along.end()) return std::nullopt;
  }
  return partition.between(points);
}

/// Weights of sweeps after a correction: errors that it does not see have eigenvalues of D⁻¹A from
/// the share of the weakest joined face on, but bounds above 1/3 gain nothing, and none below 0.2.
/// Where three cells are joined, the smallest is less, measured.
auto weights_for(const solver::Joining& joining) {
  constexpr double least = 0.2, most = 1.0 / 3;
  const auto& three = joining.coarsening.ends_in_three;
  const bool some_three = three[0] || three[1] || three[2];
  return solver::chebyshev_weights<solver::Ascent::sweeps>(
      some_three ? least : std::clamp(joining.share, least, most));
}

/// Corrections of cells that are joined across three axes are some 2 % too small, across two axes
/// 1 %: measured, with fixed sides 96³ cells take 9 instead of 11 cycles for 1e-8, 512² 9 instead
/// of 10.
double overcorrection(const solver::Coarsening& coarsening) {
  const auto& factors = coarsening.factors;
  const int joined = factors[0] * factors[1] * factors[2];
  return joined == 8 ? 1.025 : joined == 4 ? 1.01 : 1.0;
}

}  // namespace

Levels::Levels(const comm::Communicator& world, const comm::Streams& streams,
               const solver::LevelGrid& grid, const comm::Partition& partition,
               const KindTowards& kind)
    : alone_(comm::this_rank_alone()), kind_(kind) {
  levels_.push_back(std::make_unique<Level>(world, streams, grid, partition, kind));
}

void Levels::build() {
  levels_.front()->exchange_matrix();
  std::size_t n = 0;
  for (; !levels_[n]->is_coarsest(); ++n) {
    auto& level = *levels_[n];
    const auto joining = joining_of(level);
    const auto partition = coarse_partition(level.partition, joining.coarsening);
    level.forget_transfer();
    const bool few = level.partition.global().size() <= cells_for_one_rank(level);
    // what joined cells at the end of a block pass on reaches two layers
    const bool thin = level.layers < 2 && splits_pairs(level.partition, joining.coarsening);
    if (level.communicator.size() > 1 && (few || thin || !partition)) {
      add_copy(n);
    } else {
      level.weights = weights_for(joining);
      add_coarser(n, joining.coarsening, *partition);
    }
  }
  levels_.resize(n + 1);
}

Level& Levels::next_level(std::size_t n, const comm::Communicator& communicator,
                          const solver::LevelGrid& grid, const comm::Partition& partition,
                          const KindTowards& kind) {
  const bool exists = n + 1 < levels_.size() && &levels_[n + 1]->communicator == &communicator &&
                      levels_[n + 1]->partition.split_points() == partition.split_points();
  if (!exists) {
    levels_.resize(n + 1);
    levels_[n]->transfer.reset();
    levels_.push_back(
        std::make_unique<Level>(communicator, levels_[n]->streams, grid, partition, kind));
  }
  return *levels_[n + 1];
}

void Levels::add_coarser(std::size_t n, const solver::Coarsening& coarsening,
                         const comm::Partition& partition) {
  auto& fine = *levels_[n];
  fine.coarsening = coarsening;
  fine.splits_pairs = splits_pairs(fine.partition, coarsening);
  auto& coarse = next_level(n, fine.communicator, coarsening.coarse(), partition, kind_);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    coarse.widths[axis] =
        solver::joined_widths(coarsening, static_cast<int>(axis), fine.widths[axis]);
  }
  if (const auto* matrix = std::get_if<solver::SeparableMatrix>(&fine.matrix)) {
    const auto& joined =
        coarse.matrix.emplace<solver::SeparableMatrix>(coarsened(coarsening, *matrix));
    fine.interpolation.emplace(coarsening, *matrix, joined, overcorrection(coarsening));
    if (n > 0 && !fine.side_part) fine.side_part.emplace(fine.field("side part"));
    return;
  }
  fine.interpolation.reset();
  const auto& matrix = std::get<solver::Matrix>(fine.matrix);
  solver::coarsen(fine.space(), fine.transfer_to(coarse).view(), coarse.owned, matrix.view(),
                  coarse.faces(matrix.anchored()));
  coarse.exchange_matrix();
}

/// One block is the whole grid.
void Levels::add_copy(std::size_t n) {
  auto& level = *levels_[n];
  level.coarsening.reset();
  const comm::Partition whole(level.grid.cells, level.grid.periodic, {1, 1, 1});
  auto& copy =
      next_level(n, alone_, level.grid, whole, [](int) { return comm::TransportKind::staged; });
  copy.widths = level.widths;
  if (!level.to_all && sends_to_all(level.communicator))
    level.to_all.emplace(exchange_with_all(level));
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

bool Levels::anchored() const {
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

}  // namespace halotherm::app
