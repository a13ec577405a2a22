// SPDX-License-Identifier: MIT
// Lists as texts: "a, b, c".
#pragma once

#include <string>
#include <vector>

namespace halotherm::io {

/// What stands before, between and after the commas of a text: one word more than there are commas,
/// empty ones included.
std::vector<std::string> words_between_commas(const std::string& text);

}  // namespace halotherm::io
