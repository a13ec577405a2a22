// SPDX-License-Identifier: MIT
#include "io/text/temperature_unit.hpp"

#include <gtest/gtest.h>

namespace halotherm::io {
namespace {

TEST(TemperatureUnit, one_addition_converts) {
  EXPECT_EQ(to_kelvin(20, TemperatureUnit::celsius), 293.15);
  EXPECT_EQ(to_kelvin(20, TemperatureUnit::kelvin), 20);
  EXPECT_EQ(from_kelvin(273.15, TemperatureUnit::celsius), 0);
  EXPECT_EQ(from_kelvin(273.15, TemperatureUnit::kelvin), 273.15);
}

TEST(TemperatureUnit, names_of_files) {
  for (const auto* text : {"K", "kelvin", "Kelvin"})
    EXPECT_EQ(temperature_unit_of(text), TemperatureUnit::kelvin) << text;
  for (const auto* text : {"degC", "C", "celsius", "Celsius", "degree_Celsius", "°C", "deg_C"})
    EXPECT_EQ(temperature_unit_of(text), TemperatureUnit::celsius) << text;
  for (const auto* text : {"", "degF", "Kel", "1", "°"})
    EXPECT_EQ(temperature_unit_of(text), std::nullopt) << text;
  EXPECT_EQ(temperature_unit_of(symbol(TemperatureUnit::kelvin)), TemperatureUnit::kelvin);
  EXPECT_EQ(temperature_unit_of(symbol(TemperatureUnit::celsius)), TemperatureUnit::celsius);
}

}  // namespace
}  // namespace halotherm::io
