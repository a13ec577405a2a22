// SPDX-License-Identifier: MIT
// Which way the bytes between two ranks take, and what that way could carry: decided from facts
// alone.
#pragma once

#include "app/probe/probe_facts.hpp"

#include <string_view>

namespace halotherm::app {

enum class Path {
  same_device,
  nvlink,
  pcie_peer,      ///< from GPU to GPU over PCI Express
  shared_memory,  ///< of a node's processes
  rdma_gpudirect,
  rdma_host,  ///< by way of the nodes' memories
  tcp,
  unknown,
};
std::string_view name_of(Path path);

/// Ranks on one node that both compute on GPUs, or on two nodes with the like.
bool both_on_gpus(const ProbeRank& a, const ProbeRank& b);
bool same_host(const ProbeRank& a, const ProbeRank& b);
bool same_device(const ProbeRank& a, const ProbeRank& b);
bool works(const ProbePair& pair, comm::TransportKind kind);

/// Whether a transport takes the bytes through the hosts' memories, which have rates of their own;
/// on CPUs all do.
bool through_host(const ProbeRank& a, const ProbeRank& b, comm::TransportKind kind);

/// Whether UCX's and Open MPI's variables leave RDMA in. What they do not say is left in.
bool environment_allows_rdma(const std::map<std::string, std::string>& environment);

/// With this transport.
Path path_of(const ProbeRank& a, const ProbeRank& b, const ProbePair& pair,
             comm::TransportKind kind);

struct ExpectedRate {
  double bandwidth = 0;  ///< both directions together [bytes/s]
  std::string source;    ///< what says so
};
/// None where nothing is known: of host memory, and of TCP.
std::optional<ExpectedRate> expected_rate(const ProbeRank& a, const ProbeRank& b, Path path);

}  // namespace halotherm::app
