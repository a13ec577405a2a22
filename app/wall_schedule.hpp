// SPDX-License-Identifier: MIT
// What is due every so often in real time.
#pragma once

#include "comm/communicator.hpp"
#include "comm/timers.hpp"

#include <cstdint>
#include <optional>

namespace halotherm::app {

/// Rank 0's clock decides for all. To keep communication out of the steps, it is asked only at steps that were agreed on the last
/// time, about twenty times an interval.
class WallSchedule {
 public:
  /// `interval` [s]; none = never due.
  explicit WallSchedule(std::optional<double> interval) : interval_(interval) {}

  /// Collective at the agreed steps, else local. `step` counts up from call to call.
  bool due(const comm::Communicator& world, std::int64_t step);

 private:
  std::optional<double> interval_;
  comm::Stopwatch since_start_;
  double last_due_ = 0;    ///< [s]
  double last_asked_ = 0;  ///< [s]
  std::int64_t asked_step_ = 0;
  std::int64_t next_step_ = 0;
};

}  // namespace halotherm::app
