// SPDX-License-Identifier: MIT
#include "app/config/material_tables.hpp"

#include "app/config/keys.hpp"
#include "app/config/patches.hpp"
#include "solver/formula/formula.hpp"
#include "solver/formula/slope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

namespace halotherm::app {

namespace {

using Point = std::array<double, 2>;
using PropertyOfT = std::function<double(double)>;

std::optional<solver::Formula> formula_of(const Quantity& quantity) {
  const auto* formula = std::get_if<Formula>(&quantity);
  if (formula == nullptr) return std::nullopt;
  return solver::Formula(formula->text, "xyzT");
}

bool uses_temperature(const Quantity& quantity) {
  if (std::holds_alternative<Table>(quantity)) return true;
  const auto formula = formula_of(quantity);
  return formula && formula->uses('T');
}

bool uses_position(const Quantity& quantity) {
  if (std::holds_alternative<FileDataset>(quantity)) return true;
  const auto formula = formula_of(quantity);
  return formula && formula->uses_position();
}

/// A property with the name of its key.
struct Property {
  std::string name;
  const Quantity* quantity;
};

std::vector<Property> properties_of(const MaterialConfig& material) {
  std::vector<Property> all{{"density", &material.density},
                            {"heat_capacity", &material.heat_capacity}};
  for (std::size_t axis = 0; axis < material.conductivity.size(); ++axis) {
    const auto place = material.conductivity.size() == 1 ? "" : fmt::format("[{}]", axis);
    all.push_back({"conductivity" + place, &material.conductivity[axis]});
  }
  return all;
}

bool needs_tables(const MaterialConfig& material) {
  return material.latent_heat || material.conductivity_factor ||
         std::ranges::any_of(properties_of(material), [](const Property& property) {
           return uses_temperature(*property.quantity);
         });
}

/// Adds the points after `from` up to `to`: halves the part until the middle of each half is where
/// the line between its ends has it.
void bisect(const PropertyOfT& value, const Point& from, const Point& to, int depth, Table& table) {
  constexpr double tolerance = 1e-6;
  constexpr int fewest = 3, most = 12;  // halvings
  const auto near_line = [&](double part) {
    const double line = from[1] + part * (to[1] - from[1]);
    const double at = value(from[0] + part * (to[0] - from[0]));
    return std::abs(at - line) <= tolerance * std::abs(at);
  };
  if (depth >= most || (depth >= fewest && near_line(0.25) && near_line(0.5) && near_line(0.75))) {
    table.points.push_back(to);
    return;
  }
  const double middle = 0.5 * (from[0] + to[0]);
  const Point half{middle, value(middle)};
  bisect(value, from, half, depth + 1, table);
  bisect(value, half, to, depth + 1, table);
}

/// Checks a material, whose place in the text is `node`.
class TableCheck {
 public:
  TableCheck(const Config& config, const MaterialConfig& material, io::YamlReader& yaml,
             const io::YamlNode& node)
      : config_(config), material_(material), yaml_(yaml), node_(node) {}

  void check() {
    check_latent_heat();
    check_factor();
    bool of_temperature = false, in_range = true;
    for (const auto& property : properties_of(material_)) {
      const auto formula = formula_of(*property.quantity);
      if (!formula || !formula->uses('T')) continue;
      of_temperature = true;
      if (formula->uses_position()) refuse_position_and_temperature(property);
      in_range = in_range && material_.temperatures && !formula->uses_position();
    }
    if (of_temperature && node_.find("temperatures") == nullptr) {
      yaml_.fail_missing(node_, "temperatures", "formulas in T need the range that T takes",
                         "add it, for example temperatures: [250, 1500]");
    }
    if (!of_temperature && material_.temperatures) {
      yaml_.fail_key(
          *node_.find("temperatures"),
          {"stands without a formula in T", "it is the range of such formulas", "remove it"});
    }
    if (in_range) check_values();
  }

  /// In a problem in which properties depend on temperature or time, none depends on the position.
  void check_position() {
    for (const auto& property : properties_of(material_)) {
      if (!uses_position(*property.quantity)) continue;
      const auto formula = formula_of(*property.quantity);
      if (formula && formula->uses('T')) continue;  // reported already
      refuse(property, {"depends on the position",
                        "where a property of some material depends on the temperature or on "
                        "time, none can depend on the position",
                        "use regions of several materials"});
    }
  }

 private:
  void refuse(const Property& property, const comm::ErrorText& text) {
    const auto name = property.name.substr(0, property.name.find('['));
    yaml_.fail(*node_.find(name), text);
  }

  void refuse_position_and_temperature(const Property& property) {
    refuse(property, {"depends on the position and on T", "it can depend on one of them",
                      "use regions of several materials, each with formulas in T"});
  }

  void check_latent_heat() {
    if (material_.latent_heat && !material_.melting && node_.find("melting") == nullptr) {
      yaml_.fail_missing(node_, "melting", "latent heat needs the range in which it melts",
                         "add it, for example melting: [300, 303]");
    }
    if (material_.melting && !material_.latent_heat && node_.find("latent_heat") == nullptr) {
      yaml_.fail_missing(node_, "latent_heat", "melting takes up heat",
                         "add it, for example latent_heat: 2e5, or remove melting");
    }
  }

  void check_factor() {
    const auto [least, largest] = bounds_of_conductivity_factor(config_, material_);
    if (least > 0 && std::isfinite(largest)) return;
    yaml_.fail(*node_.find("conductivity_factor"),
               {fmt::format("lies between {:g} and {:g}, as far as its parts tell", least, largest),
                fmt::format("must be above 0 and finite at every time{}",
                            config_.time.end ? " of the run" : ""),
                config_.time.end ? "correct the formula, or write a table in time"
                                 : "give time.end, or correct the formula"});
  }

