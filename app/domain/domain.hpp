// SPDX-License-Identifier: MIT
// Where a field lives on this rank: grid, partition, block, halo exchange, interior and shell.
#pragma once

#include "app/domain/transport_choice.hpp"
#include "comm/halo/halo_exchange.hpp"
#include "comm/halo/halo_totals.hpp"
#include "solver/field/field.hpp"
#include "solver/field/grid.hpp"

#include <optional>
#include <vector>

namespace halotherm::app {

/// How ghost cells are kept.
struct HaloSettings {
  int width = 1;        ///< ghost layers of fields, on the axes that the grid has
  bool overlap = true;  ///< compute the interior while ghost cells travel
};
HaloSettings halo_settings_of(const Config& config);

/// The exchange of a rank; with edges and corners if it is wider than the stencil needs.
comm::HaloPlan halo_plan_of(const comm::Partition& partition, int rank, int width);
/// The exchanges of all ranks together; `nodes` as Communicator::nodes gives them.
comm::HaloTotals halo_totals_of(const comm::Partition& partition, int width,
                                const std::vector<int>& nodes);

/// Instantiated for float and double.
template <class Real>
struct Domain {
  /// Collective. The configuration's grid in these blocks; chooses and binds the transport.
  /// `world` must outlive it. Throws CollectiveError (usage) if no transport works.
  Domain(const comm::Communicator& world, const Config& config, const comm::Partition& partition);
  /// The same with a transport and ghost cells that may differ from the configuration's.
  Domain(const comm::Communicator& world, const Config& config, const comm::Partition& partition,
         TransportChoice transport, const HaloSettings& settings);
  /// Collective over neighbours. A domain from its parts.
  Domain(const comm::Communicator& world, const solver::Grid& grid,
         const comm::Partition& partition, const HaloSettings& settings, ChosenTransport transport);

  /// Collective over neighbours. A domain with cells `factors` times as large along each axis, in
  /// blocks that cover about those of this one, with the same transports. Nothing, on all ranks, if
  /// a factor does not divide the number of cells, or if a block would be thinner than the halo.
  std::optional<Domain> coarsened(const comm::Int3& factors) const;

  /// Collective over neighbours, where kernels run on the host. From here on exchanges fill so many
  /// layers of ghost cells, at most `settings.width`.
  void exchange_layers(int width);

  /// The cells that depend on no exchanged ghost cell through so many stencils after each other;
  /// none without overlap.
  comm::Box core(int stencils) const;

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
  int exchanged_;  ///< layers of ghost cells that exchanges fill
};

}  // namespace halotherm::app
