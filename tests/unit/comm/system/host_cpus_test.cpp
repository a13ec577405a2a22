// SPDX-License-Identifier: MIT
#include "comm/system/host_cpus.hpp"

#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <sched.h>

#include <thread>
#include <vector>

namespace halotherm::comm {
namespace {

/// The files of CPUs 0 to 3, whose pairs share their last cache, and 4, without a level 3.
class HostCpus : public testing::Test {
 protected:
  void SetUp() override {
    for (const int cpu : {0, 1, 2, 3, 4}) {
      const auto alone = std::to_string(cpu);
      add(cpu, "cache/index0",
          {{"level", "1"}, {"type", "Data"}, {"size", "48K"}, {"shared_cpu_list", alone}});
      add(cpu, "cache/index1",
          {{"level", "1"}, {"type", "Instruction"}, {"size", "64K"}, {"shared_cpu_list", alone}});
      add(cpu, "cache/index2",
          {{"level", "2"}, {"type", "Unified"}, {"size", "1024K"}, {"shared_cpu_list", alone}});
      add(cpu, "cache/index4",
          {{"level", "4"}, {"type", "Instruction"}, {"size", "4096K"}, {"shared_cpu_list", alone}});
    }
    for (const int cpu : {0, 1, 2, 3}) {
      const auto* pair = cpu < 2 ? "0-1" : "2-3";
      add(cpu, "cache/index3",
          {{"level", "3"}, {"type", "Unified"}, {"size", "32768K"}, {"shared_cpu_list", pair}});
    }
    add(0, "cpufreq", {{"scaling_cur_freq", "2000000"}});
    add(1, "cpufreq", {{"scaling_cur_freq", "3000000"}});
  }

  void add(int cpu, const std::string& part,
           const std::vector<std::pair<std::string, std::string>>& files) {
    const auto folder = folder_.path() / ("cpu" + std::to_string(cpu)) / part;
    std::filesystem::create_directories(folder);
    for (const auto& [name, text] : files) test::write_bytes(folder / name, text + "\n");
  }

  std::int64_t mebibytes(const std::set<int>& cpus) const {
    return last_level_cache_bytes(cpus, folder_.path()) >> 20;
  }

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

TEST_F(HostCpus, MissingFilesAreUnknown) {
  EXPECT_FALSE(mean_clock_mhz({1'000'000}, folder_.path()));
  EXPECT_EQ(mebibytes({1'000'000}), 0);
  EXPECT_EQ(last_level_cache_bytes({0}, folder_.path() / "none"), 0);
}

TEST_F(HostCpus, ThisProcessRunsSomewhere) {
  EXPECT_FALSE(usable_cpus().empty());
}

TEST_F(HostCpus, TimeThatThreadsMissedIsAdded) {
  for (const auto* thread : {"1", "2", "3"})
    std::filesystem::create_directories(folder_.path() / thread);
  test::write_bytes(folder_.path() / "1" / "schedstat", "7000000 250000000 9\n");
  test::write_bytes(folder_.path() / "2" / "schedstat", "7000000 500000000 9\n");
  EXPECT_DOUBLE_EQ(processor_time(folder_.path()).value().missed, 0.75)
      << "the third has just ended";
  EXPECT_FALSE(processor_time(folder_.path() / "3"));
}

TEST_F(HostCpus, TheShareIsOfTheRequestedTime) {
  EXPECT_DOUBLE_EQ(share_since(ProcessorTime{10, 5}, ProcessorTime{11, 8}), 0.25);
  EXPECT_DOUBLE_EQ(share_since(ProcessorTime{10, 5}, ProcessorTime{10, 5}), 1) << "it slept";
  EXPECT_DOUBLE_EQ(share_since(ProcessorTime{10, 5}, ProcessorTime{11, 4}), 1)
      << "a thread that missed much has ended";
  EXPECT_DOUBLE_EQ(share_since(std::nullopt, ProcessorTime{11, 8}), 1);
}

TEST_F(HostCpus, TwoThreadsOnOneCoreMissEachOthersTime) {
  const auto before = processor_time();
  if (!before) GTEST_SKIP() << "no schedstat here";
  std::vector<std::thread> threads;
  const auto core = *usable_cpus().begin();
  for (int n = 0; n < 2; ++n) {
    threads.emplace_back([&] {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(core, &one);
      sched_setaffinity(0, sizeof one, &one);
      const auto own = thread_processor_time().value();
      while ((thread_processor_time().value() - own).had < 0.1) continue;
      EXPECT_LT(share_since(own, thread_processor_time()), 0.8);
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace halotherm::comm
