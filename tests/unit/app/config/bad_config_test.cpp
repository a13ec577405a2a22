// SPDX-License-Identifier: MIT
// Every file of tests/data/bad_configs is refused as its own comments say.
#include "app/config/config.hpp"

#include "tests/support/error_text.hpp"
#include "tests/support/source_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace halotherm::app {
namespace {

const std::filesystem::path folder = test::source_folder() / "tests/data/bad_configs";

struct Expectation {
  std::vector<std::string> overrides, lines, parts;
};

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// "7:3: key: ..." stands at a place in the file, "--set ..." in the command line, all else for the
/// file as a whole.
std::string full_line(const std::string& file, const std::string& expected) {
  if (expected.starts_with("--set")) return expected;
  const bool has_place =
      !expected.empty() && std::isdigit(static_cast<unsigned char>(expected.front()));
  return file + (has_place ? ":" : ": ") + expected;
}

Expectation expectation_of(const std::string& file, const std::string& text) {
  Expectation expectation;
  for (const auto& line : lines_of(text)) {
    if (line.starts_with("# set ")) expectation.overrides.push_back(line.substr(6));
    if (line.starts_with("# expect ")) expectation.lines.push_back(full_line(file, line.substr(9)));
    if (line.starts_with("# says ")) expectation.parts.push_back(line.substr(7));
  }
  return expectation;
}

std::string error_of(const std::string& text, const std::string& name,
                     const std::vector<std::string>& overrides) {
  return test::usage_error([&] { parse_config(text, name, overrides); });
}

class BadConfig : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadConfig, is_refused_with_message_and_place) {
  const std::string name = GetParam().filename().string();
  const std::string text = read(GetParam());
  const auto expected = expectation_of(name, text);
  ASSERT_FALSE(expected.lines.empty()) << name << " does not say what it expects";

  const std::string error = error_of(text, name, expected.overrides);
  const auto lines = lines_of(error);
  ASSERT_EQ(lines.size(), expected.lines.size()) << error;
  // the remedy may be left out after a reason that is a rule, and a suggestion stands for it
  const std::regex form(R"([^;]*: .* \(.+\)(; [a-z][^;]*[^.;,:! ])?)");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].substr(0, expected.lines[i].size()), expected.lines[i]);
    EXPECT_TRUE(std::regex_match(lines[i], form)) << lines[i];
  }
  for (const auto& part : expected.parts)
    EXPECT_NE(error.find(part), std::string::npos) << part << "\nis not in\n" << error;
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(files, BadConfig, testing::ValuesIn(files()), name_of);

TEST(BadConfig, there_are_enough_of_them) {
  EXPECT_GE(files().size(), 45U);
}

TEST(BadConfig, what_they_change_is_right_without_the_change) {
  EXPECT_EQ(error_of("grid: {cells: [16, 8], upper: [2, 1]}\n"
                     "materials: {solid: {conductivity: 401, density: 8960, heat_capacity: 385}}\n"
                     "initial: {temperature: 300}\n"
                     "time: {end: 1}\n",
                     "good.yaml", {}),
            "");
}

TEST(BadConfig, reports_a_bounded_number_of_mistakes) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "unknown" + std::to_string(i) + ": 1\n";
  const auto lines = lines_of(error_of(text, "many.yaml", {}));
  EXPECT_EQ(lines.size(), 51U);
  EXPECT_EQ(lines.back().substr(0, 8), "... and ");
}

}  // namespace
}  // namespace halotherm::app
