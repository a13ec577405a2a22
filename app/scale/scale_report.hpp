// SPDX-License-Identifier: MIT
// Texts of a scaling study.
#pragma once

#include "app/scale/scale_record.hpp"

#include <string>

namespace halotherm::app {

/// Tables and bottlenecks.
std::string scale_text(const ScaleRecord& record);

/// A heading line, then a line for each number of ranks; SI units, as the headings say.
std::string scale_csv(const ScaleRecord& record);

}  // namespace halotherm::app
