// SPDX-License-Identifier: MIT
// Which cells go where in an exchange: pure data, known without communication.
#pragma once

#include "comm/partition/partition.hpp"

#include <vector>

namespace halotherm::comm {

/// Which ghost cells an exchange fills: a 7-point stencil needs those beyond faces; wider ones also
/// those beyond edges and corners.
enum class GhostRegion { faces, all };

/// One direction of one rank's exchange. Both boxes are in this rank's global indices and of equal
/// size; what arrives in `receive` is the neighbour's `send` of the opposite direction, in the
/// order x fastest.
struct HaloMessage {
  int neighbour = 0;
  Int3 direction{};  ///< -1, 0 or 1 an axis, as seen from this rank
  Box send;          ///< own cells
  Box receive;       ///< ghost cells
  int send_tag = 0;  ///< tells the directions apart where two ranks are neighbours in several
  int receive_tag = 0;
};

struct HaloPlan {
  int width = 1;
  std::vector<HaloMessage> messages;  ///< to and from other ranks
  std::vector<HaloMessage> local;  ///< across a periodic side back to this rank: copied, not sent

  std::int64_t sent_cells() const;
  /// Of them, those to ranks on other nodes, where each rank's node is given
  /// (comm/partition/rank_mapping.hpp) and `node` is this rank's.
  std::int64_t sent_cells_off(int node, const std::vector<int>& nodes) const;
};

/// The plan of `rank` for ghost cells of the given width. Axes along which the whole grid has a
/// single cell and is not periodic have no ghosts. Every block must be at least `width` wide along
/// axes with neighbours (see make_partition). Throws Error (usage) where a message would have 2^31
/// cells or more.
HaloPlan make_halo_plan(const Partition& partition, int rank, int width, GhostRegion region);

/// Cells whose stencil of radius 1 reads no ghost cell that comes from another rank: all but one
/// layer at the sides with messages, across x `layer_x` cells thick, since rows are best divided
/// where memory's lines are. Empty if the block is too thin.
Box interior_of(const Box& owned, const HaloPlan& plan, int layer_x = 1);

}  // namespace halotherm::comm
