// SPDX-License-Identifier: MIT
// Device memory that other processes of the node can map (CUDA IPC).
#pragma once

#include "comm/device/gpu_runtime.hpp"

namespace halotherm::comm {

/// Owns zeroed memory on the current device, by the runtime's plain allocation, which is what IPC
/// shares.
class PeerMemory {
 public:
  struct Handle {
    gpu::ShareHandle memory;
    std::array<unsigned char, 16> device;  ///< the UUID
    char host[64];
  };

  /// Throws Error (internal) if there is not enough.
  explicit PeerMemory(std::size_t bytes);
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  std::byte* data() const { return data_; }
  /// For another process of this host.
  Handle handle() const;

 private:
  std::byte* data_ = nullptr;
};

/// Another rank's memory as this rank's device sees it.
class MappedMemory {
 public:
  /// Throws Error (usage) if it cannot be mapped; `rank`, for the message.
  MappedMemory(const PeerMemory::Handle& handle, int rank);
  ~MappedMemory();
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
};

}  // namespace halotherm::comm