  void check_values() {
    for (const auto& property : properties_of(material_)) {
      if (uses_position(*property.quantity)) continue;
      try {
        (void)table_of(*property.quantity, material_.temperatures, config_.units.temperature);
      } catch (const comm::Error& error) {
        refuse(property, error.text());
      }
    }
  }

  const Config& config_;
  const MaterialConfig& material_;
  io::YamlReader& yaml_;
  const io::YamlNode& node_;
};

void check_count(const Config& config, io::YamlReader& yaml) {
  const std::size_t most = most_tabulated_materials - (config.has_void() ? 1 : 0);
  if (config.materials.size() <= most) return;
  yaml.fail("materials", {fmt::format("has {} entries", config.materials.size()),
                          fmt::format("where properties depend on the temperature, at most {} are "
                                      "possible{}",
                                      most, config.has_void() ? " beside void" : ""),
                          "use fewer materials"});
}

}  // namespace

bool has_tables(const Config& config) {
  return std::ranges::any_of(config.materials, needs_tables);
}

solver::Bounds bounds_of_conductivity_factor(const Config& config, const MaterialConfig& material) {
  const auto factor = material.conductivity_factor.value_or(1.0);
  if (const auto* number = std::get_if<double>(&factor)) return {*number, *number};
  if (const auto* table = std::get_if<Table>(&factor)) {
    const auto [least, most] = std::ranges::minmax(table->points, {}, [](auto& p) { return p[1]; });
    return {least[1], most[1]};
  }
  solver::VariableBounds variables;
  variables[3] = {0, config.time.end.value_or(std::numeric_limits<double>::infinity())};
  return solver::bounds_of(solver::Formula(std::get<Formula>(factor).text, "xyzt").code(),
                           variables);
}

bool source_follows_temperature(const Quantity& source) {
  const auto* formula = std::get_if<Formula>(&source);
  return formula != nullptr && solver::Formula(formula->text, "xyztT").uses('T');
}

bool sources_follow_temperature(const Config& config) {
  return std::ranges::any_of(config.regions, [](const auto& region) {
    return region.source && source_follows_temperature(*region.source);
  });
}

bool void_faces_heat_cells(const Config& config) {
  if (!config.void_faces || !config.has_void()) return false;
  const auto& faces = *config.void_faces;
  const auto changes = [](const Quantity& quantity) {
    const auto* formula = std::get_if<Formula>(&quantity);
    return std::holds_alternative<Table>(quantity) ||
           (formula != nullptr && solver::Formula(formula->text, "xyzt").uses('t'));
  };
  if (faces.radiation || changes(faces.flux)) return true;
  if (faces.temperature) return changes(*faces.temperature);
  if (!faces.convection) return false;
  const auto& [coefficient, ambient] = *faces.convection;
  const bool one = std::holds_alternative<double>(coefficient);
  return changes(coefficient) || changes(ambient) || (has_tables(config) && !one);
}

bool heating_follows_temperature(const Config& config) {
  return sources_follow_temperature(config) || void_faces_heat_cells(config);
}

bool is_nonlinear(const Config& config) {
  return radiates(config) || has_tables(config) || heating_follows_temperature(config);
}

solver::Bounds temperatures_of(const RegionConfig& region, io::TemperatureUnit unit) {
  if (region.temperatures) return {(*region.temperatures)[0], (*region.temperatures)[1]};
  const double zero = unit == io::TemperatureUnit::kelvin ? 0 : -io::celsius_zero;
  return {zero, std::numeric_limits<double>::infinity()};
}

double steepest_fall(const Config& config, const RegionConfig& region) {
  if (!region.source || !source_follows_temperature(*region.source)) return 0;
  solver::VariableBounds variables;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    variables[axis] = {0, 0};
    if (axis < std::min(config.grid.lower.size(), config.grid.upper.size()))
      variables[axis] = {config.grid.lower[axis], config.grid.upper[axis]};
  }
  variables[3].lower = 0;  // t
  if (config.time.end) variables[3].upper = *config.time.end;
  variables[4] = temperatures_of(region, config.units.temperature);
  const auto& text = std::get<Formula>(*region.source).text;
  return solver::steepest_fall(solver::Formula(text, "xyztT").code(), variables);
}

Table table_of(const Quantity& property, const std::optional<std::array<double, 2>>& temperatures,
               io::TemperatureUnit unit) {
  if (const auto* table = std::get_if<Table>(&property)) return *table;
  if (const auto* number = std::get_if<double>(&property)) return {{{0, *number}}};
  const auto formula = *formula_of(property);
  const auto value = [&](double temperature) {
    const double result = formula({0, 0, 0}, 0, temperature);
    if (std::isfinite(result) && result > 0) return result;
    throw comm::Error(comm::ExitCode::usage,
                      {fmt::format("is {:g} at T = {:g} {}", result, temperature, io::symbol(unit)),
                       "must be finite and positive", "correct the formula or the temperatures"});
  };
  if (!formula.uses('T')) return {{{0, value(0)}}};
  const Point first{(*temperatures)[0], value((*temperatures)[0])},
      last{(*temperatures)[1], value((*temperatures)[1])};
  Table table{{first}};
  bisect(value, first, last, 0, table);
  return table;
}

void check_tables(const Config& config, io::YamlReader& yaml) {
  const auto* list = yaml.find("materials");
  if (list == nullptr || list->children.size() != config.materials.size()) return;
  const bool tables = has_tables(config);
  for (std::size_t n = 0; n < config.materials.size(); ++n) {
    TableCheck check(config, config.materials[n], yaml, list->children[n]);
    check.check();
    if (tables) check.check_position();
  }
  if (!tables) return;
  check_count(config, yaml);
}

}  // namespace halotherm::app
