// SPDX-License-Identifier: MIT
// Device memory that other processes of the node can map (CUDA IPC).
#pragma once

#include "comm/device/gpu_runtime.hpp"

namespace halotherm::comm {

/// Owns zeroed memory on the current device, from cudaMalloc, whose allocations IPC can share.
class PeerMemory {
 public:
  struct Handle {
    gpu::ShareHandle memory;
    char host[64];
  };

  /// Throws Error (internal) if the device has not enough memory.
  explicit PeerMemory(std::size_t bytes);
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  std::byte* data() const { return data_; }
  /// For other processes of this host.
  Handle handle() const;

 private:
  std::byte* data_ = nullptr;
};

/// Another rank's memory, mapped into this process.
class MappedMemory {
 public:
  /// Throws Error (usage) if it cannot be mapped. `rank`: its owner, for the message.
  MappedMemory(const PeerMemory::Handle& handle, int rank);
  ~MappedMemory();
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
};

}  // namespace halotherm::comm
