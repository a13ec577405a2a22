// SPDX-License-Identifier: MIT
// Words in messages and options: suggestions for misspelt words, and lists.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halotherm::io {

/// The candidate with the fewest inserted, deleted, changed or swapped letters compared to `word`,
/// provided that they are few enough to be slips; case does not count.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// The words before, between and after the separators of a text: one more than there are
/// separators, empty ones included.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace halotherm::io
