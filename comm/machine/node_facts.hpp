// SPDX-License-Identifier: MIT
// What a node has for communication, as Linux and the environment show it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace halotherm::comm {

struct NodeFacts {
  std::vector<int> numa_nodes;  ///< of the given CPUs
  bool peermem = false;       ///< kernel module nvidia_peermem (or the older nv_peer_mem): adapters
                              ///< reach GPUs' memory
  bool gdrdrv = false;        ///< kernel module of gdrcopy, by which CPUs reach it fast
  bool verbs = false;         ///< /dev/infiniband has an adapter that programs may use
  bool other_fabric = false;  ///< Slingshot or Omni-Path
  int active_ports = 0;       ///< of InfiniBand or RoCE adapters
  std::optional<double> adapter_rate;  ///< the fastest of these ports, in one direction [bytes/s]
  bool open_driver = false;  ///< NVIDIA's open kernel module, which shares GPUs' memory with other
                             ///< drivers as dma-buf
  bool kernel_dmabuf = false;  ///< the kernel registers a dma-buf with an adapter
  bool verbs_dmabuf = false;   ///< the verbs library does, see verbs_library_takes_dmabuf()
  int nvidia_gpus = 0;         ///< that the driver has, whether this program uses them or not
  bool mps = false;  ///< NVIDIA's multi-process service: kernels of several processes run at once

  bool dmabuf() const { return open_driver && kernel_dmabuf && verbs_dmabuf; }
  /// Whether adapters can reach GPUs' memory; which of the two ways MPI takes is its own choice.
  bool gpudirect() const { return peermem || dmabuf(); }
};
/// All but verbs_dmabuf, from the files under `root`.
NodeFacts node_facts(const std::set<int>& cpus, const std::filesystem::path& root = "/");

/// Whether the verbs library that programs of this machine load has ibv_reg_dmabuf_mr (rdma-core 34
/// and later).
bool verbs_library_takes_dmabuf(const char* library = "libibverbs.so.1");

/// Of a PCI device; none where Linux does not say.
std::optional<int> numa_node_of(const std::string& pci_bus_id,
                                const std::filesystem::path& root = "/");

/// The variables that choose MPI's transports and the visible devices, as far as they are set.
std::map<std::string, std::string> transport_environment();

/// {0, 1, 2, 8} for "0-2,8".
std::set<int> numbers_in(const std::string& list);

}  // namespace halotherm::comm
