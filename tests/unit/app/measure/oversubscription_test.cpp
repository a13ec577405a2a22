// SPDX-License-Identifier: MIT
#include "app/measure/oversubscription.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/invented_ranks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace halotherm::app {
namespace {

TEST(Oversubscription, CountsThreadsThatHaveToShareCores) {
  using Numbers = std::vector<double>;
  EXPECT_EQ(oversubscription({{"a", {0}, 1, ""}, {"a", {0}, 1, ""}}), Numbers({2, 2}));
  EXPECT_EQ(oversubscription({{"a", {0}, 1, ""}, {"a", {1}, 1, ""}}), Numbers({1, 1}));
  EXPECT_EQ(oversubscription({{"a", {0}, 1, ""}, {"b", {0}, 1, ""}}), Numbers({1, 1}))
      << "another host";
  EXPECT_EQ(oversubscription({{"a", {0, 1, 2, 3}, 4, ""}, {"a", {0, 1, 2, 3}, 4, ""}}),
            Numbers({2, 2}));
  EXPECT_EQ(oversubscription({{"a", {0, 1, 2, 3}, 1, ""}, {"a", {0, 1, 2, 3}, 1, ""}}),
            Numbers({1, 1}));
  EXPECT_EQ(oversubscription({{"a", {0}, 1, ""}, {"a", {0}, 1, ""}, {"a", {1, 2}, 1, ""}}),
            Numbers({2, 2, 1}));
  EXPECT_EQ(oversubscription({{"a", {0}, 1, ""}, {"a", {0, 1}, 1, ""}}), Numbers({1, 1}))
      << "the second can go out of the way";
}

TEST(Oversubscription, CountsRanksOfADevice) {
  EXPECT_EQ(oversubscription({{"a", {0}, 1, "GPU-1"},
                              {"a", {0}, 1, "GPU-1"},
                              {"a", {0}, 1, "GPU-2"},
                              {"b", {0}, 1, "GPU-1"}}),
            std::vector<double>({2, 2, 1, 1}));
}

/// One by one, as a loop over all pairs of ranks would find it, it would take hours.
TEST(Oversubscription, IsFoundForAsManyRanksAsMachinesHave) {
  for (const int ranks : test::many) {
    std::vector<RankCores> cores, devices;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto host = "node" + std::to_string(rank / 64);
      cores.push_back({host, {rank % 64 / 2}, 1, ""});
      devices.push_back({host, {0}, 1, "GPU-" + std::to_string(rank % 64 / 2)});
    }
    std::vector<double> of_cores, of_devices;
    const auto cost = test::allocations_of([&] {
      of_cores = oversubscription(cores);
      of_devices = oversubscription(devices);
    });
    const std::vector<double> expected(static_cast<std::size_t>(ranks), 2);
    EXPECT_EQ(of_cores, expected);
    EXPECT_EQ(of_devices, expected);
    EXPECT_LE(cost.count, 12 * ranks);
    EXPECT_LE(cost.peak_bytes, 400 * ranks);
  }
}

TEST(Oversubscription, PlacesSurviveTheirJourney) {
  const RankCores on_gpu{"a \"host\"", {0, 5}, 3, "GPU 1"};
  const RankCores on_cpus{"", {}, 1, ""};
  for (const auto& rank : {on_gpu, on_cpus}) EXPECT_EQ(rank_cores_from_text(to_text(rank)), rank);
}

TEST(SharedDevices, AreNamedWithTheirRanks) {
  const auto text = shared_devices_text(test::places_of({{"a", "one", 0, true},
                                                         {"a", "one", 0, true},
                                                         {"a", "two", 0, false},
                                                         {"b", "three", 0, true},
                                                         {"b", "three", 0, true}}));
  EXPECT_EQ(text.find("ranks 0, 1 share one of a; ranks 3, 4 share three of b: "), 0U) << text;
  EXPECT_EQ(text.find("two"), std::string::npos);
  EXPECT_NE(text.find("MPS"), std::string::npos);
}

TEST(SharedDevices, OneRankADeviceIsNoMatter) {
  EXPECT_EQ(shared_devices_text(
                test::places_of({{"a", "G", 1}, {"b", "G", 1}, {"c", "2 OpenMP threads"}})),
            "");
}

TEST(SharedDevices, OnlyTheFirstOfManyAreNamed) {
  std::vector<test::InventedRank> ranks;
  for (int rank = 0; rank < 2000; ++rank)
    ranks.push_back({"node" + std::to_string(rank / 16), "G", 1 + rank / 2, true});
  const auto text = shared_devices_text(test::places_of(ranks));
  EXPECT_NE(text.find("; so do those of 996 more devices: "), std::string::npos) << text;
  EXPECT_LT(text.size(), 1000U);
}

}  // namespace
}  // namespace halotherm::app
