// SPDX-License-Identifier: MIT
#include "app/cli/help.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {
namespace {

/// A process that no launcher has started, or that one has.
class Help : public testing::Test {
 protected:
  static constexpr const char* variables[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};

  void SetUp() override {
    for (const char* name : variables) {
      const char* value = std::getenv(name);
      before_.push_back(value ? std::optional<std::string>(value) : std::nullopt);
      unsetenv(name);
    }
  }
  void TearDown() override {
    for (std::size_t n = 0; n < before_.size(); ++n)
      before_[n] ? setenv(variables[n], before_[n]->c_str(), 1) : unsetenv(variables[n]);
  }
  /// What is printed; nothing if the rest of the program has to go on.
  static std::optional<std::string> printed(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    testing::internal::CaptureStdout();
    const bool printed = has_printed_help(static_cast<int>(words.size()), arguments.data());
    const auto text = testing::internal::GetCapturedStdout();
    if (printed) return text;
    EXPECT_EQ(text, "");
    return std::nullopt;
  }

 private:
  std::vector<std::optional<std::string>> before_;
};

TEST_F(Help, IsPrintedBeforeAnythingStarts) {
  EXPECT_TRUE(printed({"halotherm", "--version"}).value_or("").starts_with("halotherm "));
  EXPECT_NE(printed({"halotherm", "run", "--help"}).value_or("").find("--restart"),
            std::string::npos);
}

TEST_F(Help, IsLeftToOneRankOfAJob) {
  for (const char* name : variables) {
    setenv(name, "0", 1);
    EXPECT_EQ(printed({"halotherm", "--version"}), std::nullopt) << name;
    unsetenv(name);
  }
}

TEST_F(Help, IsNoCommandAndNoMistake) {
  EXPECT_EQ(printed({"halotherm", "check", "case.yaml"}), std::nullopt);
  EXPECT_EQ(printed({"halotherm", "--versoin"}), std::nullopt);
}

}  // namespace
}  // namespace halotherm::app
