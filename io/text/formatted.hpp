// SPDX-License-Identifier: MIT
// Numbers in texts for people.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace halotherm::io {

/// As printf gives it, of at most 511 characters: std::format for compilers that do not have it
/// yet.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace halotherm::io
