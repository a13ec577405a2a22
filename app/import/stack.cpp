// SPDX-License-Identifier: MIT
#include "app/import/stack.hpp"

#include "comm/system/error_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace halotherm::app {

namespace {

/// Twelve digits: what conversions of units and sums have added beyond is rounding.
std::string to_text(double value) {
  return fmt::format("{:.12g}", value);
}

constexpr std::size_t most_regions = 1000, most_points = 1000, most_values = 15000;

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + to_text(value);
  return "[" + text + "]";
}
std::string list_text(const std::array<double, 3>& values) {
  return list_text(std::vector<double>(values.begin(), values.end()));
}

const StackMaterial& material_of(const Stack& stack, const std::string& name) {
  return *std::ranges::find(stack.materials, name, &StackMaterial::name);
}

double smallest_cell(const StackAxis& axis) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [thickness, cells] : axis.layers)
    smallest = std::min(smallest, thickness / cells);
  return smallest;
}

/// Times and powers [s, W], without points that repeat the value before.
std::vector<std::array<double, 2>> points_of(const StackBlock& block, double slot) {
  std::vector<std::array<double, 2>> points;
  for (std::size_t n = 0; n < block.power.size(); ++n) {
    if (points.empty() || points.back()[1] != block.power[n])
      points.push_back({static_cast<double>(n) * slot, block.power[n]});
  }
  return points;
}

std::string power_text(const StackBlock& block, double slot, std::size_t& values) {
  const auto points = points_of(block, slot);
  values += 2 * points.size();
  if (points.size() == 1) return to_text(points.front()[1]);
  if (points.size() > most_points || values > most_values) {
    throw comm::Error(
        comm::ExitCode::usage,
        {block.origin + ": the power traces have too many values",
         fmt::format("a configuration takes {} changes of one power, and {} values of "
                     "all",
                     most_points, most_values),
         "shorten the traces, or give means over longer intervals"});
  }
  std::string text;
  for (const auto& [time, power] : points)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", to_text(time), to_text(power));
  return "{steps: {" + text + "}}";
}

std::string region_text(const StackBlock& block, double slot, std::size_t& values) {
  auto text = "  - {name: " + block.name;
  if (!block.material.empty()) text += ", material: " + block.material;
  text += ", box: {lower: " + list_text(block.lower) + ", upper: " + list_text(block.upper) + "}";
  if (!block.power.empty()) text += ", power: " + power_text(block, slot, values);
  values += 12;
  return text + "}   # " + block.origin + "\n";
}

std::string axis_text(char name, const StackAxis& axis) {
  if (axis.layers.size() == 1)
    return fmt::format("  {}: {{cells: {}, upper: {}}}\n", name, axis.layers.front().second,
                       to_text(axis.layers.front().first));
  std::string text;
  for (const auto& [thickness, cells] : axis.layers)
    text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", to_text(thickness), cells);
  return fmt::format("  {}: {{layers: [{}]}}\n", name, text);
}

/// Stages of rkl2 that make a step about `dt` long: a cautious estimate of forward Euler's step.
int stages_for(const Stack& stack, double dt) {
  double fastest = 0;
  for (const auto& material : stack.materials)
    fastest = std::max(fastest,
                       *std::ranges::max_element(material.conductivity) / material.heat_capacity);
  double rate = 0;
  for (const auto& axis : stack.axes) rate += 1 / std::pow(smallest_cell(axis), 2);
  const double stretch = dt * 2 * fastest * rate;
  const int stages = static_cast<int>(std::clamp(2 * std::sqrt(stretch), 3.0, 99.0));
  return stages | 1;
}

std::string time_text(const Stack& stack) {
  const double longest = std::min(stack.slot.value_or(stack.end) / 20, stack.end / 200);
  const auto comment = stack.slot ? fmt::format("slots of {} s", to_text(*stack.slot))
                                  : "a steady problem: until it has settled";
  return fmt::format("time: {{end: {}, integrator: rkl2, stages: {}}}   # {}\n", to_text(stack.end),
                     stages_for(stack, longest), comment);
}

std::string sides_text(const Stack& stack) {
  std::string text;
  for (std::size_t end = 0; end < 2; ++end) {
    if (!stack.sinks[end]) continue;
    const auto& [coefficient, ambient] = *stack.sinks[end];
    text += fmt::format("  z{}: {{convection: {{coefficient: {}, ambient: {}}}}}   # W/(m2 K), K\n",
                        end == 0 ? '-' : '+', to_text(coefficient), to_text(ambient));
  }
  return text.empty() ? "" : "sides:   # the others are insulated\n" + text;
}

}  // namespace

std::string plain_name(const std::string& name) {
  auto plain = name.substr(0, 60);
  for (auto& c : plain) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
  }
  return plain.empty() ? "unnamed" : plain;
}

std::string unique_name(const std::string& name, std::map<std::string, int>& taken) {
  auto unique = name;
  while (++taken[unique] > 1) unique = fmt::format("{}_{}", name, taken[unique]);
  return unique;
}

double settling_time(const Stack& stack) {
  double capacity = 0, resistance = 0, coefficient = 0;  // of 1 m²
  for (const auto& block : stack.blocks) {
    if (block.material.empty()) continue;
    const auto& material = material_of(stack, block.material);
    const double thickness = block.upper[2] - block.lower[2];
    capacity += thickness * material.heat_capacity;
    resistance += thickness / *std::ranges::min_element(material.conductivity);
  }
  for (const auto& sink : stack.sinks) coefficient += sink ? (*sink)[0] : 0;
  constexpr double settled = 20;
  return settled * capacity * (resistance + 1 / coefficient);
}

std::string to_yaml(const Stack& stack) {
  if (stack.blocks.size() > most_regions)
    throw comm::Error(
        comm::ExitCode::usage,
        {fmt::format("the stack has {} layers and blocks", stack.blocks.size()),
         fmt::format("a configuration has at most {} regions", most_regions), "give fewer blocks"});
  std::string text = "# made by: " + stack.command + "\n# m, K, W, s\n";
  for (const auto& note : stack.notes) text += "# note: " + note + "\n";
  text += "title: \"" + plain_name(stack.title) + "\"\ngrid:\n";
  for (std::size_t axis = 0; axis < 3; ++axis) text += axis_text("xyz"[axis], stack.axes[axis]);
  text += "materials:   # density 1, so that heat_capacity is that of a volume [J/(m3 K)]\n";
  for (const auto& material : stack.materials) {
    if (std::ranges::find(stack.blocks, material.name, &StackBlock::material) == stack.blocks.end())
      continue;
    const auto& of_axes = material.conductivity;
    text += fmt::format("  {}: {{conductivity: {}, density: 1, heat_capacity: {}}}   # {}\n",
                        material.name,
                        of_axes.size() == 1 ? to_text(of_axes.front()) : list_text(of_axes),
                        to_text(material.heat_capacity), material.origin);
  }
  text += "regions:   # later ones lie on top\n";
  std::size_t values = 0;
  for (const auto& block : stack.blocks) text += region_text(block, stack.slot.value_or(0), values);
  text += fmt::format("initial: {{temperature: {}}}\n", to_text(stack.initial));
  text += sides_text(stack) + time_text(stack);
  text += "output:\n  directory: results/" + plain_name(stack.title) + "\n";
  if (!stack.sensors.empty()) text += "  sensors:\n";
  for (const auto& sensor : stack.sensors)
    text += "    - {name: " + sensor.name + ", at: " + list_text(sensor.at) + "}\n";
  return text;
}

}  // namespace halotherm::app
