// SPDX-License-Identifier: MIT
// A checkpoint's metadata as text.
#pragma once

#include "io/field/checkpoint.hpp"

#include <string>

namespace halotherm::app {

/// Several lines: title, version, grid, checksums, step, time [s] and dt [s]. Local.
std::string describe(const io::CheckpointInfo& info);

}  // namespace halotherm::app
