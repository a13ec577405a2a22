// SPDX-License-Identifier: MIT
#include "comm/machine/meters.hpp"
#include "comm/device/execution.hpp"

#include "comm/device/execution.hpp"
#include "comm/machine/nvml.hpp"
#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

/// The files of a machine with two packages and their parts.
class CpuEnergy : public testing::Test {
 protected:
  void SetUp() override {
    if (!kernels_run_on_host) GTEST_SKIP() << "a GPU's meter reads no CPU counters";
    std::filesystem::create_directory(folder_.path() / "intel-rapl");
    add("intel-rapl:0", "package-0", 5'000'000);
    add("intel-rapl:0:0", "core", 100'000'000);
    add("intel-rapl:0:1", "dram", 100'000'000);
    add("intel-rapl:1", "package-1", 2'000'000);
    add("intel-rapl:2", "psys", 100'000'000);
    add("intel-rapl-mmio:0", "package-0", 100'000'000);
  }

  void add(const std::string& domain, const std::string& name, std::int64_t microjoules) {
    std::filesystem::create_directory(folder_.path() / domain);
    test::write_bytes(folder_.path() / domain / "name", name + "\n");
    test::write_bytes(folder_.path() / domain / "max_energy_range_uj", "10000000\n");
    count(domain, microjoules);
  }

  void count(const std::string& domain, std::int64_t microjoules) {
    test::write_bytes(folder_.path() / domain / "energy_uj", std::to_string(microjoules) + "\n");
  }

  Communicator world_{MPI_COMM_WORLD};
  test::TemporaryFolder folder_{world_};
};

TEST_F(CpuEnergy, SumsPackagesOnly) {
  const EnergyMeter meter(folder_.path());
  EXPECT_DOUBLE_EQ(meter.joules().value(), 7);
  count("intel-rapl:0", 6'500'000);
  EXPECT_DOUBLE_EQ(meter.joules().value(), 8.5);
}

TEST_F(CpuEnergy, CountersMayWrapAround) {
  const EnergyMeter meter(folder_.path());
  EXPECT_DOUBLE_EQ(meter.joules().value(), 7);
  count("intel-rapl:0", 1'000'000);  // 6 J on
  EXPECT_DOUBLE_EQ(meter.joules().value(), 13);
  EXPECT_DOUBLE_EQ(meter.joules().value(), 13);
  count("intel-rapl:0", 9'000'000);
  count("intel-rapl:1", 0);
  EXPECT_DOUBLE_EQ(meter.joules().value(), 29);
  count("intel-rapl:0", 0);
  EXPECT_DOUBLE_EQ(meter.joules().value(), 30);
}

TEST_F(CpuEnergy, HasNoValueWithoutAllCounters) {
  const EnergyMeter meter(folder_.path());
  const auto counter = folder_.path() / "intel-rapl:1" / "energy_uj";
  std::filesystem::remove(counter);
  EXPECT_FALSE(meter.joules());
  std::filesystem::create_directory(counter);  // opens but cannot be read, even by root
  EXPECT_FALSE(meter.joules());
  std::filesystem::remove(counter);
  count("intel-rapl:1", 3'000'000);
  EXPECT_DOUBLE_EQ(meter.joules().value(), 8);
}

TEST_F(CpuEnergy, HasNoValueWithoutCounters) {
  EXPECT_FALSE(EnergyMeter(folder_.path() / "none").joules());
  EXPECT_FALSE(EnergyMeter(folder_.path() / "intel-rapl").joules());
}

TEST(Meters, EnergyOnlyGrows) {
  const EnergyMeter meter;
  const auto before = meter.joules();
  const auto after = meter.joules();
  EXPECT_EQ(before.has_value(), after.has_value());
  EXPECT_GE(after.value_or(0), before.value_or(0));
}

TEST(Meters, ClocksArePlausible) {
  const auto clocks = current_clocks();
  for (const auto& mhz : {clocks.compute_mhz, clocks.memory_mhz}) {
    if (!mhz) continue;
    EXPECT_GT(*mhz, 50);
    EXPECT_LT(*mhz, 50e3);
  }
  EXPECT_FALSE(kernels_run_on_host && clocks.memory_mhz);
}

TEST(Meters, ClockLimitsHaveReasons) {
  EXPECT_EQ(clock_limit_of(0), ClockLimit::none);
  EXPECT_EQ(clock_limit_of(0x1 | 0x2 | 0x10 | 0x100), ClockLimit::none)
      << "idle, or limited by a setting";
  EXPECT_EQ(clock_limit_of(0x4), ClockLimit::power);
  EXPECT_EQ(clock_limit_of(0x80 | 0x8), ClockLimit::power);
  EXPECT_EQ(clock_limit_of(0x4 | 0x20), ClockLimit::heat);
  EXPECT_EQ(clock_limit_of(0x8), ClockLimit::hardware);
}

TEST(Meters, PeakBandwidthIsPlausible) {
  const auto peak = peak_memory_bandwidth();
  EXPECT_EQ(peak.has_value(), !kernels_run_on_host);
  EXPECT_GT(peak.value_or(1e12), 10e9);
  EXPECT_LT(peak.value_or(1e12), 100e12);
}

TEST(Meters, LastCacheIsPlausible) {
  const auto bytes = last_level_cache_bytes();
  if (bytes == 0) GTEST_SKIP() << "unknown on this machine";
  EXPECT_GE(bytes, 128 << 10);
  EXPECT_LE(bytes, std::int64_t{16} << 30);
}

TEST(Meters, AnUnknownGpuHasNoValues) {
  const Nvml gpu("no PCI bus id");
  for (const auto& answer : {gpu.joules(), gpu.compute_mhz(), gpu.memory_mhz(),
                             gpu.highest_memory_mhz(), gpu.memory_bus_bits()}) {
    EXPECT_FALSE(answer);
  }
}

}  // namespace
}  // namespace halotherm::comm
