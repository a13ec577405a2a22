// SPDX-License-Identifier: MIT
// Threads a core and ranks a device.
#pragma once

#include "comm/machine/environment.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// The cores or the device of one rank.
struct RankCores {
  std::string host;
  std::vector<int> cpus;  ///< on which its threads may run
  int threads = 1;
  std::string device;  ///< the same for ranks that share a GPU; empty on CPUs
  friend bool operator==(const RankCores&, const RankCores&) = default;
};
/// As JSON, which ranks exchange.
std::string to_text(const RankCores& rank);
RankCores rank_cores_from_text(const std::string& text);

/// For each rank: how many threads of these ranks come on a core of its set, or on GPUs how many
/// ranks on its device. 1 where nothing is shared: for a set of cores, the threads of all ranks of
/// the host that may run only there, divided by its cores. The work grows as the number of ranks,
/// times the number of different sets of cores that a host has.
std::vector<double> oversubscription(const std::vector<RankCores>& ranks);

/// A warning that names the first devices of several ranks, and what to do; empty if no device has
/// more than one. Pure.
std::string shared_devices_text(const comm::Places& places);

}  // namespace halotherm::app
