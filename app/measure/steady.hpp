// SPDX-License-Identifier: MIT
// Time of a step after power and temperature have settled.
#pragma once

#include <functional>

namespace halotherm::app {

struct Steady {
  double step = 0;       ///< mean of the last windows [s]; 0: not measured
  int windows = 0;       ///< that it took
  bool settled = false;  ///< before there were too many
};

/// Calls `window`, which takes steps for about a second and gives the time of one, until four
/// windows in a row differ by no more than half a percent, and are not all slower than the one
/// before, as those of a device that still warms up are; 30 times at most.
Steady settle(const std::function<double()>& window);

}  // namespace halotherm::app
