// SPDX-License-Identifier: MIT
// The probe's facts as JSON: between ranks, and in the report.
#pragma once

#include "app/probe/probe_facts.hpp"

namespace halotherm::app {

std::string to_text(const ProbeRank& rank);
std::string to_text(const ProbePair& pair);
ProbeRank rank_from_text(const std::string& text);
ProbePair pair_from_text(const std::string& text);

}  // namespace halotherm::app
