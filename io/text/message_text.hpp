// SPDX-License-Identifier: MIT
// Words in messages and options: suggestions for misspelt words, shortened texts, lists.
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

/// The longest beginning of a UTF-8 text that has at most `bytes` bytes and splits no character.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes);

/// At most `bytes` bytes of a UTF-8 text on one line: dots stand for the rest, blanks for control
/// characters.
std::string shortened(std::string_view text, std::size_t bytes);

/// The words before, between and after the separators of a text: one more than there are
/// separators, empty ones included.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace halotherm::io
