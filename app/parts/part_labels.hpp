// SPDX-License-Identifier: MIT
// Labels of the connected parts of a body, found in one pass over the cells of a block.
#pragma once

#include "comm/partition/box.hpp"

#include <vector>

namespace halotherm::app {

/// Labels cells in the order of memory and keeps the labels of one plane only, so a block may be
/// larger than the memory (Hoshen & Kopelman 1976, Phys. Rev. B 14). Labels that turn out to be of
/// one part are joined; a part is known by the lowest of its labels, its root.
class PartLabels {
 public:
  static constexpr int none = -1;  ///< the label of cells outside of the body

  /// For the cells of this block.
  explicit PartLabels(const comm::Box& owned);

  /// The labels of the cells of the next piece, x fastest. Pieces come in the order of
  /// comm::contiguous_parts. `in_body`: whether each cell of the piece is of the body.
  std::vector<int> add(const comm::Box& piece, const std::vector<char>& in_body);

  /// Makes two labels those of one part.
  void join(int one, int other);
  /// The lowest label of the part; `none` stays what it is.
  int root(int label) const;
  /// The number of labels, from 0 on.
  int count() const { return static_cast<int>(parents_.size()); }

 private:
  int label_of(int left, int front, int below);

  comm::Box owned_;
  /// of the last cell of each column along z, x fastest, as far as pieces came
  std::vector<int> latest_;
  std::vector<int> parents_;  ///< of each label: a lower one of its part, or itself
};

}  // namespace halotherm::app
