// SPDX-License-Identifier: MIT
// What a checkpoint says of itself, for people.
#pragma once

#include "io/field/checkpoint.hpp"

#include <string>

namespace halotherm::app {

std::string describe(const io::CheckpointInfo& info);

}  // namespace halotherm::app
