// SPDX-License-Identifier: MIT
#include "io/text/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace halotherm::io {

namespace {

/// std::from_chars takes no leading plus sign.
std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '+' && text[1] != '-';
  return plus ? text.substr(1) : text;
}

template <class Number>
std::optional<Number> parse_all(std::string_view text) {
  text = without_plus(text);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// `number` of the unit in seconds; fractions of a second by a division, so that 7ms is what 0.007
/// is.
std::optional<double> seconds_of(double number, std::string_view unit) {
  if (unit == "us") return number / 1e6;
  if (unit == "ms") return number / 1e3;
  if (unit == "s") return number;
  if (unit == "min") return number * 60;
  if (unit == "h") return number * 3600;
  if (unit == "d") return number * 86400;
  return std::nullopt;
}

}  // namespace

std::string to_text(double value) {
  std::array<char, 32> text;
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

std::optional<double> parse_number(std::string_view text) {
  return parse_all<double>(text);
}

std::optional<std::int64_t> parse_whole_number(std::string_view text) {
  return parse_all<std::int64_t>(text);
}

std::optional<double> parse_duration(std::string_view text) {
  if (const auto seconds = parse_number(text)) return seconds;
  double total = 0;
  while (!text.empty()) {
    const auto digits = text.find_first_not_of("0123456789.");
    if (digits == std::string_view::npos) return std::nullopt;
    const auto number = parse_number(text.substr(0, digits));
    text.remove_prefix(digits);
    const auto letters = std::min(text.find_first_of("0123456789."), text.size());
    const auto seconds = number ? seconds_of(*number, text.substr(0, letters)) : std::nullopt;
    text.remove_prefix(letters);
    if (!seconds) return std::nullopt;
    total += *seconds;
  }
  return total;
}

bool Bounds::contain(double value) const {
  return std::isfinite(value) && value <= max && (min_excluded ? value > min : value >= min);
}

std::string Bounds::to_text() const {
  const bool has_min = std::isfinite(min), has_max = std::isfinite(max);
  if (has_min && has_max && !min_excluded)
    return " from " + io::to_text(min) + " to " + io::to_text(max);
  std::string text;
  if (has_min) text += (min_excluded ? " above " : " of at least ") + io::to_text(min);
  if (has_max) text += (has_min ? " and at most " : " of at most ") + io::to_text(max);
  return text;
}

}  // namespace halotherm::io
