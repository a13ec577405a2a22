// SPDX-License-Identifier: MIT
// Numbers as text and back, the same in every locale.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace halotherm::io {

/// The shortest text that reads back as exactly this number.
std::string to_text(double value);

/// The whole of `text` as a number, "+1" and ".5" included; none if it is not a number or does not
/// fit the type. The first may be NaN or infinite.
std::optional<double> parse_number(std::string_view text);
std::optional<std::int64_t> parse_whole_number(std::string_view text);

/// The seconds in "90s", "15min", "1h30min", "2d", "20ms", "5us" or a plain number of seconds; none
/// for other texts.
std::optional<double> parse_duration(std::string_view text);

/// An interval of numbers.
struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_excluded = false;

  /// False for NaN and infinite numbers.
  bool contain(double value) const;
  /// " from 1 to 8", " above 0", or nothing where there are no bounds.
  std::string to_text() const;
};

}  // namespace halotherm::io
