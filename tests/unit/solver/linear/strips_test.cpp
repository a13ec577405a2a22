// SPDX-License-Identifier: MIT
// Strips of rows cover a block once, and their memory starts with zeros.
#include "solver/linear/strips.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace halotherm::solver {
namespace {

TEST(Strips, CoverABoxOnce) {
  const comm::Box box{{-2, 3, 5}, {4, 50, 18}};
  for (const int threads : {1, 2, 7, 100}) {
    for (const std::int64_t bytes : {100, 9000, 1 << 20}) {
      const Strips strips(box, bytes, 2, threads);
      std::vector<int> seen(static_cast<std::size_t>(box.size()));
      for (int n = 0; n < strips.count(); ++n) {
        const auto part = strips.part(n);
        EXPECT_FALSE(part.empty());
        for (int k = part.lower[2]; k < part.upper[2]; ++k) {
          for (int j = part.lower[1]; j < part.upper[1]; ++j) {
            for (int i = part.lower[0]; i < part.upper[0]; ++i)
              ++seen[static_cast<std::size_t>((i + 2) + 6 * ((j - 3) + 47 * (k - 5)))];
          }
        }
      }
      EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << threads << ' ' << bytes;
      EXPECT_GE(strips.count(), std::min(threads, 13));
    }
  }
}

TEST(Strips, MemoryThatIsUsedAgainStartsWithZeros) {
  for (const std::size_t count : {100, 1000, 10}) {
    ThreadFloats some(count), others(count);
    EXPECT_NE(some.data(), others.data());
    EXPECT_EQ(std::accumulate(some.data(), some.data() + count, 0.0F), 0);
    std::fill_n(some.data(), count, 1.0F);
    std::fill_n(others.data(), count, 1.0F);
  }
}

TEST(Strips, PlanesFollowEachOther) {
  const comm::Box box{{0, 0, 2}, {3, 2, 9}};
  StagePlanes stages(box, 2);
  for (int k = 2; k < 9; ++k) {
    stages.row(1, 1, k)[2] = static_cast<float>(k);
    if (k < 4) continue;
    const auto star = stages.around(1, 1, k - 1).at(2);
    EXPECT_EQ(star.here, static_cast<float>(k - 1));
    EXPECT_EQ(star.below, static_cast<float>(k - 2));
    EXPECT_EQ(star.above, static_cast<float>(k));
    EXPECT_EQ(star.north + star.east + star.south + star.west, 0) << "no stage has set them";
  }
  EXPECT_EQ(stages.around(1, 1, 8).at(2).above, 0) << "beyond the box";
}

}  // namespace
}  // namespace halotherm::solver
