// SPDX-License-Identifier: MIT
// Values between the order of blocks and the order of the file.
#pragma once

#include "io/write_plan.hpp"

#include <span>
#include <vector>

namespace halotherm::io {

/// Fills `message` with the values of `transfer`'s parts, out of this rank's block of the plan.
template <class Real>
void pack(const WritePlan& plan, std::span<const Real> block, const Transfer& transfer, std::span<Real> message);

/// Puts chunks together, in ascending order, from a rank's own block and what others sent it.
template <class Real>
class ChunkAssembly {
 public:
  /// `received`: one message a transfer of the plan's `receives`.
  ChunkAssembly(const WritePlan& plan, std::span<const Real> block, const std::vector<std::vector<Real>>& received)
      : plan_(plan), block_(block), received_(received), next_received_(received.size(), 0) {}

  /// The chunk's values in the order of the file; valid until the next call. Chunks of other ranks are skipped.
  std::span<const Real> chunk(std::int64_t number);

 private:
  const WritePlan& plan_;
  std::span<const Real> block_;
  const std::vector<std::vector<Real>>& received_;
  std::size_t next_local_ = 0;
  std::vector<std::size_t> next_received_;
  std::vector<Real> values_;
};

}  // namespace halotherm::io
