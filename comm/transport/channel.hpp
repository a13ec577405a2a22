// SPDX-License-Identifier: MIT
// Channels between neighbours, the layout of their messages in a buffer, and neighbour exchange.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace halotherm::comm {

/// One message in each direction between this rank and a neighbour, repeated in every exchange.
struct Channel {
  int neighbour = 0;
  int send_tag = 0;
  int receive_tag = 0;
  int elements = 0;       ///< in each direction
  int element_bytes = 8;  ///< 4 or 8
};

inline std::size_t bytes_of(const Channel& channel) {
  return static_cast<std::size_t>(channel.elements) *
         static_cast<std::size_t>(channel.element_bytes);
}

/// The type of one element. MPI's int counts elements instead of bytes, and so suffices for large
/// faces.
inline MPI_Datatype mpi_type_of(const Channel& channel) {
  return channel.element_bytes == 8 ? MPI_UINT64_T : MPI_UINT32_T;
}

/// The offsets of the channels' messages in one buffer, aligned for 16-byte accesses and MPI's
/// copies [bytes].
class MessageLayout {
 public:
  explicit MessageLayout(const std::vector<Channel>& channels) {
    constexpr std::size_t alignment = 256;
    for (const auto& channel : channels) {
      starts_.push_back(total_);
      total_ += (bytes_of(channel) + alignment - 1) / alignment * alignment;
    }
  }
  std::size_t start(std::size_t channel) const { return starts_[channel]; }
  std::size_t total() const { return total_; }

 private:
  std::vector<std::size_t> starts_;
  std::size_t total_ = 0;
};

/// Sends one small value through each channel and returns the neighbours' values. Collective over
/// the neighbours, blocking. Throws Error (internal) if MPI fails.
template <class Value>
std::vector<Value> exchange_with_neighbours(const Communicator& communicator,
                                            const std::vector<Channel>& channels,
                                            const std::vector<Value>& mine) {
  static_assert(std::is_trivially_copyable_v<Value>);
  std::vector<Value> theirs(channels.size());
  std::vector<MPI_Request> requests;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const auto& channel = channels[c];
    check(MPI_Irecv(&theirs[c], sizeof(Value), MPI_BYTE, channel.neighbour, channel.receive_tag,
                    communicator.handle(), &requests.emplace_back()));
    check(MPI_Isend(&mine[c], sizeof(Value), MPI_BYTE, channel.neighbour, channel.send_tag,
                    communicator.handle(), &requests.emplace_back()));
  }
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  return theirs;
}

}  // namespace halotherm::comm
