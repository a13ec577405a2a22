// SPDX-License-Identifier: MIT
// A scaling study as JSON.
#pragma once

#include "app/scale/scale_record.hpp"

#include <string>

namespace halotherm::app {

std::string scale_json(const ScaleRecord& record);

}  // namespace halotherm::app
