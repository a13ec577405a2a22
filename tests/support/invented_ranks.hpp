// SPDX-License-Identifier: MIT
// Jobs of many ranks that nobody has started: hosts, devices and places.
#pragma once

#include "comm/machine/environment.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::test {

inline constexpr int many[] = {8192, 131072};

/// The lowest rank on each rank's node.
inline std::vector<int> invented_nodes(int ranks, int per_node) {
  std::vector<int> nodes;
  for (int rank = 0; rank < ranks; ++rank) nodes.push_back(rank / per_node * per_node);
  return nodes;
}

inline comm::DeviceId invented_device(int rank) {
  comm::DeviceId id{1};
  for (std::size_t byte = 0; byte < 4; ++byte)
    id[12 + byte] = static_cast<unsigned char>(static_cast<unsigned>(rank) >> (8 * byte));
  return id;
}

/// A GPU for each rank, `per_node` on a host; one host has another model.
inline comm::Places invented_places(int ranks, int per_node, int other_host = -1) {
  comm::RankTexts hosts, models{{"NVIDIA H200", "NVIDIA H100"}, {}};
  std::vector<comm::Places::Own> own;
  for (int rank = 0; rank < ranks; ++rank) {
    const int host = rank / per_node;
    if (rank % per_node == 0) hosts.distinct.push_back("node" + std::to_string(host));
    hosts.of_rank.push_back(host);
    models.of_rank.push_back(host == other_host ? 1 : 0);
    own.push_back({invented_device(rank), false});
  }
  return {std::move(hosts), std::move(models), std::move(own)};
}

/// Few ranks by their hosts, devices and whether these are shared.
struct InventedRank {
  std::string host, model;
  int device = 0;  ///< 0: none
  bool shared = false;
};
inline comm::Places places_of(const std::vector<InventedRank>& ranks) {
  comm::RankTexts hosts, models;
  std::vector<comm::Places::Own> own;
  for (const auto& rank : ranks) {
    const auto place = static_cast<int>(own.size());
    hosts.distinct.push_back(rank.host);
    hosts.of_rank.push_back(place);
    models.distinct.push_back(rank.model);
    models.of_rank.push_back(place);
    own.push_back({rank.device > 0 ? invented_device(rank.device) : comm::DeviceId{}, rank.shared});
  }
  return {std::move(hosts), std::move(models), std::move(own)};
}

}  // namespace halotherm::test
