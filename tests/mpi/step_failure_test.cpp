// SPDX-License-Identifier: MIT
// A formula that fails in the middle of a run, on one rank: the run ends on all ranks alike, and
// nothing that was written is lost.
#include "app/run/simulation.hpp"
#include "io/field/checkpoint.hpp"
#include "io/field/checkpoint_reading.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::app {
namespace {

constexpr int failing_step = 25;  ///< the first step whose conditions cannot be evaluated

struct Ending {
  std::string text;
  comm::ExitCode code = comm::ExitCode::done;
};

class StepFailure : public testing::Test {
 protected:
  void TearDown() override {
    test::world().barrier();
    if (test::world().is_root()) std::filesystem::remove_all(folder_);
    test::world().barrier();
  }

  /// Of a run of 100 steps of 1 ms with these sides and source; the ranks cut z.
  Ending run(const std::string& sides, const std::string& more, const std::string& source = "0") {
    const auto& world = test::world();
    std::ostringstream text;
    text << "grid: {cells: [12, 10, 12], upper: [1, 1, 1]}\n"
         << "materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
         << "regions: [{source: \"" << source << "\"}]\n"
         << "initial: {temperature: 300}\n"
         << "sides: " << sides << "\n"
         << "time: {steps: 100, dt: 1e-3}\n"
         << "parallel: {ranks: [1, 1, " << world.size() << "]}\n"
         << "output: {directory: " << folder_.string() << ", " << more << "}\n";
    const auto config = parse_config(text.str(), "test", {});
    std::ostringstream silent;
    try {
      const RestartState start;
      Simulation<double>(world, config, choose_partition<double>(world, config), start, {}, {},
                         io::Log(world, silent))
          .run();
    } catch (const comm::CollectiveError& error) {
      return {error.what(), error.code()};
    }
    return {};
  }

  std::vector<std::string> rows() const {
    std::ifstream file(folder_ / "diagnostics.csv");
    std::vector<std::string> all;
    for (std::string row; std::getline(file, row);) all.push_back(row);
    return all;
  }

  void expect_nothing_after_the_failure() const {
    const auto table = rows();
    ASSERT_GT(table.size(), 1U);
    EXPECT_LE(std::stol(table.back()), failing_step)
        << "a row of values computed after the failure";
    for (const auto& file : std::filesystem::directory_iterator(folder_ / "checkpoints")) {
      const auto name = file.path().filename().string();
      EXPECT_LE(std::stol(name.substr(name.find('_') + 1)), failing_step) << name;
      EXPECT_EQ(name.front(), 'c') << "a partial file was left: " << name;
    }
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      test::world().broadcast("step_failure_" + std::to_string(getpid()));
};

TEST_F(StepFailure, EndsOnAllRanksAlikeAndFinishesTheCheckpointUnderWay) {
  const auto ending = run("{z+: {temperature: \"t < 0.0245 ? 300 : 1/0\"}}",
                          "checkpoint: {steps: 25, keep: 10}, diagnostics: {steps: 1}");
  EXPECT_EQ(ending.code, comm::ExitCode::numerics);
  test::expect_part(ending.text, "sides.z+.temperature: the value inf at (0.041");
  test::expect_part(ending.text, "t = 0.025 s is not allowed (must be finite");
  EXPECT_EQ(test::world().gather(ending.text),
            std::vector<std::string>(test::world().size(), ending.text));
  expect_nothing_after_the_failure();
  EXPECT_EQ(std::stol(rows().back()), failing_step);
  const auto file = folder_ / "checkpoints" / "checkpoint_0000000025.h5";
  const auto info = io::read_checkpoint_info(test::world(), file);
  EXPECT_NO_THROW(io::verify_checkpoint(test::world(), file, info))
      << "it was under way when the formula failed";
}

TEST_F(StepFailure, ShowsAtTheEndIfNobodyMeetsBefore) {
  const auto ending = run("{z-: {convection: {coefficient: \"0.0245 - t\", ambient: 300}}}",
                          "diagnostics: {steps: 1000}");
  EXPECT_EQ(ending.code, comm::ExitCode::numerics);
  test::expect_part(ending.text, "sides.z-.convection.coefficient: the value -0.0005 ");
  test::expect_part(ending.text, "(must be finite and not negative");
  expect_nothing_after_the_failure();
}

TEST_F(StepFailure, OfASourceNamesACellOnAllRanksAlike) {
  const std::string output = "checkpoint: {steps: 25, keep: 10}, diagnostics: {steps: 1}";
  const std::string product = "x*exp(-y)*z*(t < 0.0245 ? 1 : 1/0)";
  const std::string sum = "x*y + (t < 0.0245 || z < 0.9 ? 1 : 1/0)";
  for (const auto& [source, place] :
       {std::pair{product, "at (0.0416667, 0.05, "}, {sum, "at (0.0416667, 0.05, 0.958333) m"}}) {
    const auto ending = run("{}", output, source);
    EXPECT_EQ(ending.code, comm::ExitCode::numerics);
    test::expect_part(ending.text, std::string("regions[0].source: the value inf ") + place);
    test::expect_part(ending.text, "t = 0.025 s is not allowed (must be finite; checkpoints");
    EXPECT_EQ(test::world().gather(ending.text),
              std::vector<std::string>(test::world().size(), ending.text));
    expect_nothing_after_the_failure();
    EXPECT_EQ(std::stol(rows().back()), failing_step);
    TearDown();
  }
}

TEST_F(StepFailure, OfASourceComesBeforeALaterOneOfASide) {
  const auto ending = run("{z+: {flux: \"t < 0.0305 ? 0 : 0/0\"}}", "diagnostics: {steps: 50}",
                          "x*y + (t < 0.0245 ? 1 : 1/0)");
  EXPECT_EQ(ending.code, comm::ExitCode::numerics);
  test::expect_part(ending.text, "regions[0].source");
  expect_nothing_after_the_failure();
}

TEST_F(StepFailure, OfASourceAtTheStartIsAMistakeOfTheConfiguration) {
  for (const std::string source : {"x/(t > 0)*y", "x + y/(t > 0)"}) {
    const auto ending = run("{}", "diagnostics: {steps: 50}", source);
    EXPECT_EQ(ending.code, comm::ExitCode::usage);
    test::expect_part(ending.text, "t = 0 s is not allowed (must be finite); correct the formula");
  }
}

TEST_F(StepFailure, IsTheFirstInTimeOfSeveral) {
  const auto ending =
      run("{z-: {flux: \"t < 0.0305 ? 0 : 1/0\"}, z+: {flux: \"t < "
          "0.0245 ? 0 : 0/0\"}}",
          "diagnostics: {steps: 50}");
  EXPECT_EQ(ending.code, comm::ExitCode::numerics);
  test::expect_part(ending.text, "sides.z+.flux");
  expect_nothing_after_the_failure();
}

}  // namespace
}  // namespace halotherm::app
