// SPDX-License-Identifier: MIT
// Labels of connected parts against a flood fill, however the block is cut into pieces.
#include "app/parts/part_labels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

namespace halotherm::app {
namespace {

std::size_t place(const comm::Box& box, int i, int j, int k) {
  return (static_cast<std::size_t>(k - box.lower[2]) * static_cast<std::size_t>(box.extent(1)) +
          static_cast<std::size_t>(j - box.lower[1])) *
             static_cast<std::size_t>(box.extent(0)) +
         static_cast<std::size_t>(i - box.lower[0]);
}

/// The number of each cell's part, parts in the order of their first cells; -1 outside.
std::vector<int> flood_fill(const comm::Box& box, const std::vector<char>& body) {
  std::vector<int> part(body.size(), -1);
  int count = 0;
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) {
        if (body[place(box, i, j, k)] == 0 || part[place(box, i, j, k)] >= 0) continue;
        std::vector<comm::Int3> open{{i, j, k}};
        while (!open.empty()) {
          const auto cell = open.back();
          open.pop_back();
          if (!box.contains(cell[0], cell[1], cell[2])) continue;
          const auto n = place(box, cell[0], cell[1], cell[2]);
          if (body[n] == 0 || part[n] >= 0) continue;
          part[n] = count;
          for (int axis = 0; axis < 3; ++axis) {
            for (const int way : {-1, 1}) {
              auto next = cell;
              next[axis] += way;
              open.push_back(next);
            }
          }
        }
        ++count;
      }
    }
  }
  return part;
}

/// The same from labels, of pieces of at most `most` cells.
std::vector<int> labelled(const comm::Box& box, const std::vector<char>& body, std::int64_t most) {
  PartLabels labels(box);
  std::vector<int> all;
  for (const auto& piece : comm::contiguous_parts(box, most)) {
    const auto first = body.begin() + static_cast<std::ptrdiff_t>(all.size());
    const auto of_piece = labels.add(piece, {first, first + piece.size()});
    all.insert(all.end(), of_piece.begin(), of_piece.end());
  }
  std::map<int, int> numbers;
  for (auto& label : all) {
    if (label == PartLabels::none) continue;
    const int root = labels.root(label);
    label = numbers.emplace(root, static_cast<int>(numbers.size())).first->second;
  }
  return all;
}

TEST(PartLabels, AreThoseOfAFloodFill) {
  const comm::Box box{{3, -2, 5}, {16, 9, 14}};
  std::mt19937 random(7);
  for (const double share : {0.2, 0.35, 0.5, 0.7, 0.95}) {
    std::vector<char> body(static_cast<std::size_t>(box.size()));
    for (auto& cell : body) cell = std::bernoulli_distribution(share)(random) ? 1 : 0;
    const auto expected = flood_fill(box, body);
    for (const std::int64_t most : {1, 5, 13, 50, 143, 700, 100000})
      EXPECT_EQ(labelled(box, body, most), expected) << share << " in pieces of " << most;
  }
}

TEST(PartLabels, JoinedLabelsHaveOneRoot) {
  const comm::Box box{{0, 0, 0}, {7, 1, 1}};
  PartLabels labels(box);
  EXPECT_EQ(labels.add(box, {1, 0, 1, 0, 1, 0, 1}),
            (std::vector<int>{0, PartLabels::none, 1, PartLabels::none, 2, PartLabels::none, 3}));
  labels.join(3, 1);
  labels.join(2, 3);
  EXPECT_EQ(labels.root(0), 0);
  for (const int label : {1, 2, 3}) EXPECT_EQ(labels.root(label), 1);
  EXPECT_EQ(labels.root(PartLabels::none), PartLabels::none);
}

}  // namespace
}  // namespace halotherm::app
