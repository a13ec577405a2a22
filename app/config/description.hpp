// SPDX-License-Identifier: MIT
// Texts about the configuration's keys and sections, for messages, defaults, schema and manual.
#pragma once

#include "app/config/keys.hpp"

namespace halotherm::app {

/// Keys of which at most one, or exactly one if `required`, may be given.
struct Alternatives {
  std::vector<std::string> paths;
  bool required = false;
  std::string example{};  ///< of the first, in YAML, where one is required
};

std::vector<Alternatives> alternatives();

/// The purpose of a section such as "grid" or "output.fields"; "" if it has no text.
std::string section_help(const std::string& path);

/// "x-", "y+": the key of a side.
std::string side_name(int axis, int side);
constexpr const char* axis_names = "xyz";

/// The allowed values: "a whole number from 1 to 8", "auto or a number above 0", "one of a, b".
std::string allowed(const Rule& rule);

/// The values of a side that closes its axis on itself.
inline constexpr const char* periodic_word = "periodic";

/// Help, unit and allowed values of a key.
std::string explanation(const Key& key);

}  // namespace halotherm::app
