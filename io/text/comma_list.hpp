// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace halotherm::io {

/// What stands before, between and after the commas of a text: one word more than there are commas,
/// empty ones included.
std::vector<std::string> words_between_commas(const std::string& text);

}  // namespace halotherm::io
