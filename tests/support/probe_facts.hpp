// SPDX-License-Identifier: MIT
// Made-up facts of a cluster without faults; tests break one at a time.
#pragma once

#include "app/probe/probe_verdict.hpp"

namespace halotherm::test {

inline constexpr double gigabytes = 1e9;

/// A rank with an H200 of its own; 8 of them on a node, with an adapter of 400 Gbit/s.
inline app::ProbeRank gpu_rank(const std::string& host, int number) {
  app::ProbeRank rank;
  rank.host = host;
  rank.device = "NVIDIA H200";
  rank.identity = "GPU-" + host + std::to_string(number);
  rank.gpu = true;
  rank.links = {"0000:0" + std::to_string(number) + ":00.0", 8, false, 450 * gigabytes,
                63 * gigabytes};
  rank.device_numa_node = number / 4;
  rank.node = {{number / 4}, true, true, true, false, 8, 50 * gigabytes};
  return rank;
}

/// The open kernel module, and a kernel and a verbs library that take its dma-buf.
inline void give_dmabuf(comm::NodeFacts& node) {
  node.open_driver = node.kernel_dmabuf = node.verbs_dmabuf = true;
}

inline app::ProbeRank cpu_rank(const std::string& host) {
  app::ProbeRank rank;
  rank.host = host;
  rank.device = "8 OpenMP threads";
  rank.node.numa_nodes = {0};
  return rank;
}

/// An exchange of 8 bytes and one of 1e9 bytes at this rate, both directions together.
inline void add_exchanges(app::ProbePair& pair, comm::TransportKind kind, double bandwidth,
                          double latency = 5e-6) {
  pair.exchanges.push_back({kind, 8, latency, {}});
  pair.exchanges.push_back({kind, 1'000'000'000, 2e9 / bandwidth, {}});
}

inline void add_failure(app::ProbePair& pair, comm::TransportKind kind,
                        const comm::UnavailableReason& why) {
  pair.exchanges.push_back({kind, 8, 0, why});
  pair.exchanges.push_back({kind, 1'000'000'000, 0, why});
}

/// Two GPUs of a node, joined by NVLink.
inline app::ProbePair nvlink_pair(double bandwidth = 750 * gigabytes) {
  app::ProbePair pair{0, 1, {true, true, true}, {}, {}};
  add_exchanges(pair, comm::TransportKind::staged, 40 * gigabytes, 30e-6);
  add_exchanges(pair, comm::TransportKind::device, 0.9 * bandwidth, 10e-6);
  add_exchanges(pair, comm::TransportKind::p2p, bandwidth, 4e-6);
  return pair;
}

/// GPUs of two nodes.
inline app::ProbePair pair_between_nodes(double bandwidth = 90 * gigabytes) {
  app::ProbePair pair{0, 1, {}, {}, {}};
  add_exchanges(pair, comm::TransportKind::staged, 30 * gigabytes);
  add_exchanges(pair, comm::TransportKind::device, bandwidth);
  return pair;
}

inline app::ProbeMpi gpu_aware_mpi() {
  return {"Open MPI v5.0.3", true, ""};
}
inline app::ProbeMpi plain_mpi() {
  return {"Open MPI v5.0.3", false, "it says so"};
}

}  // namespace halotherm::test
