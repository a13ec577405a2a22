// SPDX-License-Identifier: MIT
// Whole studies, of grids so small that their numbers mean nothing.
#include "app/scale/scale.hpp"

#include "app/scale/scale_json.hpp"
#include "app/scale/scale_report.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "tests/support/io_support.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace halotherm::app {
namespace {

using test::world;

class Scale : public testing::Test {
 protected:
  Scale() {
    options_.repeats = 2;
    options_.steps = 3;
  }

  ScaleRecord run(const std::string& time = "{steps: 10}",
                  const std::string& precision = "float64") {
    const std::string text =
        "title: A study\n"
        "grid: {cells: [24, 20, 16], upper: [1, 1, 1], precision: " +
        precision +
        "}\n"
        "materials: {solid: {conductivity: " +
        conductivity_ +
        ", density: 3, heat_capacity: 4}}\n"
        "initial: {temperature: \"300 + 20*x*y + z\"}\n"
        "sides: {" +
        sides_ +
        ", z+: {convection: {coefficient: 5, ambient: 290}}}\n"
        "time: " +
        time + "\noutput: {directory: /nowhere/at/all}\n";
    return scale(world(), parse_config(text, "test", {}), options_, io::Log(world(), text_));
  }

  nlohmann::json json_of(const ScaleRecord& record) const {
    return nlohmann::json::parse(scale_json(record));
  }

  ScaleOptions options_;
  std::string conductivity_ = "2 + x", sides_ = "x: periodic, y-: {temperature: 300 + t}";
  std::ostringstream text_;
};

std::vector<int> expected_counts() {
  std::vector<int> counts;
  for (int count = 1; count < world().size(); count *= 2) counts.push_back(count);
  counts.push_back(world().size());
  return counts;
}

void expect_complete(const nlohmann::json& row) {
  for (const char* key : {"step_s", "computation_s", "work_max_s", "work_mean_s",
                          "copy_bytes_per_s", "processor_share"}) {
    EXPECT_EQ(row[key]["samples"].size(), 2u) << key;
    EXPECT_GT(row[key]["median"], 0) << key;
    EXPECT_LE(row[key]["low"], row[key]["high"]) << key;
  }
  for (const char* key : {"cells_per_s", "speed_up", "efficiency"})
    EXPECT_GT(row[key]["median"], 0) << key;
  for (const char* phase : {"formulas", "halo start", "interior", "halo wait", "shell"}) {
    EXPECT_TRUE(row["phases_s"][phase].is_number()) << phase;
  }
  EXPECT_EQ(row["steps_per_repeat"], 3);
  EXPECT_GE(row["imbalance"], 1);
  EXPECT_GT(row["launches_s"], 0);
  EXPECT_FALSE(row["bottleneck"]["text"].get<std::string>().empty());
  EXPECT_EQ(row["exchange"]["messages_per_step"] > 0, row["ranks"] > 1);
  EXPECT_EQ(row["exchange"]["latency_s"] > 0, row["ranks"] > 1);
}

TEST_F(Scale, StrongStudiesAreCompleteAndKeepTheBits) {
  const auto record = run();
  if (!world().is_root()) return;
  const auto json = json_of(record);
  EXPECT_EQ(json["kind"], "strong");
  EXPECT_EQ(json["same_bits"], true);
  ASSERT_EQ(json["results"].size(), expected_counts().size());
  EXPECT_EQ(json["order"].size(), 2 * expected_counts().size());
  for (std::size_t n = 0; n < json["results"].size(); ++n) {
    const auto& row = json["results"][n];
    EXPECT_EQ(row["ranks"], expected_counts()[n]);
    EXPECT_EQ(row["cells"], nlohmann::json({24, 20, 16}));
    expect_complete(row);
  }
  EXPECT_EQ(json["results"][0]["efficiency"]["median"], 1);
}

TEST_F(Scale, WeakStudiesKeepTheBlock) {
  options_.kind = ScaleKind::weak;
  const auto record = run("{end: 1e-3}", "float32");
  if (!world().is_root()) return;
  const auto json = json_of(record);
  EXPECT_EQ(json["kind"], "weak");
  EXPECT_EQ(json["precision"], "float32");
  EXPECT_TRUE(json["same_bits"].is_null());
  for (const auto& row : json["results"]) {
    EXPECT_EQ(row["cells_per_rank"], 24 * 20 * 16);
    expect_complete(row);
  }
}

TEST_F(Scale, TextAndCsvHaveALineForEachNumberOfRanks) {
  const auto record = run();
  if (!world().is_root()) return;
  for (const char* part :
       {"strong scaling of 24 x 20 x 16 cells", "50.0 % sure (95 % takes --repeats 6 or more)",
        "same bits", "bottleneck\n1 rank: "}) {
    EXPECT_NE(text_.str().find(part), std::string::npos) << text_.str();
  }
  const auto csv = scale_csv(record);
  std::istringstream lines(csv);
  std::string heading;
  std::getline(lines, heading);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) {
    EXPECT_EQ(std::ranges::count(line, ','), std::ranges::count(heading, ',')) << line;
  }
  EXPECT_EQ(rows, record.rows.size());
}

