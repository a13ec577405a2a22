// SPDX-License-Identifier: MIT
#include "comm/system/child_process.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

std::vector<std::string> shell(const std::string& script) {
  return {"/bin/sh", "-c", script};
}

TEST(ChildProcess, ReportsItsOutcome) {
  EXPECT_EQ(outcome_of(shell("exit 0"), 10), "");
  EXPECT_EQ(outcome_of(shell("exit 3"), 10), "exit code 3");
  EXPECT_EQ(outcome_of(shell("kill -SEGV $$"), 10), "signal 11 (Segmentation fault)");
  EXPECT_EQ(outcome_of(shell("sleep 20"), 1), "no answer within 1 s");
  EXPECT_NE(outcome_of({"/no/such/program"}, 10), "");
}

TEST(ChildProcess, GetsTheVariablesThatPassAndTheExtraOnes) {
  setenv("HALOTHERM_TEST_PASSES", "1", 1);
  setenv("HALOTHERM_TEST_STAYS", "1", 1);
  const auto passes = [](const std::string& variable) {
    return !variable.starts_with("HALOTHERM_TEST_STAYS");
  };
  const auto script =
      R"([ "$HALOTHERM_TEST_PASSES" = 1 ] && [ -z "$HALOTHERM_TEST_STAYS" ] && [ "$EXTRA" = x ])";
  EXPECT_EQ(outcome_of(shell(script), 10, passes, {"EXTRA=x"}), "");
  EXPECT_NE(outcome_of(shell(script), 10, [](const std::string&) { return true; }, {"EXTRA=x"}),
            "");
}

TEST(ChildProcess, IsSilent) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(outcome_of(shell("echo loud; echo loud >&2"), 10), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace halotherm::comm
