// SPDX-License-Identifier: MIT
// A stack description of 3D-ICE, with its floorplans, as a stack of layers and heated blocks.
#pragma once

#include "app/import/ice_stack.hpp"

namespace halotherm::app {

/// Reads the floorplans, too. Throws comm::Error (usage), which names file and line.
Stack import_ice(const std::filesystem::path& file);

}  // namespace halotherm::app
