// SPDX-License-Identifier: MIT
// Flags in device memory that streams set and wait for, without a kernel and without the host.
#pragma once

#include "comm/execution.hpp"

#include <cuda.h>

#include <cstdint>
#include <vector>

namespace halotherm::comm {

/// Stream memory operations of the CUDA driver. Setting a flag comes after all that the stream has done before, also as seen from
/// other devices.
class StreamFlags {
 public:
  static constexpr std::size_t bytes = sizeof(std::uint32_t);  ///< of a flag

  /// Throws Error (usage) if the driver has no such operations.
  StreamFlags();

  /// Sets the flags `flag(0)`, ... `flag(count - 1)` to `value`.
  template <class Flag>
  void set_all(const Space& space, std::size_t count, const Flag& flag, std::uint32_t value) {
    operations_.resize(count);
    for (std::size_t n = 0; n < count; ++n) operations_[n] = set(flag(n), value);
    enqueue(space);
  }
  /// What comes later in the stream waits until the flags have reached `value`, cyclically.
  template <class Flag>
  void wait_all(const Space& space, std::size_t count, const Flag& flag, std::uint32_t value) {
    operations_.resize(count);
    for (std::size_t n = 0; n < count; ++n) operations_[n] = wait(flag(n), value);
    enqueue(space);
  }

 private:
  static CUstreamBatchMemOpParams set(std::byte* flag, std::uint32_t value);
  static CUstreamBatchMemOpParams wait(std::byte* flag, std::uint32_t value);
  void enqueue(const Space& space);

  std::vector<CUstreamBatchMemOpParams> operations_;
};

}  // namespace halotherm::comm
