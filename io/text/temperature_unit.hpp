// SPDX-License-Identifier: MIT
// Units of temperatures at the two ends of a run: what it reads, and what it prints and writes. All
// between is in kelvin. Differences and rates of temperatures are in kelvin everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace halotherm::io {

enum class TemperatureUnit { kelvin, celsius };

/// The temperature of 0 degrees Celsius [K]. Others are converted by one addition or subtraction.
inline constexpr double celsius_zero = 273.15;

inline double to_kelvin(double temperature, TemperatureUnit unit) {
  return unit == TemperatureUnit::celsius ? temperature + celsius_zero : temperature;
}
inline double from_kelvin(double kelvin, TemperatureUnit unit) {
  return unit == TemperatureUnit::celsius ? kelvin - celsius_zero : kelvin;
}

/// "K" or "degC", the symbols of UDUNITS, which netCDF's readers know.
inline const char* symbol(TemperatureUnit unit) {
  return unit == TemperatureUnit::celsius ? "degC" : "K";
}

/// The unit that a text such as "K", "kelvin", "degC" or "Celsius" names; none if it is another.
std::optional<TemperatureUnit> temperature_unit_of(std::string_view text);

}  // namespace halotherm::io
