// SPDX-License-Identifier: MIT
// How many files are due; regression/allocations compares with what runs write.
#include "app/output/run_files.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

Config config_with(const std::string& time, const std::string& output,
                   const std::string& cells = "[100, 100, 100]") {
  const std::string corner = cells.size() < 8 ? "[1]" : "[1, 1, 1]";
  return parse_config("grid: {cells: " + cells + ", upper: " + corner +
                          "}\n"
                          "materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
                          "initial: {temperature: 300}\n"
                          "time: " +
                          time + "\noutput: " + output + "\n",
                      "test", {});
}

RunFiles files_with(const std::string& time, const std::string& output, std::int64_t steps,
                    double dt, std::optional<double> seconds = {}) {
  return files_of_run(config_with(time, output), steps, dt, seconds);
}

TEST(RunFiles, CountTheLastStateOnce) {
  const auto last_is_due =
      files_with("{steps: 20}", "{checkpoint: {steps: 5}, fields: {steps: 10}}", 20, 1);
  EXPECT_EQ(last_is_due.checkpoints.count, 4);
  EXPECT_EQ(last_is_due.snapshots.count, 3);
  const auto beyond =
      files_with("{steps: 21}", "{checkpoint: {steps: 5}, fields: {steps: 10}}", 21, 1);
  EXPECT_EQ(beyond.checkpoints.count, 5);
  EXPECT_EQ(beyond.snapshots.count, 4);
  const auto none = files_with("{steps: 21}", "{}", 21, 1);
  EXPECT_EQ(none.checkpoints.count, 1) << "of the last state";
  EXPECT_EQ(none.snapshots.count, 0);
}

TEST(RunFiles, CountMultiplesOfATime) {
  const auto landing =
      files_with("{end: 100}", "{checkpoint: {every: 25}, fields: {every: 10}}", 1000, 0.1);
  EXPECT_EQ(landing.checkpoints.count, 4);
  EXPECT_EQ(landing.snapshots.count, 11);
  const auto between =
      files_with("{end: 99}", "{checkpoint: {every: 25}, fields: {every: 10}}", 990, 0.1);
  EXPECT_EQ(between.checkpoints.count, 4);
  EXPECT_EQ(between.snapshots.count, 11);
  EXPECT_EQ(files_with("{end: 100}", "{checkpoint: {every: 1}}", 10, 10).checkpoints.count, 10)
      << "at most one a step";
}

TEST(RunFiles, FollowRealTimeWhereThatIsPredicted) {
  const std::string hourly = "{checkpoint: {walltime: 1h}}";
  EXPECT_FALSE(files_with("{steps: 100}", hourly, 100, 1).checkpoints.count);
  EXPECT_EQ(files_with("{steps: 100}", hourly, 100, 1, 9000).checkpoints.count, 3);
}

TEST(RunFiles, HoldTheValuesOfLargeGrids) {
  const auto config = config_with("{steps: 1}", "{fields: {steps: 1}}", "[131072, 131072, 65536]");
  const auto files = files_of_run(config, 1, 1, {});
  EXPECT_EQ(files.checkpoints.bytes_each, (std::int64_t{1} << 53) + (1 << 20));
  EXPECT_EQ(files.snapshots.bytes_each, files.checkpoints.bytes_each);
  EXPECT_EQ(files.bytes(), 3 * files.checkpoints.bytes_each);
  const auto many = files_of_run(config, 1'000'000, 1, {});
  EXPECT_EQ(many.bytes(), 9'000'000'000'000'000'000);
  const auto flat =
      files_of_run(config_with("{steps: 1}", "{fields: {steps: 1}}", "[100]"), 1, 1, {});
  EXPECT_EQ(flat.checkpoints.bytes_each, 800);
  EXPECT_EQ(flat.snapshots.bytes_each, 4 * 800) << "two points along flat axes";
}

}  // namespace
}  // namespace halotherm::app
