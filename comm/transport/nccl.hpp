// SPDX-License-Identifier: MIT
// NVIDIA's library NCCL, loaded at run time, so that no build depends on it.
#pragma once

#include "comm/device/gpu_runtime.hpp"
#include "comm/mpi/communicator.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace halotherm::comm {

/// What NCCL calls a communicator: sends and receives between the devices of all ranks in the order
/// of a stream, between nodes too. NVLink multicast, which only collective operations use, is off.
class Nccl {
 public:
  /// Collective, at the first call for a communicator; later ones are local. It ends with the
  /// communicator. Throws CollectiveError (usage) if some rank has no libnccl.so.2, if ranks share
  /// a device, or if NCCL fails or does not start within a minute.
  static Nccl& of(const Communicator& communicator);

  ~Nccl();
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;

  /// Makes the sends and receives between two calls one operation. Members throw Error (internal)
  /// if NCCL fails.
  void begin_group();
  void end_group();
  /// From and to device memory. Messages between two ranks match in the order of the calls.
  /// Asynchronous on `stream`.
  void send(const std::byte* from, std::size_t bytes, int rank, gpu::Stream stream);
  void receive(std::byte* to, std::size_t bytes, int rank, gpu::Stream stream);

 private:
  struct Functions;
  explicit Nccl(const Communicator& communicator);
  void* begin(const Communicator& communicator, const char* id) const;
  void check(int result, const char* action) const;

  std::unique_ptr<Functions> functions_;
  void* handle_ = nullptr;
};

}  // namespace halotherm::comm
