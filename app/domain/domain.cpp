// SPDX-License-Identifier: MIT
#include "app/domain/domain.hpp"

#include "app/domain/geometry.hpp"

#include <utility>

namespace halotherm::app {

comm::HaloPlan halo_plan_of(const comm::Partition& partition, int rank, int width) {
  const auto region = width > 1 ? comm::GhostRegion::all : comm::GhostRegion::faces;
  return comm::make_halo_plan(partition, rank, width, region);
}

template <class Real>
Domain<Real>::Domain(const comm::Communicator& the_world, const Config& config,
                     const comm::Partition& the_partition)
    : Domain(the_world, config, the_partition, config.parallel.transport) {}

template <class Real>
Domain<Real>::Domain(const comm::Communicator& the_world, const Config& config,
                     const comm::Partition& the_partition, TransportChoice choice)
    : Domain(the_world, make_grid(config), the_partition,
             {config.parallel.halo, config.parallel.overlap},
             choose_transport(the_world, choice,
                              comm::channels_of(halo_plan_of(the_partition, the_world.rank(),
                                                             config.parallel.halo),
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
      interior(core()),
      shell(comm::difference(owned, core())) {}

template <class Real>
comm::Box Domain<Real>::core() const {
  if (!settings.overlap) return {owned.lower, owned.lower};
  return comm::interior_of(owned, halo.plan(), solver::Field<Real>::cells_per_line);
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
