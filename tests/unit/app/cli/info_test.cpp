// SPDX-License-Identifier: MIT
#include "app/cli/info.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/invented_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace halotherm::app {
namespace {

TEST(PlaceLines, AFewDevicesHaveALineEach) {
  EXPECT_EQ(place_lines(test::places_of({{"a", "NVIDIA H200", 1}, {"a", "NVIDIA H200", 2}})),
            "places         rank 0: a, NVIDIA H200 GPU-01000000-0000-0000-0000-000001000000\n"
            "               rank 1: a, NVIDIA H200 GPU-01000000-0000-0000-0000-000002000000\n");
  EXPECT_EQ(place_lines(test::places_of({{"a", "2 OpenMP threads"}, {"a", "2 OpenMP threads"}})),
            "places         ranks 0 to 1: a, 2 OpenMP threads\n");
  EXPECT_EQ(place_lines(test::places_of({{"a", "G", 1, true}, {"a", "G", 1, true}})),
            "places         ranks 0 to 1: a, G GPU-01000000-0000-0000-0000-000001000000 (shared by "
            "several ranks)\n");
}

TEST(PlaceLines, ManyAreGroupedByHostAndModel) {
  EXPECT_EQ(place_lines(test::invented_places(64, 8, 5)),
            "places         ranks 0 to 7: node0, 8 x NVIDIA H200\n"
            "               ranks 8 to 15: node1, 8 x NVIDIA H200\n"
            "               ranks 16 to 23: node2, 8 x NVIDIA H200\n"
            "               ranks 24 to 31: node3, 8 x NVIDIA H200\n"
            "               and 3 more hosts alike\n"
            "               ranks 40 to 47: node5, 8 x NVIDIA H100\n");
}

TEST(PlaceLines, TheirNumberDoesNotGrowWithTheRanks) {
  for (const int ranks : test::many) {
    const auto places = test::invented_places(ranks, 8, 1023);
    std::string text;
    const auto cost = test::allocations_of([&] { text = place_lines(places); });
    EXPECT_EQ(std::ranges::count(text, '\n'), 6) << text;
    EXPECT_NE(text.find("and " + std::to_string(ranks / 8 - 5) + " more hosts alike"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("ranks 8184 to 8191: node1023, 8 x NVIDIA H100\n"), std::string::npos);
    EXPECT_LE(cost.peak_bytes, 64 * ranks);
    EXPECT_LE(cost.count, 10 * ranks);
  }
}

}  // namespace
}  // namespace halotherm::app
