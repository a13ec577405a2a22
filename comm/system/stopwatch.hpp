// SPDX-License-Identifier: MIT
// Elapsed wall time.
#pragma once

#include <chrono>

namespace halotherm::comm {

/// Seconds since it was made, from a clock that never goes back.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace halotherm::comm
