// SPDX-License-Identifier: MIT
// The command line.
#pragma once

#include "app/bench.hpp"
#include "app/prediction.hpp"
#include "app/probe.hpp"
#include "app/scale.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

/// What the command line asks for.
struct Options {
  enum class Command { run, check, config_defaults, config_schema, bench, probe, scale, info, help_or_version };

  Command command = Command::help_or_version;
  std::filesystem::path config;        ///< of run, check and scale
  std::vector<std::string> overrides;  ///< "key.path=value", in the order given
  std::optional<std::string> restart;  ///< a checkpoint's file, "latest": the newest of the output directory, "auto": if any
  std::optional<double> walltime;      ///< [s] of real time after which the run ends with a checkpoint
  bool allow_changes = false;          ///< restart although keys of the physics differ from the checkpoint's
  bool convert = false;                ///< restart from a checkpoint of another grid or precision
  bool overwrite = false;              ///< a fresh run may replace results that stand in the output directory
  bool dry_run = false;                ///< decompose and report memory and messages; compute and write nothing
  BenchOptions bench;
  ProbeOptions probe;
  ScaleOptions scale;
  PredictOptions predict;
  std::string text_to_print;  ///< of help_or_version
};

/// Reads the command line; prints nothing and never exits. Throws comm::Error (usage) that names the nearest right command or
/// option. All ranks read the same.
Options parse_options(int argc, char** argv);

}  // namespace halotherm::app
