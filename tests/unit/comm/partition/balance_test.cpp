// SPDX-License-Identifier: MIT
#include "comm/partition/balance.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace halotherm::comm {
namespace {

constexpr Periodic open{false, false, false};

std::vector<int> along(const Int3& cells, const Int3& dims, const std::vector<double>& speeds,
                       int axis, int thinnest = 1) {
  return balanced_split_points({cells, open, dims}, speeds,
                               thinnest)[static_cast<std::size_t>(axis)];
}

TEST(Balance, ImbalanceIsTheSlowestRanksTimeOverTheIdealOne) {
  const Partition partition({8, 8, 12}, open, {1, 1, 3});
  EXPECT_DOUBLE_EQ(imbalance(partition, {5, 5, 5}), 1);
  EXPECT_DOUBLE_EQ(imbalance(partition, {1, 1, 0.5}), 4 / 0.5 / (12 / 2.5));
}

TEST(Balance, EqualSpeedsKeepTheEvenPartition) {
  const Partition partition({29, 23, 17}, open, {3, 2, 2});
  EXPECT_EQ(balanced_split_points(partition, std::vector<double>(12, 1e9), 1),
            partition.split_points());
}

TEST(Balance, AlongOneAxisExtentsGoBySpeed) {
  EXPECT_EQ(along({8, 8, 120}, {1, 1, 3}, {1e9, 2e9, 3e9}, 2), (std::vector<int>{0, 20, 60, 120}));
  EXPECT_EQ(along({8, 90, 8}, {1, 2, 1}, {2, 1}, 1), (std::vector<int>{0, 60, 90}));
}

TEST(Balance, RoundingMakesTheSlowestRanksTimeLeast) {
  EXPECT_EQ(along({11, 1, 1}, {3, 1, 1}, {1, 1, 1.9}, 0),
            (std::vector<int>{0, 3, 6, 11}));  // not 2, 3 and 6
  EXPECT_EQ(along({5, 1, 1}, {2, 1, 1}, {1, 3}, 0), (std::vector<int>{0, 1, 5}));
}

TEST(Balance, BlocksStayAsThickAsTheHalo) {
  EXPECT_EQ(along({100, 1, 1}, {3, 1, 1}, {1e-6, 1, 1}, 0, 4), (std::vector<int>{0, 4, 52, 100}));
  EXPECT_EQ(along({12, 1, 1}, {3, 1, 1}, {1, 100, 10000}, 0, 4), (std::vector<int>{0, 4, 8, 12}));
}

TEST(Balance, ASlowLayerIsMadeThinAndOtherAxesStay) {
  const Partition partition({64, 60, 60}, open, {1, 2, 2});
  const auto split_points =
      balanced_split_points(partition, {1, 1, 0.5, 0.5}, 1);  // a slow node has the upper half of z
  EXPECT_EQ(split_points[1], (std::vector<int>{0, 30, 60}));
  EXPECT_EQ(split_points[2], (std::vector<int>{0, 40, 60}));
}

TEST(Balance, ASlowRankAmongFourIsRelievedAlongOneAxis) {
  const Partition partition({64, 60, 60}, open, {1, 2, 2});
  const std::vector<double> speeds{0.5, 1, 1, 1};
  const auto moved = partition.between(balanced_split_points(partition, speeds, 1));
  EXPECT_NEAR(imbalance(partition, speeds), 1.75, 1e-12);
  EXPECT_LT(imbalance(moved, speeds), 1.2);
}

TEST(Balance, NeverWorseThanTheInitialPartition) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> speed(0.2, 2);
  for (const auto& dims : {Int3{1, 1, 5}, Int3{3, 2, 1}, Int3{2, 2, 2}, Int3{4, 3, 2}}) {
    for (int round = 0; round < 20; ++round) {
      const Partition partition({40, 50, 61}, open, dims);
      std::vector<double> speeds(static_cast<std::size_t>(partition.ranks()));
      for (auto& one : speeds) one = speed(random);
      const auto moved = partition.between(balanced_split_points(partition, speeds, 2));
      EXPECT_EQ(moved.cells(), partition.cells());
      EXPECT_LE(imbalance(moved, speeds), imbalance(partition, speeds));
      EXPECT_GE(imbalance(moved, speeds), 1 - 1e-12);
      for (int axis = 0; axis < 3; ++axis) EXPECT_GE(moved.thinnest(axis), 2);
    }
  }
}

TEST(Balance, FollowsTheRankMapping) {
  const auto partition = Partition({8, 8, 90}, open, {1, 1, 3}).mapped({2, 0, 1});
  const auto moved = partition.between(balanced_split_points(partition, {1, 4, 4}, 1));
  EXPECT_EQ(moved.owned(0), (Box{{0, 0, 80}, {8, 8, 90}}));
}

TEST(Balance, HugeAxesTakeNoTime) {
  EXPECT_EQ(along({1 << 30, 1, 1}, {2, 1, 1}, {1, 3}, 0), (std::vector<int>{0, 1 << 28, 1 << 30}));
}

}  // namespace
}  // namespace halotherm::comm
