// SPDX-License-Identifier: MIT
#include "app/cli/measurement_options.hpp"

#include "app/scale/rank_counts.hpp"

#include <CLI/CLI.hpp>

namespace halotherm::app {

void add_bench_options(CLI::App& command, BenchOptions& options) {
  command
      .add_option_function<std::string>(
          "--cells", [&options](const auto& text) { options.cells.push_back(parse_grid(text)); },
          "cells of each rank's grid: N, NX,NY or NX,NY,NZ; may be repeated")
      ->trigger_on_parse()
      ->type_name("N[,N[,N]]")
      ->allow_extra_args(false);
  command.add_option("--precision", options.precisions, "float64 or float32; may be repeated")
      ->check(CLI::IsMember({"float64", "float32"}))
      ->allow_extra_args(false);
  command
      .add_option("--repeats", options.repeats,
                  "measurements, of which the median is reported (default: 5)")
      ->check(CLI::Range(1, 1000));
  command.add_option("--json", options.json, "also write everything to this file")
      ->type_name("FILE");
  command
      .add_option("--directory", options.directory,
                  "folder in which a checkpoint is written and removed (default: results/bench)")
      ->type_name("FOLDER");
}

void add_probe_options(CLI::App& command, ProbeOptions& options) {
  command.add_option("--json", options.json, "also write everything to this file")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--expect",
          [&options](const auto& text) { options.expectation = parse_expectation(text); },
          "exit with 5 unless NVLink joins the GPUs of each node, RDMA joins the nodes, or every "
          "pair reaches this rate")
      ->type_name("nvlink|rdma|GB/s");
  command
      .add_option("--pairs", options.pairs,
                  "largest number of pairs of ranks to measure (default: 64)")
      ->check(CLI::Range(1, 1000000));
}

void add_scale_options(CLI::App& command, ScaleOptions& options) {
  auto* kind = command.add_option_group("kind")->require_option(1);
  kind->add_flag_callback(
      "--strong", [] {}, "the same grid on every number of ranks");
  kind->add_flag_callback(
      "--weak", [&options] { options.kind = ScaleKind::weak; },
      "a grid that grows with the ranks: each rank has a block of the configured grid's size");
  command
      .add_option_function<std::string>(
          "--ranks", [&options](const auto& text) { options.ranks = parse_counts(text); },
          "numbers of ranks, as in 1,2,4 (default: 1, 2, 4 and so on, and all of the job)")
      ->type_name("N[,N...]");
  command
      .add_option("--repeats", options.repeats,
                  "measurements on each number (default: 6, the fewest for 95 % intervals)")
      ->check(CLI::Range(1, 1000));
  command
      .add_option("--steps", options.steps,
                  "steps, and solves, of a measurement (default: as many as take about a second)")
      ->check(CLI::Range(1, 1000000000));
  command
      .add_option("--json", options.json,
                  "also write everything to this file, for scripts/plot_scaling.py and "
                  "scripts/predict_scaling.py")
      ->type_name("FILE");
  command.add_option("--csv", options.csv, "also write a table to this file")->type_name("FILE");
}

void add_verify_options(CLI::App& command, VerifyOptions& options) {
  command.add_flag("--quick", options.quick, "some combinations of all, in seconds");
  command.add_option("--json", options.json, "also write everything to this file")
      ->type_name("FILE");
}

}  // namespace halotherm::app