TEST_F(Scale, StudiesOfImplicitStepsMeasureSolves) {
  for (const auto kind : {ScaleKind::strong, ScaleKind::weak}) {
    options_.kind = kind;
    const auto record = run("{integrator: crank-nicolson, dt: 0.01, end: 1}");
    if (!world().is_root()) continue;
    const auto json = json_of(record);
    for (const auto& row : json["results"]) {
      expect_complete(row);
      const auto& solve = row["solve"];
      ASSERT_TRUE(solve.is_object());
      EXPECT_EQ(solve["seconds"]["samples"].size(), 2u);
      EXPECT_GT(solve["seconds"]["median"], 0);
      EXPECT_GT(solve["iterations"], 2);
      EXPECT_GT(solve["levels"], 3);
      EXPECT_GT(solve["copies"], 0);
      EXPECT_GT(solve["coarse_share"], 0);
      EXPECT_GT(solve["efficiency"]["median"], 0);
      if (kind == ScaleKind::weak) continue;
      EXPECT_EQ(solve["checksum"], json["results"][0]["solve"]["checksum"]);
      EXPECT_NE(solve["checksum"], row["checksum"]);
    }
    EXPECT_NE(text_.str().find("\nsolves\n"), std::string::npos) << text_.str();
  }
}

TEST_F(Scale, AStudyKnowsWhetherSolutionsDiffer) {
  auto record = run("{integrator: backward-euler, dt: 0.01, end: 1}");
  if (!world().is_root()) return;
  EXPECT_EQ(record.same_bits(), true);
  ++record.rows.back().solves->checksum;
  EXPECT_EQ(record.same_bits(), record.rows.size() == 1);
}

TEST_F(Scale, StudiesTakeStepsAsRunsDo) {
  // GPUs take several in larger blocks, and submit them where no block is cut across x
  const int together = comm::kernels_run_on_host ? 2 : 1;
  const std::string submitted = comm::kernels_run_on_host ? "9" : "auto";
  conductivity_ = "2";
  sides_ = "y-: {temperature: 300}";
  for (const auto kind : {ScaleKind::strong, ScaleKind::weak}) {
    options_.kind = kind;
    auto record = run("{steps: 10, submitted_steps: " + submitted +
                      ", fused_steps: " + std::to_string(together) + "}");
    if (!world().is_root()) continue;
    // where submissions do not pay, a GPU has nothing to measure beside single steps
    if (!comm::kernels_run_on_host && !record.has_run_steps()) continue;
    const auto json = json_of(record);
    EXPECT_EQ(json["same_bits"], true);
    for (const auto& row : json["results"]) {
      expect_complete(row);
      const auto& steps = row["run_steps"];
      if (!comm::kernels_run_on_host && steps.is_null()) continue;
      EXPECT_EQ(steps["steps_at_once"], together);
      if (comm::kernels_run_on_host) {
        EXPECT_EQ(steps["steps_submitted"], 4);
      }
      EXPECT_EQ(steps["step_s"]["samples"].size(), 2u);
      EXPECT_GT(steps["step_s"]["median"], 0);
      EXPECT_GT(steps["efficiency"]["median"], 0);
    }
    EXPECT_NE(text_.str().find("\nsteps as runs take them\n"), std::string::npos) << text_.str();
    record.rows.back().run_steps->same_bits = false;
    EXPECT_EQ(record.same_bits(), false);
  }
}

TEST_F(Scale, TextTellsWhereDevicesWereHeldBackAndWhatToDo) {
  auto record = run();
  if (!world().is_root()) return;
  for (auto& row : record.rows) {
    for (auto& sample : row.samples) sample.clock_limit = comm::ClockLimit::none;
  }
  EXPECT_EQ(scale_text(record).find("clocks "), std::string::npos);
  auto& sample = record.rows.back().samples.back();
  sample.clock_limit = comm::ClockLimit::power;
  sample.clock = 0.5;
  const auto text = scale_text(record);
  EXPECT_NE(text.find("at 50 to 100 % of the highest, limited by power"), std::string::npos)
      << text;
  EXPECT_NE(text.find("fewer --steps show"), std::string::npos) << text;
}

TEST_F(Scale, TakesTheRanksThatAreAskedFor) {
  options_.ranks = {world().size()};
  const auto record = run();
  ASSERT_EQ(record.rows.size(), 1u);
  EXPECT_EQ(record.rows[0].ranks, world().size());
  EXPECT_EQ(record.rows[0].samples.size(), 2u) << "all ranks take part";
}

TEST_F(Scale, ChoosesTheStepsOfARepeatItself) {
  options_.ranks = {1};
  options_.steps.reset();
  options_.repeats = 1;
  const auto record = run();
  if (world().is_root()) {
    EXPECT_GT(record.rows[0].steps, 20);
  }
}

TEST_F(Scale, MistakesEndOnAllRanks) {
  options_.ranks = {1, world().size() + 1};
  auto error = test::collective_error([&] { run(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), comm::ExitCode::usage);
  EXPECT_NE(std::string(error->what()).find("--ranks is"), std::string::npos) << error->what();
  options_.ranks = {1};
  error = test::collective_error([&] { run("{steps: 10, dt: 1e9}"); });
  ASSERT_TRUE(error) << "found by the rank that takes part, while the others sleep";
  EXPECT_EQ(error->code(), comm::ExitCode::numerics);
  EXPECT_NE(std::string(error->what()).find("is unstable"), std::string::npos) << error->what();
}

TEST_F(Scale, TheFirstRanksKeepTheirNumbers) {
  for (const int count : expected_counts()) {
    if (world().rank() < count) {
      const auto some = comm::first_ranks(world(), count);
      EXPECT_EQ(some.size(), count);
      EXPECT_EQ(some.rank(), world().rank());
    }
    comm::sleeping_barrier(world());
  }
}

}  // namespace
}  // namespace halotherm::app
