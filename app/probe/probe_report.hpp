// SPDX-License-Identifier: MIT
// Text of probe.
#pragma once

#include "app/probe/probe.hpp"

#include <string>

namespace halotherm::app {

std::string probe_heading(const ProbeRecord& record);
std::string probe_results(const ProbeRecord& record);

}  // namespace halotherm::app
