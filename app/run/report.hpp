// SPDX-License-Identifier: MIT
// The machine-readable report of a run.
#pragma once

#include "app/config/config.hpp"
#include "app/run/run_record.hpp"
#include "comm/machine/environment.hpp"

#include <string>

namespace halotherm::app {

/// The content of report.json.
std::string report_json(const RunRecord& record, const Config& config, const comm::Places& places);

}  // namespace halotherm::app
