// SPDX-License-Identifier: MIT
// The command line of halotherm scale.
#pragma once

#include "app/scale/prediction.hpp"
#include "app/scale/scale.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace halotherm::app {

/// Options that are more than a number or a file, as they were given. Must stay where it is until
/// the line has been parsed.
class ScaleCommandLine {
 public:
  /// `command` has its configuration file, not required, and --set.
  void add(CLI::App& command, ScaleOptions& scale, PredictOptions& predict);

  /// Once the line has been parsed. `has_config`: whether a configuration file is named. Throws
  /// comm::Error (usage).
  void finish(bool has_config, ScaleOptions& scale, PredictOptions& predict) const;

 private:
  bool strong_ = false, weak_ = false;
  std::optional<std::string> ranks_, nodes_, link_;
};

/// {2e-6, 25e9} of "2e-6,25e9". Throws comm::Error (usage) unless both are numbers above 0.
Link parse_link(const std::string& text);

}  // namespace halotherm::app
