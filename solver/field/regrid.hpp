// SPDX-License-Identifier: MIT
// A field on another grid of the same domain, with the same mean in every cell of the coarser one.
#pragma once

#include "comm/partition/box.hpp"

#include <optional>
#include <span>
#include <vector>

namespace halotherm::solver {

/// Between two grids of the same corners whose numbers of cells along each axis are whole multiples
/// of each other, finer along some axes and coarser along others. Where cells are joined the new
/// one gets their mean. Where a cell is divided, its parts follow the plane through its value whose
/// slope along each axis is the smaller one of those to its two neighbours, or 0 where these differ
/// in sign (minmod: Roe 1986): second order where the field is smooth, no over- or undershoot along
/// an axis, and the parts' mean is the old value to rounding. At the ends of the domain the slope
/// is 0.
class Regrid {
 public:
  /// None if the numbers of cells along some axis are no multiples of each other.
  static std::optional<Regrid> between(const comm::Int3& from, const comm::Int3& to);

  /// The old cells that the new cells of `block` need; may reach one cell beyond the domain, where
  /// the nearest cell's value counts.
  comm::Box source(const comm::Box& block) const;

  /// The values of the new cells of `block`, x fastest, out of those of the old ones of
  /// `source(block)`.
  std::vector<double> values(const comm::Box& block, std::span<const double> old) const;

 private:
  comm::Int3 cuts_{1, 1, 1};   ///< parts of an old cell along each axis
  comm::Int3 joins_{1, 1, 1};  ///< old cells in a new one along each axis
};

}  // namespace halotherm::solver
