// SPDX-License-Identifier: MIT
#include "comm/system/error_text.hpp"

#include <algorithm>

namespace halotherm::comm {

std::string to_string(const ErrorText& text) {
  return text.problem + (text.reason.empty() ? "" : " (" + text.reason + ")") +
         (text.remedy.empty() ? "" : "; " + text.remedy) +
         (text.rank ? " [rank " + std::to_string(*text.rank) + "]" : "");
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes) {
  auto size = std::min(bytes, text.size());
  while (size > 0 && size < text.size() && (text[size] & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

std::string shortened(std::string_view text, std::size_t bytes) {
  std::string start(utf8_prefix(text, bytes));
  const bool whole = start.size() == text.size();
  const auto is_control = [](unsigned char letter) { return letter < 0x20 || letter == 0x7F; };
  std::ranges::replace_if(start, is_control, ' ');
  return whole ? start : start + "...";
}

}  // namespace halotherm::comm
