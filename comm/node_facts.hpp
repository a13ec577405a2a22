// SPDX-License-Identifier: MIT
// What a node has for communication, as Linux and the environment tell: no library is asked.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace halotherm::comm {

struct NodeFacts {
  std::vector<int> numa_nodes;         ///< of the given CPUs
  bool peermem = false;                ///< kernel module nvidia_peermem, by which network adapters reach GPUs' memory
  bool gdrdrv = false;                 ///< kernel module of gdrcopy, by which CPUs reach it fast
  bool verbs = false;                  ///< /dev/infiniband has an adapter that programs may use
  bool other_fabric = false;           ///< Slingshot or Omni-Path
  int active_ports = 0;                ///< of InfiniBand or RoCE adapters
  std::optional<double> adapter_rate;  ///< the fastest of these ports, in one direction [bytes/s]
};
NodeFacts node_facts(const std::set<int>& cpus, const std::filesystem::path& root = "/");

/// Of a PCI device; none where Linux does not say.
std::optional<int> numa_node_of(const std::string& pci_bus_id, const std::filesystem::path& root = "/");

/// The variables that choose MPI's transports and the visible devices, as far as they are set.
std::map<std::string, std::string> transport_environment();

/// {0, 1, 2, 8} for "0-2,8".
std::set<int> numbers_in(const std::string& list);

}  // namespace halotherm::comm
