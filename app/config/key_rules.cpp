// SPDX-License-Identifier: MIT
#include "app/config/key_rules.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

constexpr std::size_t longest_text = 200;
constexpr std::size_t longest_path = 1024;

/// Why a text is not one line of at most `longest` bytes; none if it is.
std::optional<comm::ErrorText> wrong_line(const std::string& text, std::size_t longest) {
  if (text.size() > longest)
    return comm::ErrorText{"is too long", "at most " + std::to_string(longest) + " bytes",
                           "shorten it"};
  if (std::ranges::any_of(text,
                          [](unsigned char letter) { return letter < 0x20 || letter == 0x7F; }))
    return comm::ErrorText{"has a line end, a tab or another control character",
                           "must be of one line", "remove it"};
  return std::nullopt;
}

bool is_name(const std::string& text) {
  return text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
         std::string::npos;
}

}  // namespace

std::optional<comm::ErrorText> wrong_text(const std::string& text, Kind kind) {
  if (kind != Kind::text && text.empty())
    return comm::ErrorText{"is empty", kind == Kind::name ? "must be a name" : "must be a path",
                           "write one"};
  const auto longest = kind == Kind::path ? longest_path : kind == Kind::name ? 64 : longest_text;
  auto wrong = wrong_line(text, longest);
  if (!wrong && kind == Kind::name && !is_name(text))
    wrong = {"is \"" + text + "\"", "must be of letters, digits, _ and -", "rename it"};
  return wrong;
}

std::optional<comm::ErrorText> wrong_hint_name(const std::string& name) {
  constexpr auto longest = comm::longest_hint_name;
  if (is_name(name) && name.find('-') == std::string::npos && name.size() <= longest)
    return std::nullopt;
  return comm::ErrorText{"is not a valid hint name",
                         "must be of letters, digits and _, at most " + std::to_string(longest),
                         "correct it"};
}

std::optional<comm::ErrorText> wrong_hint_value(const std::string& text) {
  if (text.empty())
    return comm::ErrorText{"is empty", "must be a text or a number", "leave the hint out"};
  return wrong_line(text, comm::longest_hint_value);
}

}  // namespace halotherm::app
