// SPDX-License-Identifier: MIT
// The command line and its parser.
#pragma once

#include "app/bench/bench.hpp"
#include "app/cli/import_options.hpp"
#include "app/probe/probe.hpp"
#include "app/results/restart_state.hpp"
#include "app/run/allocation.hpp"
#include "app/scale/scale.hpp"
#include "app/verify/verify.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

/// The parsed command line.
struct Options {
  enum class Command {
    run,
    check,
    config_defaults,
    config_schema,
    bench,
    probe,
    scale,
    verify,
    import,
    info,
    help_or_version
  };

  Command command = Command::help_or_version;
  std::filesystem::path config;                    ///< of run, check and scale
  std::vector<std::string> overrides;              ///< "key.path=value", in the order given
  std::optional<std::filesystem::path> materials;  ///< of check: the file to write
  RestartRequest restart;
  std::optional<double> walltime;  ///< [s] of real time after which the run ends with a checkpoint
  bool dry_run = false;            ///< report partition, memory and messages; compute nothing
  AllocationRequest allocation;    ///< of a dry run on a machine that is not there
  BenchOptions bench;
  ProbeOptions probe;
  ScaleOptions scale;
  VerifyOptions verify;
  ImportOptions import;
  std::string text_to_print;  ///< of help_or_version
};

/// Parses the command line; prints nothing and never exits. Local, with the same result on every
/// rank. Throws comm::Error (usage) that names the nearest valid command or option.
Options parse_options(int argc, char** argv);

}  // namespace halotherm::app
