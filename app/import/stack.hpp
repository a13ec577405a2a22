// SPDX-License-Identifier: MIT
// A stack of layers with heated blocks, as programs for the temperatures of chips describe it, and
// the configuration that it becomes.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::app {

/// All values are in SI units.
struct StackMaterial {
  std::string name;
  std::vector<double> conductivity{};  ///< one, or one per axis [W/(m K)]
  double heat_capacity = 0;            ///< per volume [J/(m³ K)]
  std::string origin{};                ///< file and line
};

/// A box of a material, of heat, or of both.
struct StackBlock {
  std::string name;
  std::string material{};  ///< "" if it only heats
  std::array<double, 3> lower{}, upper{};
  std::vector<double> power{};  ///< one a slot, or one for all times [W]; empty if it only is there
  std::string origin{};
};

struct StackAxis {
  std::vector<std::pair<double, int>> layers;  ///< thickness [m] and cells, from 0 on
};

struct StackSensor {
  std::string name;
  std::array<double, 3> at{};
};

struct Stack {
  std::string title, command;
  std::array<StackAxis, 3> axes;
  std::vector<StackMaterial> materials;
  std::vector<StackBlock> blocks;  ///< later ones lie on top; together they fill the box
  /// convection at z- and z+: coefficient [W/(m² K)] and ambient temperature [K]
  std::array<std::optional<std::array<double, 2>>, 2> sinks;
  double initial = 0;          ///< [K]
  std::optional<double> slot;  ///< duration of a value of power [s]; none for a steady problem
  double end = 0;              ///< [s]
  std::vector<StackSensor> sensors;
  std::vector<std::string> notes;  ///< what has no counterpart, and what is done instead
};

/// "a name" with only the characters that names may have.
std::string plain_name(const std::string& name);

/// `name`, or with a number behind it if it is in `taken`, to which it adds it.
std::string unique_name(const std::string& name, std::map<std::string, int>& taken);

/// The time after which a stack that was heated evenly has come as near to its steady state as
/// exp(-20), by its capacity and the resistance between its far end and the sinks [s].
double settling_time(const Stack& stack);

/// The YAML. Throws comm::Error (usage) if it would exceed the bounds of a configuration.
std::string to_yaml(const Stack& stack);

}  // namespace halotherm::app
