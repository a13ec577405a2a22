// SPDX-License-Identifier: MIT
// Counts what a piece of work allocates by operator new, in any thread.
#pragma once

#include <cstdint>

namespace halotherm::test {

struct Allocations {
  std::int64_t count = 0;
  std::int64_t peak_bytes = 0;  ///< held at once, besides what was held before
};

/// Counts from its construction on. One at a time.
class AllocationCount {
 public:
  AllocationCount();
  ~AllocationCount();
  AllocationCount(const AllocationCount&) = delete;
  AllocationCount& operator=(const AllocationCount&) = delete;

  Allocations so_far() const;
};

/// What `work` allocates.
template <class Work>
Allocations allocations_of(const Work& work) {
  const AllocationCount counting;
  work();
  return counting.so_far();
}

}  // namespace halotherm::test
