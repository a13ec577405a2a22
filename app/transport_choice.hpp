// SPDX-License-Identifier: MIT
// How a run's ghost cells travel: as configured, or as is found to be the fastest.
#pragma once

#include "app/config.hpp"
#include "comm/transport_trial.hpp"

#include <vector>

namespace halotherm::app {

struct ChosenTransport {
  comm::TransportKind kind = comm::TransportKind::staged;
  std::vector<comm::TransportTrial> trials;  ///< of those that were tried, on the run's own messages
};

/// Collective. The configured transport, once its messages have been seen to arrive; `auto` takes the fastest that works. Where
/// kernels run in host memory all are one and the same, and none is tried. Throws CollectiveError (usage) if the configured one
/// does not work.
ChosenTransport choose_transport(const comm::Communicator& world, TransportChoice choice,
                                 const std::vector<comm::Channel>& channels);

}  // namespace halotherm::app
