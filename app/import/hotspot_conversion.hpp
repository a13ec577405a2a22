// SPDX-License-Identifier: MIT
// A chip in its package, as HotSpot describes it, as a stack of layers and heated blocks.
#pragma once

#include "app/import/stack.hpp"

#include <filesystem>

namespace halotherm::app {

struct HotspotFiles {
  std::filesystem::path config, floorplan, powers;
  std::filesystem::path materials, layers;  ///< empty if not given; `layers` replaces `floorplan`
};

/// `steady`: with the means of the powers, until the temperatures have settled. Throws comm::Error
/// (usage), which names file and line.
Stack import_hotspot(const HotspotFiles& files, bool steady);

}  // namespace halotherm::app
