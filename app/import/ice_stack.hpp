// SPDX-License-Identifier: MIT
// Stack descriptions of 3D-ICE (.stk) as the files give them.
#pragma once

#include "app/import/stack.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

/// A layer of a die or of the stack.
struct IceLayer {
  double thickness = 0;  ///< [um]
  std::string material{};
  bool heated = false;
  std::size_t line = 0;
  std::string name{};       ///< of the die or layer in the stack
  std::string floorplan{};  ///< "" for a layer that is not heated
};

/// A temperature that is to be written.
struct IcePoint {
  std::string name;     ///< of the die or layer in the stack
  double x = 0, y = 0;  ///< [um]
  std::size_t line = 0;
};

struct IceStack {
  std::filesystem::path file;
  std::vector<StackMaterial> materials;
  /// convection below and on top: coefficient [W/(m² K)] and temperature [K]
  std::array<std::optional<std::array<double, 2>>, 2> sinks;
  std::array<double, 2> chip{}, cell{};  ///< [um]
  std::vector<IceLayer> layers;          ///< from the top down
  std::optional<double> initial;         ///< [K]
  std::optional<double> slot;            ///< [s]; none for a steady problem
  std::vector<IcePoint> points;
  std::vector<std::string> notes;  ///< what has no counterpart

  /// "stack.stk:12"
  std::string place(std::size_t line) const;
};

/// Throws comm::Error (usage), which names file and line, also for what has no counterpart:
/// channels, pin fins, layouts and heat sinks of plug-ins.
IceStack read_ice_stack(const std::filesystem::path& file);

}  // namespace halotherm::app
