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

TEST(ChildProcess, IsTriedAgainOnceWhereThereIsNoAnswer) {
  std::vector<std::string> outcomes;
  const auto attempt = [&] {
    const auto outcome = outcomes.front();
    outcomes.erase(outcomes.begin());
    return outcome;
  };
  outcomes = {"no answer within 30 s", "", "never"};
  EXPECT_EQ(outcome_of_two(attempt), "");
  outcomes = {"no answer within 30 s", "no answer within 30 s", ""};
  EXPECT_EQ(outcome_of_two(attempt), "no answer within 30 s, twice,");
  EXPECT_EQ(outcomes.size(), 1U);
  outcomes = {"exit code 1", ""};
  EXPECT_EQ(outcome_of_two(attempt), "exit code 1") << "an answer counts at once";
}

TEST(ChildProcess, IsSilent) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(outcome_of(shell("echo loud; echo loud >&2"), 10), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace halotherm::comm
