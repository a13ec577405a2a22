// SPDX-License-Identifier: MIT
// Floorplans of 3D-ICE (.flp): rectangles of a die and their powers.
#pragma once

#include "app/import/statements.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace halotherm::app {

struct IceElement {
  std::string name;
  std::vector<std::array<double, 4>> rectangles{};  ///< x, y, length, width [um]
  std::string material{};                           ///< "" for that of the source layer
  std::vector<double> power{};                      ///< one a slot [W]
  std::size_t line = 0;
};

/// Throws comm::Error (usage), which names file and line. Lengths are those of the die [um]; adds
/// what has no counterpart to `notes`.
std::vector<IceElement> read_ice_floorplan(const std::filesystem::path& file, double length,
                                           double width, std::vector<std::string>& notes);

}  // namespace halotherm::app
