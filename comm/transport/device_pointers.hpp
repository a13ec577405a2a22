// SPDX-License-Identifier: MIT
// Tests whether the MPI library accepts device pointers. Libraries that wrongly claim it usually
// crash.
#pragma once

#include "comm/transport/channel.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::comm {

/// Whether MPI takes device pointers.
struct DevicePointers {
  /// Why it takes none on some nodes or on all, with the first nodes' names; empty if it does on
  /// all of them. Equal on all ranks.
  std::string unavailable;
  bool anywhere = true;             ///< on any node; equal on all ranks
  std::vector<bool> of_neighbours;  ///< for each channel: on the nodes of both of its ends
};

/// Collective, blocking. If the library claims support, one process per node is started that sends
/// itself messages as large as those of the channels, or of `bytes` if that is more, so that a
/// crash does not end the job; a second one where the first gives no answer in time. This tests
/// the library; try_transports tests the transfer between ranks.
DevicePointers find_device_pointers(const Communicator& world, const std::vector<Channel>& channels,
                                    std::size_t bytes = 0);

/// The whole message, from the outcomes on hosts that failed, of `nodes` nodes: "signal 11 on node7
/// and node9; no answer within 30 s, twice, on node8". Empty if there is none. Pure.
std::string nodes_text(const std::vector<std::pair<std::string, std::string>>& outcome_and_host);

/// Whether this process was started for that test. `main` then calls `run_device_pointer_trial`
/// before anything else, and returns its exit code.
bool is_device_pointer_trial(int argc, char** argv);
int run_device_pointer_trial(int argc, char** argv);

}  // namespace halotherm::comm
