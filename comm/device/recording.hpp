// SPDX-License-Identifier: MIT
// Launches that are submitted to the device together, any number of times.
#pragma once

#include "comm/device/execution.hpp"

#include <functional>

namespace halotherm::comm {

/// On GPUs the launches are recorded once, as a graph, and each submission is one call; on CPUs
/// each submission calls the function again.
class Recording {
 public:
  /// `launches` launches kernels on both streams. On GPUs, where it is called once, each must be
  /// this library's own launch (`for_each_thread`, `for_each_cell`, `launch_flagged`), as Kokkos
  /// may copy a kernel's arguments through memory that it uses again, and the host may not wait for
  /// the device. `streams` must outlive it.
  Recording(const Streams& streams, std::function<void()> launches);

  /// Runs them after earlier launches on the streams, and before later ones. Asynchronous.
  void submit() const;

 private:
#if defined(KOKKOS_ENABLE_CUDA)
  const Streams& streams_;
  gpu::Graph graph_;
#else
  std::function<void()> launches_;
#endif
};

}  // namespace halotherm::comm
