// SPDX-License-Identifier: MIT
// What `halotherm probe` finds and measures.
#pragma once

#include "comm/machine/device.hpp"
#include "comm/machine/node_facts.hpp"
#include "comm/transport/transport.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

struct ProbeRank {
  std::string host;
  std::string device;
  std::string identity;  ///< the device's; empty on CPUs
  bool shared = false;   ///< the device, with another rank
  bool gpu = false;
  comm::DeviceLinks links;
  std::optional<int> device_numa_node;
  comm::NodeFacts node;
  std::map<std::string, std::string> environment;
};

/// The MPI library and its support for device pointers.
struct ProbeMpi {
  std::string library;
  bool claims_device_pointers = false;
  std::string unavailable;  ///< why it must not receive them; empty if it may
};

/// Messages of one size, in both directions at once.
struct ProbeExchange {
  comm::TransportKind kind = comm::TransportKind::staged;
  std::int64_t bytes = 0;  ///< in each direction
  double seconds = 0;
  comm::UnavailableReason unavailable;  ///< why there is no time

  bool works() const { return !unavailable.exists(); }
  /// Both directions together [bytes/s].
  double bandwidth() const { return 2 * static_cast<double>(bytes) / seconds; }
};

/// Plain MPI messages, in one direction at a time.
struct ProbeOneWay {
  std::string memory;  ///< host or device
  double latency = 0;
  std::int64_t bytes = 0;
  double bandwidth = 0;
};

struct ProbePair {
  int first = 0;
  int second = 0;
  comm::PeerLink link;  ///< as both ranks see it
  std::vector<ProbeExchange> exchanges;
  std::vector<ProbeOneWay> one_way;
};

}  // namespace halotherm::app
