// SPDX-License-Identifier: MIT
#include "app/domain/domain.hpp"

#include "app/domain/geometry.hpp"

#include <utility>

namespace halotherm::app {

namespace {
comm::GhostRegion ghosts_of(int width) {
  return width > 1 ? comm::GhostRegion::all : comm::GhostRegion::faces;
}
}  // namespace

comm::HaloPlan halo_plan_of(const comm::Partition& partition, int rank, int width) {
  return comm::make_halo_plan(partition, rank, width, ghosts_of(width));
}

comm::HaloTotals halo_totals_of(const comm::Partition& partition, int width,
                                const std::vector<int>& nodes) {
  return comm::halo_totals(partition, width, ghosts_of(width), nodes);
}

HaloSettings halo_settings_of(const Config& config) {
  return {config.parallel.halo, config.parallel.overlap};
}

template <class Real>
Domain<Real>::Domain(const comm::Communicator& the_world, const Config& config,
                     const comm::Partition& the_partition)
    : Domain(the_world, config, the_partition, config.parallel.transport,
             halo_settings_of(config)) {}

template <class Real>
Domain<Real>::Domain(const comm::Communicator& the_world, const Config& config,
                     const comm::Partition& the_partition, TransportChoice choice,
                     const HaloSettings& the_settings)
    : Domain(the_world, make_grid(config), the_partition, the_settings,
             choose_transport(the_world, choice,
                              comm::channels_of(
                                  halo_plan_of(the_partition, the_world.rank(), the_settings.width),
                                  sizeof(Real)))) {}

template <class Real>
Domain<Real>::Domain(const comm::Communicator& the_world, const solver::Grid& the_grid,
                     const comm::Partition& the_partition, const HaloSettings& the_settings,
                     ChosenTransport the_transport)
    : world(the_world),
      grid(the_grid),
      partition(the_partition),
      settings(the_settings),
      owned(partition.owned(world.rank())),
      ghosts(grid.ghosts(settings.width)),
      transport(std::move(the_transport)),
      halo(world, halo_plan_of(partition, world.rank(), settings.width), transport.kinds),
      interior(core(1)),
      shell(comm::difference(owned, core(1))),
      exchanged_(settings.width) {}

template <class Real>
comm::Box Domain<Real>::core(int stencils) const {
  if (!settings.overlap) return {owned.lower, owned.lower};
  return comm::interior_of(owned, halo.plan(), solver::Field<Real>::cells_per_line, stencils);
}

/// The neighbours of a plan depend on its width, not so their transport: in host memory there is
/// one for all.
template <class Real>
void Domain<Real>::exchange_layers(int width) {
  if (width == exchanged_) return;
  exchanged_ = width;
  auto plan = halo_plan_of(partition, world.rank(), width);
  auto kinds = transport.kinds;
  kinds.resize(plan.messages.size(), kinds.empty() ? comm::TransportKind::staged : kinds.front());
  halo = comm::Halo<Real>(world, std::move(plan), kinds);
}

template <class Real>
std::optional<Domain<Real>> Domain<Real>::coarsened(const comm::Int3& factors) const {
  const auto coarse_grid = grid.coarsened(factors);
  const auto coarse_partition = partition.coarsened(factors, settings.width);
  if (!coarse_grid || !coarse_partition) return std::nullopt;
  return std::optional<Domain>(std::in_place, world, *coarse_grid, *coarse_partition, settings,
                               transport);
}

template struct Domain<float>;
template struct Domain<double>;

}  // namespace halotherm::app
