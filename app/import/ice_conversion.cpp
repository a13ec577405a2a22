// SPDX-License-Identifier: MIT
#include "app/import/ice_conversion.hpp"

#include "app/import/ice_floorplan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halotherm::app {

namespace {

constexpr double micrometre = 1e-6;

class Conversion {
 public:
  explicit Conversion(IceStack ice) : ice_(std::move(ice)) {
    stack_.title = ice_.file.stem().string();
    stack_.command = "halotherm import 3dice " + ice_.file.filename().string();
    stack_.sinks = ice_.sinks;
    stack_.initial = *ice_.initial;
    stack_.slot = ice_.slot;
    stack_.materials = ice_.materials;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double cells = std::round(ice_.chip[axis] / ice_.cell[axis]);
      stack_.axes[axis].layers = {{ice_.chip[axis] * micrometre, static_cast<int>(cells)}};
    }
  }

  Stack convert() {
    std::ranges::reverse(ice_.layers);  // from the bottom up
    add_layers();
    for (std::size_t n = 0; n < ice_.layers.size(); ++n) {
      if (!ice_.layers[n].floorplan.empty()) add_floorplan(n);
    }
    stack_.end = stack_.slot ? static_cast<double>(slots_) * *stack_.slot : settling_time(stack_);
    if (stack_.end <= 0)
      refuse(
          ice_.file, 1,
          {"has no powers", "their slots give the end of the run", "give a die with a floorplan"});
    for (const auto& point : ice_.points) add_sensor(point);
    stack_.notes = std::move(ice_.notes);
    return std::move(stack_);
  }

 private:
  void add_layers() {
    double height = 0;
    for (const auto& layer : ice_.layers) {
      const double lower = height;
      height += layer.thickness * micrometre;
      levels_.push_back({lower, height});
      stack_.axes[2].layers.emplace_back(layer.thickness * micrometre, 1);
      stack_.blocks.push_back(
          {.name = unique_name(plain_name(layer.name), names_),
           .material = layer.material,
           .lower = {0, 0, lower},
           .upper = {ice_.chip[0] * micrometre, ice_.chip[1] * micrometre, height},
           .origin = ice_.place(layer.line)});
    }
  }

  void add_floorplan(std::size_t n) {
    const auto file = ice_.file.parent_path() / ice_.layers[n].floorplan;
    for (const auto& element : read_ice_floorplan(file, ice_.chip[0], ice_.chip[1], ice_.notes)) {
      if (slots_ == 0) slots_ = element.power.size();
      if (stack_.slot && element.power.size() != slots_)
        refuse(file, element.line,
               {fmt::format("{} has {} powers", element.name, element.power.size()),
                fmt::format("others have {}, one a slot", slots_), "give as many"});
      add_element(n, element, file);
    }
  }

  /// The power of several rectangles is shared by their areas.
  void add_element(std::size_t n, const IceElement& element, const std::filesystem::path& file) {
    const auto& layer = ice_.layers[n];
    double area = 0;
    for (const auto& [x, y, dx, dy] : element.rectangles) area += dx * dy;
    for (const auto& [x, y, dx, dy] : element.rectangles) {
      StackBlock block{.name = unique_name(plain_name(layer.name + "_" + element.name), names_),
                       .material = material_of(element, layer, file),
                       .lower = {x * micrometre, y * micrometre, levels_[n][0]},
                       .upper = {(x + dx) * micrometre, (y + dy) * micrometre, levels_[n][1]},
                       .power = element.power,
                       .origin = fmt::format("{}:{}", file.filename().string(), element.line)};
      if (!stack_.slot) block.power.resize(1);
      for (auto& power : block.power) power *= dx * dy / area;
      stack_.blocks.push_back(std::move(block));
    }
  }

  /// "" for the one of the layer.
  std::string material_of(const IceElement& element, const IceLayer& layer,
                          const std::filesystem::path& file) const {
    const auto name = plain_name(element.material);
    if (element.material.empty() || name == layer.material) return "";
    if (std::ranges::find(ice_.materials, name, &StackMaterial::name) != ice_.materials.end())
      return name;
    refuse(file, element.line,
           {fmt::format("\"{}\" is no material", element.material),
            "the stack description gives the materials", "add it there"});
  }

  /// At the centre of the cell that the point is in, whose temperature 3D-ICE gives.
  void add_sensor(const IcePoint& point) {
    std::size_t found = ice_.layers.size();
    for (std::size_t n = 0; n < ice_.layers.size(); ++n) {
      const auto& layer = ice_.layers[n];
      if (layer.name == point.name && (found == ice_.layers.size() || layer.heated)) found = n;
    }
    if (found == ice_.layers.size())
      refuse(ice_.file, point.line,
             {fmt::format("\"{}\" is not in the stack", point.name),
              "a temperature is one of a die or layer", "correct it"});
    StackSensor sensor{unique_name("T_" + plain_name(point.name), names_), {}};
    const std::array<double, 2> at{point.x, point.y};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const auto& [length, cells] = stack_.axes[axis].layers.front();
      const double cell =
          std::clamp(std::floor(at[axis] * micrometre / (length / cells) + 1e-9), 0.0, cells - 1.0);
      sensor.at[axis] = (cell + 0.5) * length / cells;
    }
    sensor.at[2] = (levels_[found][0] + levels_[found][1]) / 2;
    stack_.sensors.push_back(std::move(sensor));
  }

  IceStack ice_;
  Stack stack_;
  std::vector<std::array<double, 2>> levels_;  ///< lower and upper end of each layer [m]
  std::map<std::string, int> names_;
  std::size_t slots_ = 0;
};

}  // namespace

Stack import_ice(const std::filesystem::path& file) {
  return Conversion(read_ice_stack(file)).convert();
}

}  // namespace halotherm::app
