// SPDX-License-Identifier: MIT
// What messages to people need: "did you mean ...?", and long texts cut short.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace halotherm::io {

/// The candidate that `word` most likely was meant to be: the one with the fewest inserted,
/// deleted, changed or swapped letters, if these are few enough to be slips; case does not count.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// At most `bytes` bytes of a UTF-8 text in one line, cut between letters; dots stand for the rest,
/// blanks for control characters.
std::string shortened(std::string_view text, std::size_t bytes);

}  // namespace halotherm::io
