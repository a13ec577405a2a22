// SPDX-License-Identifier: MIT
// The text at the end of a run.
#pragma once

#include "app/run/run_record.hpp"

namespace halotherm::app {

/// Lines with results, temperatures in this unit, speed, phases, exchange and files; each with its
/// end.
std::string summary(const RunRecord& record,
                    io::TemperatureUnit unit = io::TemperatureUnit::kelvin);

}  // namespace halotherm::app
