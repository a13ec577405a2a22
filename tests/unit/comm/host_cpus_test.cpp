// SPDX-License-Identifier: MIT
#include "comm/host_cpus.hpp"

#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

/// CPUs as Linux shows them: 0 to 3 in pairs that share their last cache, 4 without one of level 3.
class HostCpus : public testing::Test {
 protected:
  void SetUp() override {
    for (const int cpu : {0, 1, 2, 3, 4}) {
      const auto alone = std::to_string(cpu);
      add(cpu, "cache/index0", {{"level", "1"}, {"type", "Data"}, {"size", "48K"}, {"shared_cpu_list", alone}});
      add(cpu, "cache/index1", {{"level", "1"}, {"type", "Instruction"}, {"size", "64K"}, {"shared_cpu_list", alone}});
      add(cpu, "cache/index2", {{"level", "2"}, {"type", "Unified"}, {"size", "1024K"}, {"shared_cpu_list", alone}});
      add(cpu, "cache/index4", {{"level", "4"}, {"type", "Instruction"}, {"size", "4096K"}, {"shared_cpu_list", alone}});
    }
    for (const int cpu : {0, 1, 2, 3}) {
      const auto* pair = cpu < 2 ? "0-1" : "2-3";
      add(cpu, "cache/index3", {{"level", "3"}, {"type", "Unified"}, {"size", "32768K"}, {"shared_cpu_list", pair}});
    }
    add(0, "cpufreq", {{"scaling_cur_freq", "2000000"}});
    add(1, "cpufreq", {{"scaling_cur_freq", "3000000"}});
  }

  void add(int cpu, const std::string& part, const std::vector<std::pair<std::string, std::string>>& files) {
    const auto folder = folder_.path() / ("cpu" + std::to_string(cpu)) / part;
    std::filesystem::create_directories(folder);
    for (const auto& [name, text] : files) test::write_bytes(folder / name, text + "\n");
  }

  std::int64_t mebibytes(const std::set<int>& cpus) const { return last_level_cache_bytes(cpus, folder_.path()) >> 20; }

  Communicator world_{MPI_COMM_WORLD};
  test::TemporaryFolder folder_{world_};
};

TEST_F(HostCpus, SharedCachesCountOnce) {
  EXPECT_EQ(mebibytes({0}), 32);
  EXPECT_EQ(mebibytes({0, 1}), 32);
  EXPECT_EQ(mebibytes({1, 2}), 64);
  EXPECT_EQ(mebibytes({0, 1, 2, 3}), 64);
}

TEST_F(HostCpus, TheLastCacheHoldsData) {
  EXPECT_EQ(mebibytes({4}), 1);
  EXPECT_EQ(mebibytes({3, 4}), 33);
}

TEST_F(HostCpus, ClocksAreAveraged) {
  EXPECT_DOUBLE_EQ(mean_clock_mhz({0, 1}, folder_.path()).value(), 2500);
  EXPECT_DOUBLE_EQ(mean_clock_mhz({1}, folder_.path()).value(), 3000);
}

TEST_F(HostCpus, WhatIsNotThereIsNotKnown) {
  EXPECT_FALSE(mean_clock_mhz({1'000'000}, folder_.path()));
  EXPECT_EQ(mebibytes({1'000'000}), 0);
  EXPECT_EQ(last_level_cache_bytes({0}, folder_.path() / "none"), 0);
}

TEST_F(HostCpus, ThisProcessRunsSomewhere) {
  EXPECT_FALSE(usable_cpus().empty());
}

}  // namespace
}  // namespace halotherm::comm
