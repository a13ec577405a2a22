// SPDX-License-Identifier: MIT
// Whether tests can exchange ghost cells by NCCL.
#pragma once

#include "comm/transport/transport_trial.hpp"
#include "tests/support/world.hpp"

namespace halotherm::test {

/// Collective at the first call. NCCL need not be installed, and takes one rank a device.
inline bool nccl_works() {
  static const bool works = comm::nccl_works(world());
  return works;
}

}  // namespace halotherm::test
