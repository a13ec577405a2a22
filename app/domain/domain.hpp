// SPDX-License-Identifier: MIT
// Where a field lives on this rank: grid, partition, block, halo exchange, interior and shell.
#pragma once

#include "app/domain/transport_choice.hpp"
#include "comm/halo/halo_exchange.hpp"
#include "solver/field/field.hpp"
#include "solver/field/grid.hpp"

#include <optional>

namespace halotherm::app {

/// How ghost cells are kept.
struct HaloSettings {
  int width = 1;        ///< ghost layers of fields, on the axes that the grid has
  bool overlap = true;  ///< compute the interior while ghost cells travel
};

/// The exchange of a rank; with edges and corners if it is wider than the stencil needs.
comm::HaloPlan halo_plan_of(const comm::Partition& partition, int rank, int width);

/// Instantiated for float and double.
template <class Real>
struct Domain {
  /// Collective. The configuration's grid in these blocks; chooses and binds the transport.
  /// `world` must outlive it. Throws CollectiveError (usage) if no transport works.
  Domain(const comm::Communicator& world, const Config& config, const comm::Partition& partition);
  /// The same with a transport that may differ from the configuration's.
  Domain(const comm::Communicator& world, const Config& config, const comm::Partition& partition,
         TransportChoice transport);
  /// Collective over neighbours. A domain from its parts.
  Domain(const comm::Communicator& world, const solver::Grid& grid,
         const comm::Partition& partition, const HaloSettings& settings, ChosenTransport transport);

  /// Collective over neighbours. A domain with cells `factors` times as large along each axis, in
  /// blocks that cover about those of this one, with the same transports. Nothing, on all ranks, if
  /// a factor does not divide the number of cells, or if a block would be thinner than the halo.
  std::optional<Domain> coarsened(const comm::Int3& factors) const;

  /// A new field, all of whose cells are NaN.
  solver::Field<Real> field(const std::string& name) const { return {name, owned, ghosts}; }

  const comm::Communicator& world;
  const solver::Grid grid;
  const comm::Partition partition;
  const HaloSettings settings;
  const comm::Box owned;    ///< this rank's block
  const comm::Int3 ghosts;  ///< of fields, along each axis
  const ChosenTransport transport;
  comm::Halo<Real> halo;
  const comm::Region interior;  ///< cells whose stencil reads no exchanged ghost cell
  const comm::Region shell;     ///< the others

 private:
  /// The cells of the interior: none without overlap.
  comm::Box core() const;
};

}  // namespace halotherm::app
