// SPDX-License-Identifier: MIT
// The path of the bytes between two ranks and its expected rate, derived from facts alone.
#pragma once

#include "app/probe/probe_facts.hpp"

#include <string_view>

namespace halotherm::app {

enum class Path {
  same_device,
  nvlink,
  pcie_peer,      ///< from GPU to GPU over PCI Express
  shared_memory,  ///< between a node's processes
  rdma_gpudirect,
  rdma_host,  ///< through the nodes' memories
  tcp,
  unknown,
};
std::string_view name_of(Path path);

bool both_on_gpus(const ProbeRank& a, const ProbeRank& b);
bool same_host(const ProbeRank& a, const ProbeRank& b);
bool same_device(const ProbeRank& a, const ProbeRank& b);
bool works(const ProbePair& pair, comm::TransportKind kind);

/// Whether a transport moves the bytes through the hosts' memories; on CPUs all transports do.
bool through_host(const ProbeRank& a, const ProbeRank& b, comm::TransportKind kind);

/// Whether UCX's and Open MPI's variables permit RDMA; without them it is permitted.
bool environment_allows_rdma(const std::map<std::string, std::string>& environment);

Path path_of(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair,
             comm::TransportKind kind);

struct ExpectedRate {
  double bandwidth = 0;  ///< both directions together [bytes/s]
  std::string source;    ///< the part that limits it
};
/// None for host memory and TCP.
std::optional<ExpectedRate> expected_rate(const ProbeRank& a, const ProbeRank& b, Path path);

}  // namespace halotherm::app
