// SPDX-License-Identifier: MIT
// A copy of a state on the host, made while the steps go on.
#pragma once

#include "comm/device/execution.hpp"
#include "solver/field/state.hpp"

#include <span>

namespace halotherm::solver {

/// Owns a copy of the owned cells of a state's fields in host memory, x fastest, without ghosts and
/// one field after another. On a GPU the fields are first set aside in device memory, which takes
/// as long as two or three steps, and then goes to the host while later steps run; where the device
/// has no room for that, it goes slab by slab and `take` lasts as long as the whole copy. Memory is
/// taken at the first use and kept. Instantiated for float and double.
template <class Real>
class Snapshot {
 public:
  Snapshot(const comm::Box& owned, std::size_t fields);
  ~Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  /// The state's kernels must have ended; when it returns, the state may change. Values of an
  /// earlier take must no longer be in use.
  void take(const State<Real>& state);

  /// Waits for the copy; callable by any thread.
  std::span<const Real> values() const;

  /// Bytes of host memory, and of device memory if it has room, that a field of a block takes.
  static std::int64_t bytes_for(const comm::Box& owned) {
    return owned.size() * static_cast<std::int64_t>(sizeof(Real));
  }

 private:
  void allocate();

  comm::Box owned_;
  std::size_t fields_;
  Kokkos::View<Real*, comm::PinnedMemory> on_host_;
  Kokkos::View<Real*, comm::Memory> on_device_;  ///< empty where kernels reach the host's memory
  comm::OwnStream stream_;                       ///< ends, and waits, before the buffers do
  bool at_once_ = true;                          ///< the device buffer holds the whole state
};

}  // namespace halotherm::solver
