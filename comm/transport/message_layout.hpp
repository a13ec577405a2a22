// SPDX-License-Identifier: MIT
// Where the messages of an exchange lie in a buffer.
#pragma once

#include "comm/transport/transport.hpp"

#include <cstddef>
#include <vector>

namespace halotherm::comm {

inline std::size_t bytes_of(const Channel& channel) {
  return static_cast<std::size_t>(channel.elements) *
         static_cast<std::size_t>(channel.element_bytes);
}

/// Elements rather than bytes are counted, so that MPI's int holds large faces.
inline MPI_Datatype mpi_type_of(const Channel& channel) {
  return channel.element_bytes == 8 ? MPI_UINT64_T : MPI_UINT32_T;
}

/// One message after the other, each on a boundary that suits 16-byte accesses and MPI's copies.
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

}  // namespace halotherm::comm
