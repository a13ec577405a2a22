// SPDX-License-Identifier: MIT
// The contiguous parts of a box by their numbers, for boxes with too many parts to list.
#pragma once

#include "comm/partition/box.hpp"

namespace halotherm::comm {

/// The boxes of `contiguous_parts(box, most)`, in the order of memory, computed when they are asked
/// for: a grid of 2^50 cells has 2^30 parts of 2^20.
class ContiguousParts {
 public:
  ContiguousParts(const Box& box, std::int64_t most);

  /// 0 if the box is empty.
  std::int64_t count() const { return counts_[0] * counts_[1] * counts_[2]; }
  Box operator[](std::int64_t part) const;

 private:
  Box box_, first_;
  Kokkos::Array<std::int64_t, 3> counts_{};  ///< of parts along each axis
};

}  // namespace halotherm::comm
