// SPDX-License-Identifier: MIT
// Some ranks for themselves, while the others wait without taking their cores.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <cstddef>
#include <cstdint>

namespace halotherm::comm {

/// Collective over the two ranks of `world` only: `first` becomes rank 0.
Communicator make_pair(const Communicator& world, int first, int second);

/// Collective over the first `count` ranks of `world` only; they keep their numbers.
Communicator first_ranks(const Communicator& world, int count);

/// Collective. A barrier whose waiting ranks sleep: MPI's own spins, which slows those that still
/// work.
void sleeping_barrier(const Communicator& communicator);

struct OneWay {
  double latency = 0;    ///< of a message of 8 bytes: half a round trip [s]
  double bandwidth = 0;  ///< of a large message [bytes/s]
};

/// Collective over a pair. Plain sends there and back, from memory of at least `bytes`, which may
/// be a device's.
OneWay measure_one_way(const Communicator& pair, std::byte* memory, std::int64_t bytes);

}  // namespace halotherm::comm
