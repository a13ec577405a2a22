// SPDX-License-Identifier: MIT
// A scaling study as its JSON tells it, for those who calculate with it later.
#pragma once

#include "app/config/config.hpp"
#include "app/measure/bottleneck.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

struct ScaleStudy {
  ScaleKind kind = ScaleKind::strong;
  std::string device;
  Config config;
  int ranks_per_node = 1;        ///< of the first node
  std::vector<ScaleFacts> rows;  ///< by ascending ranks
};

/// `json`: what scale_json wrote; `name`: of its file, for messages. Throws comm::Error (usage) if
/// it is something else.
ScaleStudy parse_study(const std::string& json, const std::string& name);

}  // namespace halotherm::app
