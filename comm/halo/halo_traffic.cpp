// SPDX-License-Identifier: MIT
#include "comm/halo/halo_traffic.hpp"

#include <algorithm>

namespace halotherm::comm {

void RankTraffic::raise_to(const RankTraffic& other) {
  for (const auto number :
       {&RankTraffic::messages, &RankTraffic::cells, &RankTraffic::cells_off_node,
        &RankTraffic::cells_on_node, &RankTraffic::longest_off_node})
    this->*number = std::max(this->*number, other.*number);
}

RankTraffic traffic_of(const HaloPlan& plan, int node, const std::vector<int>& nodes) {
  RankTraffic traffic{.messages = std::ssize(plan.messages), .cells = plan.sent_cells()};
  for (const auto& message : plan.messages) {
    if (nodes[static_cast<std::size_t>(message.neighbour)] == node) continue;
    traffic.cells_off_node += message.send.size();
    traffic.longest_off_node = std::max(traffic.longest_off_node, message.send.size());
  }
  traffic.cells_on_node = traffic.cells - traffic.cells_off_node;
  return traffic;
}

}  // namespace halotherm::comm
