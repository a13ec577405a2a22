// SPDX-License-Identifier: MIT
// Rules and slots of which the tables of keys consist.
#pragma once

#include "app/config/keys.hpp"
#include "io/yaml/yaml_reader.hpp"

#include <optional>
#include <string>
#include <utility>

namespace halotherm::app {

inline constexpr double most_cells_an_axis = 1 << 30;
inline constexpr double most_uneven_cells = 1 << 20;  ///< along an axis
inline constexpr double most_steps = 1e15;
inline constexpr double most_fused_steps = 8;
inline constexpr double most_submitted = 4096;  ///< steps
inline constexpr double most_patches = 100;
inline constexpr double most_contacts = 1000;
inline constexpr io::Bounds positive{.min = 0, .min_excluded = true};
inline constexpr io::Bounds not_negative{.min = 0};

template <class Enum>
WordSlot word_slot(Enum& value) {
  return {[&value] { return static_cast<std::size_t>(value); },
          [&value](std::size_t word) { value = static_cast<Enum>(word); }};
}

inline Rule one_of(std::vector<std::string> words) {
  return {.kind = Kind::word, .words = std::move(words)};
}
inline Rule count(double min, double max) {
  return {.kind = Kind::whole, .bounds = {.min = min, .max = max}};
}
inline Rule number(io::Bounds bounds) {
  return {.kind = Kind::number, .bounds = bounds};
}
/// Simulated or real time, as seconds or with units.
inline Rule duration(io::Bounds bounds) {
  return {.kind = Kind::duration, .bounds = bounds};
}
inline Rule position() {
  return {.kind = Kind::number, .shape = Shape::per_axis};
}

/// Two numbers, ascending.
inline Rule interval(io::Bounds bounds) {
  return {.kind = Kind::number, .bounds = bounds, .shape = Shape::pair};
}

/// Two names.
inline Rule pair_of_names() {
  return {.kind = Kind::name, .shape = Shape::pair};
}

inline Rule field_quantity(io::Bounds bounds, std::string variables) {
  return {
      .kind = Kind::quantity, .bounds = bounds, .variables = std::move(variables), .files = true};
}
inline Rule side_quantity(io::Bounds bounds) {
  return {.kind = Kind::quantity, .bounds = bounds, .variables = "xyzt", .tables_in = 't'};
}
/// The values are temperatures, and not differences of temperatures.
inline Rule temperature(Rule rule) {
  rule.temperature = true;
  return rule;
}

/// A property of a material that may depend on the temperature.
inline Rule property(io::Bounds bounds) {
  Rule rule = field_quantity(bounds, "xyzT");
  rule.tables_in = 'T';
  return rule;
}
inline Rule source_quantity() {
  Rule rule = field_quantity({}, "xyztT");
  rule.tables_in = 't';
  return rule;
}
/// Of a whole region or material, so without a position.
inline Rule quantity_in_time(io::Bounds bounds) {
  return {.kind = Kind::quantity, .bounds = bounds, .variables = "t", .tables_in = 't'};
}

/// Keys of their own in a map, or in each map of a list.
inline Rule one_map() {
  return {.kind = Kind::map};
}
inline Rule maps(double most) {
  return {.kind = Kind::map, .bounds = {.max = most}, .shape = Shape::list};
}

/// Maps with names.
inline Rule named_maps() {
  return {.kind = Kind::map, .shape = Shape::named};
}

template <class Map>
MapSlot map_slot(Map& map) {
  return {[&map](const std::string&) { return keys_of(map); },
          [&map] {
            return std::vector<MapKeys>{{"", keys_of(map)}};
          }};
}
template <class Map>
MapSlot map_slot(std::optional<Map>& map) {
  return {[&map](const std::string&) { return keys_of(map.emplace()); },
          [&map] {
            std::vector<MapKeys> all;
            if (map) all.push_back({"", keys_of(*map)});
            return all;
          }};
}
/// Maps that have a member `name` take the names.
template <class Map>
MapSlot map_slot(std::vector<Map>& maps) {
  return {[&maps](const std::string& name) {
            auto& map = maps.emplace_back();
            if constexpr (requires { map.name; }) map.name = name;
            return keys_of(map);
          },
          [&maps] {
            std::vector<MapKeys> all;
            for (auto& map : maps) {
              all.push_back({"", keys_of(map)});
              if constexpr (requires { map.name; }) all.back().name = map.name;
            }
            return all;
          }};
}

inline Rule per_axis(Rule rule, Shape shape = Shape::per_axis) {
  rule.shape = shape;
  return rule;
}

inline Rule or_auto(Rule rule) {
  rule.automatic = true;
  return rule;
}

/// The rule of one entry of a list.
inline Rule single(Rule rule) {
  rule.shape = Shape::single;
  rule.automatic = false;
  return rule;
}

/// Why a text, a path or a name is not allowed; none if it is.
std::optional<comm::ErrorText> wrong_text(const std::string& text, Kind kind);
/// Why the name or the value of an MPI hint is not allowed; none if it is.
std::optional<comm::ErrorText> wrong_hint_name(const std::string& name);
std::optional<comm::ErrorText> wrong_hint_value(const std::string& text);

}  // namespace halotherm::app
