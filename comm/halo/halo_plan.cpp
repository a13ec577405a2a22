// SPDX-License-Identifier: MIT
#include "comm/halo/halo_plan.hpp"

#include "comm/mpi/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace halotherm::comm {

namespace {

/// 0 to 26; a direction and its opposite have different tags.
int tag_of(const Int3& direction) {
  return (direction[0] + 1) + 3 * (direction[1] + 1) + 9 * (direction[2] + 1);
}

Int3 opposite(const Int3& direction) {
  return {-direction[0], -direction[1], -direction[2]};
}

/// The owned cells next to that side.
Box send_box(Box box, const Int3& direction, int width) {
  for (int axis = 0; axis < 3; ++axis) {
    if (direction[axis] < 0) box.upper[axis] = box.lower[axis] + width;
    if (direction[axis] > 0) box.lower[axis] = box.upper[axis] - width;
  }
  return box;
}

/// The ghost cells beyond that side.
Box receive_box(Box box, const Int3& direction, int width) {
  for (int axis = 0; axis < 3; ++axis) {
    if (direction[axis] == 0) continue;
    box.lower[axis] = direction[axis] < 0 ? box.lower[axis] - width : box.upper[axis];
    box.upper[axis] = box.lower[axis] + width;
  }
  return box;
}

}  // namespace

std::vector<Int3> halo_directions(GhostRegion region) {
  std::vector<Int3> found;
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        const int moved = std::abs(x) + std::abs(y) + std::abs(z);
        if (moved == 1 || (moved > 1 && region == GhostRegion::all)) found.push_back({x, y, z});
      }
    }
  }
  return found;
}

void require_countable(const HaloMessage& message, int fields) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (fields * message.send.size() <= most) return;
  throw Error(
      ExitCode::usage,
      {"the ghost cells of one side of a block are too many",
       std::to_string(message.send.size()) + " cells in the face " + to_string(message.send) +
           ", at most " + std::to_string(most / fields) + " can be exchanged",
       "use more ranks, or split the grid along other axes by parallel.ranks"});
}

std::int64_t HaloPlan::sent_cells() const {
  std::int64_t cells = 0;
  for (const auto& message : messages) cells += message.send.size();
  return cells;
}

std::int64_t HaloPlan::sent_cells_off(int node, const std::vector<int>& nodes) const {
  std::int64_t cells = 0;
  for (const auto& message : messages) {
    if (nodes[static_cast<std::size_t>(message.neighbour)] != node) cells += message.send.size();
  }
  return cells;
}

HaloPlan make_halo_plan(const Partition& partition, int rank, int width, GhostRegion region) {
  HaloPlan plan{.width = width, .messages = {}, .local = {}};
  const Box owned = partition.owned(rank);
  for (const auto& direction : halo_directions(region)) {
    const auto neighbour = partition.neighbour(rank, direction);
    if (!neighbour) continue;
    HaloMessage message{.neighbour = *neighbour,
                        .direction = direction,
                        .send = send_box(owned, direction, width),
                        .receive = receive_box(owned, direction, width),
                        .send_tag = tag_of(direction),
                        .receive_tag = tag_of(opposite(direction))};
    require_countable(message);
    if (*neighbour != rank) {
      plan.messages.push_back(message);
    } else {
      message.send = send_box(owned, opposite(direction), width);
      plan.local.push_back(message);
    }
  }
  return plan;
}

Box interior_of(const Box& owned, const HaloPlan& plan, int layer_x, int radius) {
  const int whole_lines = std::max(radius, layer_x);
  const Int3 layer{owned.extent(0) >= 8 * whole_lines ? whole_lines : radius, radius, radius};
  Int3 below{0, 0, 0};
  Int3 above{0, 0, 0};
  for (const auto& message : plan.messages) {
    for (int axis = 0; axis < 3; ++axis) {
      if (message.direction[axis] < 0) below[axis] = -layer[axis];
      if (message.direction[axis] > 0) above[axis] = -layer[axis];
    }
  }
  const auto box = grown(owned, below, above);
  return box.empty() ? Box{owned.lower, owned.lower} : box;
}

}  // namespace halotherm::comm
