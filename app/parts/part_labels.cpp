// SPDX-License-Identifier: MIT
#include "app/parts/part_labels.hpp"

#include <algorithm>

namespace halotherm::app {

PartLabels::PartLabels(const comm::Box& owned) : owned_(owned) {}

int PartLabels::root(int label) const {
  while (label != none && parents_[static_cast<std::size_t>(label)] != label)
    label = parents_[static_cast<std::size_t>(label)];
  return label;
}

void PartLabels::join(int one, int other) {
  const int a = root(one), b = root(other), lowest = std::min(a, b);
  for (int label : {one, other, a, b}) {
    while (parents_[static_cast<std::size_t>(label)] != lowest && label != lowest) {
      const int above = parents_[static_cast<std::size_t>(label)];
      parents_[static_cast<std::size_t>(label)] = lowest;
      label = above;
    }
  }
}

/// Of a cell of the body, whose neighbours before it have these labels.
int PartLabels::label_of(int left, int front, int below) {
  int label = none;
  for (const int other : {left, front, below}) {
    if (other == none || other == label) continue;
    if (label != none) join(label, other);
    label = label == none ? other : root(label);
  }
  if (label != none) return label;
  parents_.push_back(count());
  return count() - 1;
}

std::vector<int> PartLabels::add(const comm::Box& piece, const std::vector<char>& in_body) {
  std::vector<int> labels(in_body.size(), none);
  const auto row = static_cast<std::size_t>(owned_.extent(0));
  std::size_t n = 0;
  for (int k = piece.lower[2]; k < piece.upper[2]; ++k) {
    for (int j = piece.lower[1]; j < piece.upper[1]; ++j) {
      const bool has_front = j > owned_.lower[1], has_below = k > owned_.lower[2];
      auto place = static_cast<std::size_t>(j - owned_.lower[1]) * row +
                   static_cast<std::size_t>(piece.lower[0] - owned_.lower[0]);
      const auto end = place + static_cast<std::size_t>(piece.extent(0));
      if (latest_.size() < end) latest_.resize(end, none);
      for (int i = piece.lower[0]; i < piece.upper[0]; ++i, ++n, ++place) {
        if (in_body[n] != 0)
          labels[n] =
              label_of(i > owned_.lower[0] ? latest_[place - 1] : none,
                       has_front ? latest_[place - row] : none, has_below ? latest_[place] : none);
        latest_[place] = labels[n];
      }
    }
  }
  return labels;
}

}  // namespace halotherm::app
