// SPDX-License-Identifier: MIT
// Sub-communicators, and a barrier that sleeps instead of spinning.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <cstddef>
#include <cstdint>

namespace halotherm::comm {

/// Collective over the two ranks of `world` only; `first` becomes rank 0.
Communicator make_pair(const Communicator& world, int first, int second);

/// Collective over the first `count` ranks of `world` only, which keep their numbers.
Communicator first_ranks(const Communicator& world, int count);

/// This rank alone.
Communicator this_rank_alone();

/// Collective, blocking. A barrier whose waiting ranks sleep; MPI's own spins and slows down ranks
/// that still work.
void sleeping_barrier(const Communicator& communicator);

struct OneWay {
  double latency = 0;    ///< half a round trip of a message of 8 bytes [s]
  double bandwidth = 0;  ///< of a large message [bytes/s]
};

/// Collective over a pair, blocking. Times sends of up to `bytes` back and forth. `memory` holds at
/// least `bytes` and may be a device's.
OneWay measure_one_way(const Communicator& pair, std::byte* memory, std::int64_t bytes);

}  // namespace halotherm::comm
