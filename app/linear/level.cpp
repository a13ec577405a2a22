// SPDX-License-Identifier: MIT
#include "app/linear/level.hpp"

#include "app/linear/products.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace halotherm::app {

namespace {

/// With edges and corners, as joined cells may lie across several sides of a block.
comm::Halo<float> halo_of(const Level& level, const comm::Partition& partition, int width) {
  const auto plan =
      comm::make_halo_plan(partition, level.communicator.rank(), width, comm::GhostRegion::all);
  std::vector<comm::TransportKind> kinds;
  for (const auto& message : plan.messages) kinds.push_back(level.kind(message.neighbour));
  return {level.communicator, plan, kinds};
}

std::array<std::vector<double>, 3> equal_widths(const solver::LevelGrid& grid) {
  std::array<std::vector<double>, 3> widths;
  for (int axis = 0; axis < 3; ++axis)
    widths[static_cast<std::size_t>(axis)].assign(static_cast<std::size_t>(grid.cells[axis]), 1.0);
  return widths;
}

int layers_for(const comm::Partition& partition) {
  int layers = std::max(solver::SymmetricCycle::layers, solver::Ascent::sweeps);
  while (layers > 1 && !partition.coarsened({1, 1, 1}, layers)) --layers;
  return layers;
}

}  // namespace

void exchange_by(comm::Halo<float>& halo, const comm::Streams& streams,
                 solver::Field<float>& field) {
  const auto& plan = halo.plan();
  if (plan.messages.empty() && plan.local.empty()) return;
  streams.bulk_awaits_edge();  // copies across periodic sides are on the bulk stream
  (void)halo.start(streams, field.view()).finish();
}

Level::Level(const comm::Communicator& the_communicator, const comm::Streams& the_streams,
             const solver::LevelGrid& the_grid, const comm::Partition& the_partition,
             KindTowards the_kind)
    : communicator(the_communicator),
      streams(the_streams),
      grid(the_grid),
      partition(the_partition),
      owned(partition.owned(communicator.rank())),
      kind(std::move(the_kind)),
      layers(layers_for(partition)),
      halo(halo_of(*this, partition, 1)),
      matrix(solver::SeparableMatrix(grid, {}, 0)),
      widths(equal_widths(grid)),
      x(field("x")),
      next(field("next x")),
      b(field("b")) {}

solver::Field<float> Level::field(const std::string& label) const {
  return solver::zero_field(grid, owned, label, layers);
}

void Level::exchange(solver::Field<float>& field) {
  exchange_by(halo, streams, field);
}

void Level::exchange(solver::Field<float>& field, int width) {
  if (width == 1) return exchange(field);
  auto& wide = wide_halos_[width];
  if (!wide) wide.emplace(halo_of(*this, partition, width));
  exchange_by(*wide, streams, field);
}

const solver::Transfer& Level::transfer_to(Level& coarse) {
  if (transfer && transfer_is_set_) return *transfer;
  if (!transfer || !transfer->takes(*coarsening))
    transfer.emplace(*coarsening, coarse.owned, coarse.layers);
  transfer_is_set_ = true;
  const auto exchange_coarse = [&](solver::Field<float>& field) {
    coarse.exchange(field, std::min(coarse.layers, 2));
  };
  solver::set_shares(space(), coarse.owned, A(), coarse.next, exchange_coarse, *transfer);
  return *transfer;
}

solver::SymmetricCycle Level::prepare_descent(Level& coarse, const Weights& the_weights) {
  solver::SymmetricCycle cycle{transfer_to(coarse).view(),
                               A(),
                               the_weights,
                               std::as_const(b).view(),
                               owned,
                               coarse.owned,
                               {}};
  constexpr int needed = solver::SymmetricCycle::layers;
  if (comm::kernels_run_on_host && grid.dimensions == 3 && !splits_pairs && layers >= needed &&
      coarse.layers >= 3) {  // rows of joined cells at an end are read as a whole
    exchange(b, needed);
  } else {
    cycle.exchange = [this](solver::Field<float>& field) { exchange(field, layers_at_ends()); };
  }
  return cycle;
}

void Level::prepare_correction(const solver::SymmetricCycle& cycle, Level& coarse) {
  if (cycle.exchange) return coarse.exchange(coarse.x);
  coarse.exchange(coarse.x, 2);
  exchange(x, solver::SymmetricCycle::sweeps);
}

solver::Exchange Level::prepare_ascent(Level& coarse) {
  constexpr int needed = solver::Ascent::sweeps;
  if (layers < needed || coarse.layers < needed) {
    coarse.exchange(coarse.x);
    return [this](solver::Field<float>& field) { exchange(field); };
  }
  coarse.exchange(coarse.x, needed);
  exchange(b, needed);
  return {};
}

solver::Matrix& Level::faces(bool anchored) {
  const auto* present = std::get_if<solver::Matrix>(&matrix);
  if (present == nullptr || present->anchored() != anchored)
    matrix.emplace<solver::Matrix>(grid, owned, anchored, layers);
  return std::get<solver::Matrix>(matrix);
}

/// Blocks at the domain's upper sides have a layer of faces more than cells.
void Level::exchange_matrix() {
  auto* coefficients = std::get_if<solver::Matrix>(&matrix);
  if (coefficients == nullptr) return;
  auto points = partition.split_points();
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    if (!grid.periodic[axis]) ++points[static_cast<std::size_t>(axis)].back();
  }
  auto faces = halo_of(*this, partition.between(points), layers);
  for (auto* field : coefficients->fields()) exchange_by(faces, streams, *field);
  streams.fence();  // before its buffers go
}

std::array<solver::AxisStrength, 3> Level::strengths() const {
  const auto& faces = std::get<solver::Matrix>(matrix);
  std::array<solver::AxisStrength, 3> strengths;
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    double shape = 0;  // what all faces conduct, in the unit of the average
    for (std::size_t n = 1; n < widths[at].size(); ++n)
      shape += 2 / (widths[at][n - 1] + widths[at][n]);
    for (const std::size_t across : {(at + 1) % 3, (at + 2) % 3})
      shape *= std::accumulate(widths[across].begin(), widths[across].end(), 0.0);
    strengths[at].widths = widths[at];
    if (axis >= dimensions() || !(shape > 0)) continue;
    const double sum = Products().sum(communicator, space(), owned, faces.lower(axis).view(), {});
    strengths[at].conductivity = sum / shape;
  }
  return strengths;
}

}  // namespace halotherm::app
