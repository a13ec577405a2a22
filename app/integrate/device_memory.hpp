// SPDX-License-Identifier: MIT
// Memory that a run takes on the device of a rank, by what is in it.
#pragma once

#include "app/config/config.hpp"
#include "comm/partition/box.hpp"

#include <cstdint>

namespace halotherm::app {

/// [bytes]
struct DeviceMemory {
  std::int64_t fields = 0;        ///< of the integrator, in the cells of the block
  std::int64_t coefficients = 0;  ///< that vary, materials and regions of cells, likewise
  std::int64_t ghosts = 0;        ///< ghost cells of both, and what aligns rows
  std::int64_t solver = 0;   ///< of the linear solver: levels, vectors and what is held between
  std::int64_t buffers = 0;  ///< of the exchange, to send and to receive

  std::int64_t total() const { return fields + coefficients + ghosts + solver + buffers; }
};

/// For the block of a rank with so many layers of ghost cells, of which it sends so many cells in
/// an exchange. `time.integrator: auto` counts as the method that takes the most.
DeviceMemory device_memory(const Config& config, const comm::Box& owned, int layers,
                           std::int64_t sent_cells);

}  // namespace halotherm::app
