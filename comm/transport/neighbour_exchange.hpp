// SPDX-License-Identifier: MIT
// A word between neighbours, before their messages flow.
#pragma once

#include "comm/transport/transport.hpp"

#include <type_traits>
#include <vector>

namespace halotherm::comm {

/// Collective over the neighbours. Gives one value through each channel and takes the neighbour's.
template <class Value>
std::vector<Value> exchange_with_neighbours(const Communicator& communicator,
                                            const std::vector<Channel>& channels,
                                            const std::vector<Value>& mine) {
  static_assert(std::is_trivially_copyable_v<Value>);
  std::vector<Value> theirs(channels.size());
  std::vector<MPI_Request> requests(2 * channels.size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const auto& channel = channels[c];
    check(MPI_Irecv(&theirs[c], sizeof(Value), MPI_BYTE, channel.neighbour, channel.receive_tag,
                    communicator.handle(), &requests[2 * c]));
    check(MPI_Isend(&mine[c], sizeof(Value), MPI_BYTE, channel.neighbour, channel.send_tag,
                    communicator.handle(), &requests[2 * c + 1]));
  }
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  return theirs;
}

}  // namespace halotherm::comm
