// SPDX-License-Identifier: MIT
// How JSON reports write what several of them have: no value as null, enums by their names.
#pragma once

#include "comm/machine/environment.hpp"
#include "comm/partition/box.hpp"
#include "comm/system/version.hpp"

#include <nlohmann/json.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace halotherm::app {

using Json = nlohmann::ordered_json;

inline Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

inline Json program_json() {
  return {{"name", "halotherm"},
          {"version", version},
          {"commit", commit},
          {"preset", build_preset},
          {"flags", build_flags}};
}

inline Json place_json(const comm::Places& places, int rank) {
  return {{"rank", rank},
          {"host", places.host(rank)},
          {"device", places.device(rank)},
          {"shared", places.shared(rank)}};
}

}  // namespace halotherm::app

namespace halotherm::comm {

inline void to_json(app::Json& json, const Places& places) {
  json = app::Json::array();
  for (int rank = 0; rank < places.ranks(); ++rank) json.push_back(app::place_json(places, rank));
}

}  // namespace halotherm::comm

namespace nlohmann {

template <class Value>
struct adl_serializer<std::optional<Value>> {
  static void to_json(ordered_json& json, const std::optional<Value>& value) {
    json = nullptr;
    if (value) json = *value;
  }
  static void from_json(const ordered_json& json, std::optional<Value>& value) {
    value = json.is_null() ? std::nullopt : std::optional(json.get<Value>());
  }
};

template <class Enum>
requires std::is_enum_v<Enum> && requires(Enum value) {
  { name_of(value) } -> std::convertible_to<std::string_view>;
}
struct adl_serializer<Enum> {
  static void to_json(ordered_json& json, Enum value) { json = name_of(value); }
  /// The name of a value; values count from 0.
  static void from_json(const ordered_json& json, Enum& value) {
    int number = 0;
    do value = static_cast<Enum>(number++);
    while (json != name_of(value));
  }
};

template <>
struct adl_serializer<halotherm::comm::Int3> {
  static void to_json(ordered_json& json, const halotherm::comm::Int3& numbers) {
    json = {numbers[0], numbers[1], numbers[2]};
  }
};

}  // namespace nlohmann
