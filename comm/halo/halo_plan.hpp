// SPDX-License-Identifier: MIT
// The messages of an exchange and their cells: pure data, computed without communication.
#pragma once

#include "comm/partition/partition.hpp"

#include <vector>

namespace halotherm::comm {

/// The ghost cells that an exchange fills: those beyond faces, for a 7-point stencil, or also those
/// beyond edges and corners, for wider stencils.
enum class GhostRegion { faces, all };

/// The directions of an exchange, in the order of a plan's messages.
std::vector<Int3> halo_directions(GhostRegion region);

/// One direction of a rank's exchange. Both boxes have this rank's global indices and the same
/// size. `receive` is filled from the neighbour's `send` of the opposite direction, x fastest.
struct HaloMessage {
  int neighbour = 0;
  Int3 direction{};  ///< -1, 0 or 1 per axis, from this rank
  Box send;          ///< owned cells
  Box receive;       ///< ghost cells
  int send_tag = 0;  ///< differs between the messages of two ranks that are neighbours repeatedly
  int receive_tag = 0;
};

struct HaloPlan {
  int width = 1;
  std::vector<HaloMessage> messages;  ///< between this rank and others
  std::vector<HaloMessage> local;     ///< across a periodic side to this rank itself: copied

  std::int64_t sent_cells() const;
  /// The cells sent to other nodes. `nodes`: each rank's node (Communicator::nodes);
  /// `node`: this rank's.
  std::int64_t sent_cells_off(int node, const std::vector<int>& nodes) const;
};

/// Throws Error (usage) if the values of so many fields in the cells of a message are too many for
/// the int in which MPI and kernels count them.
void require_countable(const HaloMessage& message, int fields = 1);

/// The plan of `rank` for ghost cells of the given width. Axes along which the grid has one cell
/// and is not periodic have no ghost cells. All blocks must be at least `width` cells wide along
/// axes with neighbours (see make_partition). Throws Error (usage) if a message would have 2^31
/// cells or more.
HaloPlan make_halo_plan(const Partition& partition, int rank, int width, GhostRegion region);

/// The cells whose stencil of so many cells to each side reads no exchanged ghost cell: the block
/// without that many layers at the sides with messages. Along x a layer has up to `layer_x` cells
/// more, so that rows can be divided at cache lines. Empty if the block is too thin.
Box interior_of(const Box& owned, const HaloPlan& plan, int layer_x = 1, int radius = 1);

}  // namespace halotherm::comm
