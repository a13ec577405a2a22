// SPDX-License-Identifier: MIT
// A node's facilities for communication, read from Linux' files and the environment. Everything
// here is local.
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
  bool peermem = false;                ///< nvidia_peermem or nv_peer_mem: adapters access GPUs
  bool gdrdrv = false;                 ///< gdrcopy's kernel module: CPUs access GPUs fast
  bool verbs = false;                  ///< programs may use an adapter in /dev/infiniband
  bool other_fabric = false;           ///< Slingshot or Omni-Path
  int active_ports = 0;                ///< of InfiniBand or RoCE adapters
  std::optional<double> adapter_rate;  ///< of the fastest port, in one direction [bytes/s]
  bool open_driver = false;            ///< NVIDIA's open kernel module, which exports dma-buf
  bool kernel_dmabuf = false;          ///< the kernel registers a dma-buf with an adapter
  bool verbs_dmabuf = false;           ///< the verbs library does, see verbs_library_takes_dmabuf()
  int nvidia_gpus = 0;                 ///< of the driver, visible to this program or not
  bool mps = false;  ///< NVIDIA's multi-process service: kernels of processes run concurrently

  bool dmabuf() const { return open_driver && kernel_dmabuf && verbs_dmabuf; }
  /// Whether adapters can access GPUs' memory. MPI chooses the way.
  bool gpudirect() const { return peermem || dmabuf(); }
};
/// All facts but verbs_dmabuf, from the files under `root`.
NodeFacts node_facts(const std::set<int>& cpus, const std::filesystem::path& root = "/");

/// Whether the machine's verbs library has ibv_reg_dmabuf_mr (rdma-core 34 and later).
bool verbs_library_takes_dmabuf(const char* library = "libibverbs.so.1");

/// The NUMA node of a PCI device; none if unknown.
std::optional<int> numa_node_of(const std::string& pci_bus_id,
                                const std::filesystem::path& root = "/");

/// The environment variables that are set and choose MPI's transports or the visible devices.
std::map<std::string, std::string> transport_environment();

}  // namespace halotherm::comm
