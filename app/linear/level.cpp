// SPDX-License-Identifier: MIT
#include "app/linear/level.hpp"

#include <utility>

namespace halotherm::app {

namespace {

std::vector<comm::TransportKind> kinds_of(const comm::HaloPlan& plan, const KindTowards& kind) {
  std::vector<comm::TransportKind> kinds;
  for (const auto& message : plan.messages) kinds.push_back(kind(message.neighbour));
  return kinds;
}

/// With edges and corners, as joined cells may lie across several sides of a block.
comm::HaloPlan plan_of(const comm::Partition& partition, int rank) {
  return comm::make_halo_plan(partition, rank, 1, comm::GhostRegion::all);
}

void exchange_by(comm::Halo<float>& halo, const comm::Streams& streams,
                 solver::Field<float>& field) {
  const auto& plan = halo.plan();
  if (plan.messages.empty() && plan.local.empty()) return;
  streams.bulk_awaits_edge();  // copies across periodic sides are on the bulk stream
  (void)halo.start(streams, field.view()).finish();
}

}  // namespace

Level::Level(const comm::Communicator& the_communicator, const comm::Streams& the_streams,
             const solver::LevelGrid& the_grid, const comm::Partition& the_partition,
             const KindTowards& kind, bool anchored)
    : communicator(the_communicator),
      streams(the_streams),
      grid(the_grid),
      partition(the_partition),
      owned(partition.owned(communicator.rank())),
      halo(communicator, plan_of(partition, communicator.rank()),
           kinds_of(plan_of(partition, communicator.rank()), kind)),
      matrix(grid, owned, anchored),
      x(solver::zero_field(grid, owned, "x")),
      next(solver::zero_field(grid, owned, "next x")),
      b(solver::zero_field(grid, owned, "b")) {}

void Level::exchange(solver::Field<float>& field) {
  exchange_by(halo, streams, field);
}

/// Blocks at the domain's upper sides have a layer of faces more than cells.
void Level::exchange_matrix(const KindTowards& kind) {
  auto points = partition.split_points();
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    if (!grid.periodic[axis]) ++points[static_cast<std::size_t>(axis)].back();
  }
  const auto plan = plan_of(partition.between(points), communicator.rank());
  comm::Halo<float> faces(communicator, plan, kinds_of(plan, kind));
  for (auto* field : matrix.fields()) exchange_by(faces, streams, *field);
  streams.fence();  // before its buffers go
}

}  // namespace halotherm::app
