// SPDX-License-Identifier: MIT
#include "app/cli/options.hpp"

#include "tests/support/error_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace halotherm::app {
namespace {

using Command = Options::Command;
using test::expect_part;

Options parse(std::vector<std::string> words) {
  words.insert(words.begin(), "halotherm");
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  return parse_options(static_cast<int>(argv.size()), argv.data());
}

std::string error_of(const std::vector<std::string>& words) {
  return test::usage_error([&] { parse(words); });
}

TEST(Options, run_with_everything) {
  const auto options = parse({"run", "--set", "time.end=5", "a.yaml", "--set=grid.cells=[8, 8]",
                              "--restart", "latest", "--allow-changes"});
  EXPECT_EQ(options.command, Command::run);
  EXPECT_EQ(options.config, "a.yaml");
  EXPECT_EQ(options.overrides, (std::vector<std::string>{"time.end=5", "grid.cells=[8, 8]"}));
  EXPECT_EQ(options.restart.from, "latest");
  EXPECT_TRUE(options.restart.allow_changes);
  EXPECT_FALSE(options.dry_run);
  EXPECT_TRUE(parse({"run", "a.yaml", "--dry-run", "--overwrite"}).restart.overwrite);
}

TEST(Options, an_override_may_hold_anything) {
  const std::vector<std::string> overrides{"sides.x-.flux=-5", "title=[a, b]", "regions=x=y",
                                           "a=", "time.dt=\"1, 2\""};
  std::vector<std::string> words{"check", "a.yaml"};
  for (const auto& override : overrides) {
    words.push_back("--set");
    words.push_back(override);
  }
  EXPECT_EQ(parse(words).overrides, overrides);
}

TEST(Options, walltime_is_a_finite_duration) {
  EXPECT_EQ(parse({"run", "a.yaml", "--walltime", "1h30min"}).walltime, 5400);
  EXPECT_EQ(parse({"run", "a.yaml", "--walltime=0.5"}).walltime, 0.5);
  for (const char* bad : {"inf", "nan", "1e300", "0", "-5", "2h30", "1e10"}) {
    expect_part(
        error_of({"run", "a.yaml", "--walltime", bad}),
        "(must be a time above 0 and at most 1e+09 s); give seconds, or a duration such as");
  }
}

TEST(Options, commands) {
  EXPECT_EQ(parse({"check", "a.yaml"}).command, Command::check);
  EXPECT_EQ(parse({"config", "--defaults"}).command, Command::config_defaults);
  EXPECT_EQ(parse({"config", "--schema"}).command, Command::config_schema);
  EXPECT_EQ(parse({"info"}).command, Command::info);
}

TEST(Options, help_and_version_are_texts) {
  const auto help = parse({"--help"});
  EXPECT_EQ(help.command, Command::help_or_version);
  for (const auto* part :
       {"run", "check", "config", "probe", "info", "Examples:", "--restart latest"})
    expect_part(help.text_to_print, part);
  expect_part(parse({"run", "--help"}).text_to_print, "--allow-changes");
  expect_part(parse({"config", "--help"}).text_to_print, "--schema");
  for (const std::string command : {"run", "check", "config", "bench", "probe", "scale", "info"}) {
    const auto text = parse({command, "--help"}).text_to_print;
    expect_part(text.substr(text.find("Examples:")), "halotherm " + command);
  }
  expect_part(parse({"--version"}).text_to_print, "halotherm ");
}

/// The words of a command as a shell cuts them; what it would send into a file is left out.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char letter : line.substr(0, line.find(" > "))) {
    if (letter == '\'') {
      quoted = !quoted;
    } else if (letter == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  return words;
}

TEST(Options, examples_are_right_command_lines) {
  int examples = 0;
  for (const std::string command :
       {"", "run", "check", "config", "bench", "probe", "scale", "info"}) {
    auto help = command.empty() ? parse({"--help"}) : parse({command, "--help"});
    std::istringstream text(help.text_to_print.substr(help.text_to_print.find("Examples:")));
    for (std::string line; std::getline(text, line);) {
      const auto begin = line.find("halotherm ");
      if (!line.starts_with("  ") || begin == std::string::npos) continue;
      ++examples;
      EXPECT_NO_THROW(parse(words_of(line.substr(begin + std::string("halotherm ").size()))))
          << line;
    }
  }
  EXPECT_GE(examples, 20);
}

TEST(Options, bench_takes_grids_of_one_to_three_axes) {
  const auto bench = parse({"bench", "--cells", "64", "--cells", "100,20", "--cells=9,8,7",
                            "--precision", "float32"})
                         .bench;
  ASSERT_EQ(bench.cells.size(), 3u);
  const auto equal = [](const comm::Int3& a, const comm::Int3& b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
  };
  EXPECT_TRUE(equal(bench.cells[0], {64, 64, 64}));
  EXPECT_TRUE(equal(bench.cells[1], {100, 20, 1}));
  EXPECT_TRUE(equal(bench.cells[2], {9, 8, 7}));
  EXPECT_EQ(bench.precisions, std::vector<std::string>{"float32"});
  for (const char* grid : {"0", "x", "8,8,8,8", "-5", "9e3", ","})
    expect_part(error_of({"bench", "--cells", grid}), "must be one to three whole numbers");
  expect_part(error_of({"bench", "--precision", "half"}), "half");
}

TEST(Options, probe_takes_an_expectation) {
  using Kind = ProbeExpectation::Kind;
  const auto probe =
      parse({"probe", "--json", "a.json", "--expect", "nvlink", "--pairs", "7"}).probe;
  EXPECT_EQ(probe.json, "a.json");
  EXPECT_EQ(probe.pairs, 7);
  EXPECT_EQ(probe.expectation->kind, Kind::nvlink);
  EXPECT_EQ(parse({"probe", "--expect", "rdma"}).probe.expectation->kind, Kind::rdma);
  EXPECT_DOUBLE_EQ(parse({"probe", "--expect", "12.5"}).probe.expectation->rate, 12.5e9);
  EXPECT_FALSE(parse({"probe"}).probe.expectation);
  EXPECT_EQ(parse({"probe"}).command, Command::probe);
  for (const char* bad : {"fast", "0", "-3", "1e300", "12 GB/s", "nan", "inf", ""}) {
    expect_part(error_of({"probe", "--expect", bad}), "(it takes nvlink, rdma, or the GB/s");
  }
  expect_part(error_of({"probe", "--pairs", "0"}), "--pairs");
  expect_part(error_of({"probe", "--pair", "3"}), "did you mean --pairs?");
}

TEST(Options, scale_is_strong_or_weak) {
  const auto options =
      parse({"scale", "--weak", "a.yaml", "--ranks", "4,1", "--repeats", "9", "--steps", "50",
             "--json", "a.json", "--csv=a.csv", "--set", "time.steps=7"});
  EXPECT_EQ(options.command, Command::scale);
  EXPECT_EQ(options.config, "a.yaml");
  EXPECT_EQ(options.overrides, std::vector<std::string>{"time.steps=7"});
  EXPECT_EQ(options.scale.kind, ScaleKind::weak);
  EXPECT_EQ(options.scale.ranks, (std::vector<int>{1, 4}));
  EXPECT_EQ(options.scale.repeats, 9);
  EXPECT_EQ(options.scale.steps, 50);
  EXPECT_EQ(options.scale.json, "a.json");
  EXPECT_EQ(options.scale.csv, "a.csv");
  EXPECT_EQ(parse({"scale", "--strong", "a.yaml"}).scale.kind, ScaleKind::strong);
  EXPECT_TRUE(parse({"scale", "--strong", "a.yaml"}).scale.ranks.empty());
  expect_part(error_of({"scale", "a.yaml"}), "--weak");
  expect_part(error_of({"scale", "--strong", "--weak", "a.yaml"}), "--weak");
  expect_part(error_of({"scale", "--strong"}), "CONFIG is required");
  expect_part(error_of({"scale", "--strong", "a.yaml", "--ranks", "1,x"}),
              "--ranks is '1,x' (must be whole numbers");
  expect_part(error_of({"scale", "--strong", "a.yaml", "--repeats", "0"}), "--repeats");
  expect_part(error_of({"scale", "--strong", "a.yaml", "--steps", "0"}), "--steps");
  expect_part(error_of({"scale", "--strnog", "a.yaml"}), "did you mean --strong?");
}

TEST(Options, mistakes_name_what_was_meant) {
  expect_part(error_of({"rnu", "a.yaml"}), "\"rnu\" is not known here");
  expect_part(error_of({"rnu", "a.yaml"}), "did you mean run?");
  expect_part(error_of({"run", "a.yaml", "--dryrun"}), "did you mean --dry-run?");
  expect_part(error_of({"run", "a.yaml", "--alow-changes=1"}), "did you mean --allow-changes?");
  expect_part(error_of({"config", "--defalts"}), "did you mean --defaults?");
  expect_part(error_of({"--versoin"}), "did you mean --version?");
  expect_part(error_of({"run", "a.yaml", "b.yaml"}), "\"b.yaml\" is not known here");
}

TEST(Options, what_is_missing_is_said) {
  expect_part(error_of({}), "see halotherm --help");
  expect_part(error_of({"run"}), "CONFIG is required");
  expect_part(error_of({"run", "a.yaml", "--set"}), "--set");
  expect_part(error_of({"run", "a.yaml", "--restart"}), "--restart");
  expect_part(error_of({"config"}), "--defaults");
}

TEST(Options, combinations_without_a_meaning_are_refused) {
  expect_part(error_of({"run", "a.yaml", "--allow-changes"}), "without --restart");
  expect_part(error_of({"run", "a.yaml", "--overwrite", "--restart", "latest"}),
              "--overwrite is given with --restart");
  expect_part(error_of({"config", "--defaults", "--schema"}), "--defaults");
}

TEST(Options, a_dry_run_asks_about_a_machine) {
  const auto options =
      parse({"run", "a.yaml", "--dry-run", "--ranks", "8192", "--ranks-per-node", "4",
             "--gpu-memory", "80GB", "--node-memory", "512 GiB", "--model", "m.json"});
  const auto& asked = options.allocation;
  EXPECT_EQ(asked.ranks, 8192);
  EXPECT_EQ(asked.ranks_per_node, 4);
  EXPECT_EQ(asked.gpu_memory, 80'000'000'000);
  EXPECT_EQ(asked.node_memory, std::int64_t{512} << 30);
  EXPECT_EQ(asked.model, "m.json");
  EXPECT_EQ(parse({"run", "a.yaml", "--dry-run"}).allocation.ranks, 0);
}

TEST(Options, a_machine_without_a_dry_run_is_refused) {
  expect_part(
      error_of({"run", "a.yaml", "--ranks", "8"}),
      "--ranks is given without --dry-run (a run has the ranks that mpirun or srun starts)");
  expect_part(error_of({"run", "a.yaml", "--dry-run", "--ranks", "8"}), "without --ranks-per-node");
  for (const char* option :
       {"--ranks-per-node", "--gpu-memory", "--node-memory", "--model", "--json"})
    expect_part(error_of({"run", "a.yaml", "--dry-run", option, "8"}),
                std::string(option) + " is given without --ranks (");
  expect_part(error_of({"run", "a.yaml", "--dry-run", "--ranks", "8", "--ranks-per-node", "4",
                        "--restart", "latest"}),
              "--restart is given with --ranks");
  expect_part(error_of({"run", "a.yaml", "--dry-run", "--ranks", "0"}), "--ranks");
  for (const char* bad : {"", "GB", "-1GB", "0", "80 parsecs", "1e30", "inf"})
    expect_part(error_of({"run", "a.yaml", "--dry-run", "--ranks", "8", "--gpu-memory", bad}),
                "(must be a size from 1 B to 1e18 B)");
}

}  // namespace
}  // namespace halotherm::app
