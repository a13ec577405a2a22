// SPDX-License-Identifier: MIT
// Why a transport cannot be used.
#pragma once

#include <string>
#include <string_view>

namespace halotherm::comm {

struct UnavailableReason {
  enum class Kind {
    none,         ///< it can be used
    unavailable,  ///< it was left out, or its set-up or an exchange failed
    wrong_data,   ///< elements arrived that had not been sent
  };

  Kind kind = Kind::none;
  std::string text;    ///< the whole message; empty if there is no unavailable
  std::string reason;  ///< the cause alone

  bool exists() const { return kind != Kind::none; }

  static UnavailableReason unavailable(const std::string& text) {
    return {Kind::unavailable, text, text};
  }
  static UnavailableReason wrong_data(const std::string& text) {
    return {Kind::wrong_data, text, text};
  }
};

/// "none", "unavailable", "wrong data": as reports name it.
constexpr std::string_view name_of(UnavailableReason::Kind kind) {
  constexpr std::string_view names[] = {"none", "unavailable",
                                        "wrong data"};  // in the order of the kinds
  return names[static_cast<int>(kind)];
}

}  // namespace halotherm::comm
