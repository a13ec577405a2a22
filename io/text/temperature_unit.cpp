// SPDX-License-Identifier: MIT
#include "io/text/temperature_unit.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace halotherm::io {

std::optional<TemperatureUnit> temperature_unit_of(std::string_view text) {
  constexpr std::array<std::string_view, 3> of_kelvin{"k", "kelvin", "kelvins"};
  constexpr std::array<std::string_view, 10> of_celsius{
      "c",         "celsius", "degc", "deg_c",          "degree_c",
      "degrees_c", "deg c",   "°c",   "degree_celsius", "degrees_celsius"};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(letter < 128 ? std::tolower(letter) : letter);
  });
  if (std::ranges::count(of_kelvin, lower) > 0) return TemperatureUnit::kelvin;
  if (std::ranges::count(of_celsius, lower) > 0) return TemperatureUnit::celsius;
  return std::nullopt;
}

}  // namespace halotherm::io
