// SPDX-License-Identifier: MIT
// Sums of products over all ranks that do not depend on the partition.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "solver/linear/vectors.hpp"

#include <functional>

namespace halotherm::app {

/// Sums of one kind, such as all r · z of a solve: each starts with the scale that fitted the last.
class Products {
 public:
  /// Collective. The sum of a · b over all blocks, or of a if `b` has no data. Throws
  /// CollectiveError (numerics) if a product is not finite.
  template <class Value>
  double sum(const comm::Communicator& world, const comm::Space& space, const comm::Box& owned,
             const comm::GridView<const Value>& a, const comm::GridView<const Value>& b);
  /// Collective. The same of the sums that `part` makes of a block for a scale, which it may be
  /// asked for several times.
  using Part = std::function<solver::ProductSum(const solver::SumScale&)>;
  double sum(const comm::Communicator& world, const Part& part);
  /// Collective. The same where `first`, which is called once, makes the sum while it computes what
  /// is summed up.
  double sum(const comm::Communicator& world, const Part& first, const Part& again);
  /// The next products are some 2^`exponent` times as large as the last.
  void expect_larger(int exponent) { top_ += exponent; }

 private:
  int top_ = 0;  ///< of the scale
};

}  // namespace halotherm::app
