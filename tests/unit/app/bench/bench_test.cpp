// SPDX-License-Identifier: MIT
// bench measures everything that it says, on grids so small that its numbers mean nothing.
#include "app/bench/bench.hpp"
#include "app/bench/bench_report.hpp"
#include "app/bench/bench_solves.hpp"
#include "tests/support/io_support.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <set>
#include <sstream>

namespace halotherm::app {
namespace {

using test::world;

TEST(Bench, MeasuresEveryOperatorAndLeavesNothingBehind) {
  const test::TemporaryFolder folder(world());
  BenchOptions options;
  options.cells = {{20, 9, 7}, {33, 12, 1}, {50, 1, 1}};
  options.repeats = 2;
  options.directory = folder.path() / "bench";
  std::ostringstream text;
  const auto record = bench(world(), options, io::Log(world(), text));
  std::set<std::string> names;
  for (const auto& row : record.rows) {
    names.insert(row.kind + " " + row.name + " " + row.precision);
    EXPECT_GT(row.cells_per_second, 0) << row.name;
    EXPECT_GE(row.seconds, row.seconds_min) << row.name;
    EXPECT_GE(row.repeats, 2) << row.name;
    EXPECT_EQ(row.fraction.has_value(), row.kind == "stencil") << row.name;
    EXPECT_EQ(row.solve.has_value(), row.kind == "solve") << row.name;
    if (world().is_root()) {
      EXPECT_NE(text.str().find(row.name), std::string::npos);
    }
  }
  EXPECT_EQ(names.size(), record.rows.size()) << "every row has a name of its own";
  for (const char* name :
       {"stencil 3-D 7-point float64", "stencil 3-D 7-point, interior + shell float32",
        "stencil 2-D 5-point, K varies float64", "stencil 1-D 3-point float32",
        "stencil 3-D 7-point, K(T) float32",
        "stencil 1-D 3-point, K(T), two materials in layers float64",
        "halo pack both x faces float64", "files checkpoint write, flush float64",
        "files parallel HDF5 write, flush float64", "files plain read float64",
        "solve 3-D solve, mixed sides float32", "solve 3-D solve, thin layers float64",
        "solve 2-D solve, jumps of 1e4 float64", "solve 3-D solve, grains float64",
        "files checkpoint read, verified float64"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_EQ(record.ceilings.size(), 12u);
  EXPECT_FALSE(std::filesystem::exists(options.directory));
}

TEST(Bench, SolvesReachTheirTolerance) {
  std::vector<BenchRow> rows;
  measure_solves<double>(world(), {18, 17, 21}, 2, [&](BenchRow row) { rows.push_back(row); });
  ASSERT_EQ(rows.size(), 4u);
  for (const auto& row : rows) {
    ASSERT_TRUE(row.solve) << row.name;
    EXPECT_LE(row.solve->residual, 1e-8) << row.name;
    EXPECT_NEAR(std::pow(row.solve->reduction, static_cast<double>(row.solve->iterations)),
                row.solve->residual, 1e-3 * row.solve->residual);
    EXPECT_GE(row.solve->levels, 4) << row.name;
    EXPECT_LE(row.solve->iterations, 30) << row.name;
    EXPECT_GT(row.solve->copies, 0) << row.name;
    EXPECT_GT(row.solve->setup_seconds, 0) << row.name;
    EXPECT_NEAR(row.cells_per_second * row.seconds, 18.0 * 17 * 21 * world().size(), 1);
    EXPECT_NE(bench_line(row).find(" copies, "), std::string::npos) << bench_line(row);
  }
  rows.clear();
  measure_solves<double>(world(), {50, 1, 1}, 2, [&](BenchRow row) { rows.push_back(row); });
  EXPECT_TRUE(rows.empty());
}

TEST(Bench, DoubtsWhatCachesServe) {
  const test::TemporaryFolder folder(world());
  BenchOptions options;
  options.cells = {{16, 16, 1}};
  options.repeats = 1;
  options.precisions = {"float64"};
  std::ostringstream text;
  const auto record = bench(world(), options, io::Log(world(), text));
  if (record.cache_bytes == 0) GTEST_SKIP() << "this machine does not say how large its caches are";
  for (const auto& row : record.rows) EXPECT_NE(row.warning, "") << row.name;
}

TEST(Bench, JsonHoldsWhatPlotsNeed) {
  BenchRecord record;
  record.peak_bandwidth = 4.9e12;
  record.ceilings.push_back({"copy", "float64", {4, 4, 4}, 1024, 2e12, 2e12, ""});
  BenchRow row;
  row.kind = "stencil";
  row.cells_per_second = 64e6;
  row.bytes_per_cell = 16;
  row.ceiling = 2e12;
  row.fraction = 0.5;
  record.rows.push_back(row);
  row.solve = BenchSolve{.iterations = 9, .levels = 7, .reduction = 0.125, .copies = 40};
  record.rows.push_back(row);
  const auto json = nlohmann::json::parse(bench_json(record));
  EXPECT_EQ(json["device"]["peak_bandwidth"], 4.9e12);
  EXPECT_EQ(json["rows"][0]["bandwidth"], 64e6 * 16);
  EXPECT_EQ(json["rows"][0]["ceiling"], 2e12);
  EXPECT_EQ(json["rows"][0]["fraction"], 0.5);
  EXPECT_TRUE(json["rows"][0]["joules_per_cell"].is_null());
  EXPECT_TRUE(json["rows"][0]["warning"].is_null());
  EXPECT_TRUE(json["rows"][0]["solve"].is_null());
  EXPECT_EQ(json["rows"][1]["solve"]["iterations"], 9);
  EXPECT_EQ(json["rows"][1]["solve"]["reduction_per_iteration"], 0.125);
  EXPECT_EQ(json["rows"][1]["solve"]["copies"], 40);
}

TEST(Bench, ADisturbedRowIsMarked) {
  EXPECT_EQ(disturbance(4.2e12, 4.2e12, 1), "");
  EXPECT_EQ(disturbance(3.9e12, 4.2e12, 0.95), "");
  EXPECT_EQ(disturbance(3.53e12, 4.2e12, 1),
            "disturbed: its copies ran at 84 % of this grid's best");
  EXPECT_EQ(disturbance(60e9, 63e9, 0.35), "other programs: it got 35 % of its cores' time");
  BenchCeiling copy{.name = "copy",
                    .precision = "float64",
                    .cells = {512, 512, 512},
                    .bandwidth = 63e9,
                    .slowest = 60e9,
                    .warning = ""};
  EXPECT_EQ(disturbance(copy), "");
  copy.slowest = 23e9;
  EXPECT_NE(disturbance(copy), "");
}

TEST(Bench, ALineHasItsOwnReference) {
  BenchRow row;
  row.name = "3-D 7-point";
  row.precision = "float64";
  row.cells = {512, 512, 512};
  row.seconds = 0.16;
  row.seconds_min = 0.08;
  row.seconds_max = 0.32;
  row.cells_per_second = 0.82e9;
  row.bytes_per_cell = 16;
  row.ceiling = 36.9e9;
  row.fraction = 0.356;
  const auto line = bench_line(row);
  for (const char* part : {" 0.82 ", "0.41 .. 1.64", " 13.12 ", " 35.6 % ", " 36.9 "}) {
    EXPECT_NE(line.find(part), std::string::npos) << part << " in " << line;
  }
}

}  // namespace
}  // namespace halotherm::app
