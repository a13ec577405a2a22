// SPDX-License-Identifier: MIT
// Facts and results of probe as JSON.
#pragma once

#include "app/probe/probe.hpp"

#include <string>

namespace halotherm::app {

/// The report.
std::string probe_json(const ProbeRecord& record);

/// As JSON, for other ranks and the report.
std::string to_text(const ProbeRank& rank);
std::string to_text(const ProbePair& pair);
ProbeRank rank_from_text(const std::string& text);
ProbePair pair_from_text(const std::string& text);

}  // namespace halotherm::app
