// SPDX-License-Identifier: MIT
// Defaults, schema and documentation say the same as the description of the keys.
#include "app/config/description.hpp"

#include "app/config/defaults.hpp"
#include "app/config/schema.hpp"
#include "tests/support/source_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <regex>
#include <sstream>

namespace halotherm::app {
namespace {

using Json = nlohmann::json;

/// The part of the schema for a key such as "time.end" or "output.sensors[].name".
const Json* find(const Json& schema, const std::string& path) {
  const auto dot = path.find('.');
  auto name = path.substr(0, dot);
  if (name == "<name>") return find(schema.at("additionalProperties"), path.substr(dot + 1));
  const bool list = name.ends_with("[]");
  if (list) name.resize(name.size() - 2);
  const auto found = schema.at("properties").find(name);
  if (found == schema.at("properties").end()) return nullptr;
  const Json& below = list ? found->at("items") : *found;
  return dot == std::string::npos ? &below : find(below, path.substr(dot + 1));
}

std::string read(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(test::source_folder() / file).rdbuf();
  return text.str();
}

/// What stands between the path of a map and those of its keys.
std::string below(Shape shape) {
  return shape == Shape::list ? "[]." : shape == Shape::named ? ".<name>." : ".";
}

/// Calls `visit(path, key)` for all keys: "time.end", "sides.<side>.convection.ambient",
/// "output.sensors[].name".
template <class Visit>
void for_keys(const std::vector<Key>& keys, const std::string& above, const Visit& visit) {
  for (const auto& key : keys) {
    visit(above + key.path, key);
    if (const auto* map = std::get_if<MapSlot>(&key.slot))
      for_keys(map->add("copper"), above + key.path + below(key.rule.shape), visit);
  }
}

template <class Visit>
void for_all_keys(const Visit& visit) {
  Config config;
  SideConfig side;
  for_keys(keys_of(config), "", visit);
  for_keys(keys_of(side), "sides.<side>.", visit);
}

TEST(ConfigDescription, every_key_is_explained) {
  for_all_keys([](const std::string& path, const Key& key) {
    EXPECT_FALSE(key.help.empty()) << path;
    EXPECT_FALSE(allowed(key.rule).empty()) << path;
    EXPECT_TRUE(!key.required || !key.example.empty()) << path;
  });
}

TEST(ConfigDescription, defaults_name_every_key_and_are_a_configuration) {
  const auto text = default_yaml();
  EXPECT_NO_THROW(parse_config(text, "defaults.yaml", {}));
  for_all_keys([&](const std::string& path, const Key&) {
    const auto name = path.substr(path.find_last_of('.') + 1);
    EXPECT_NE(text.find(name + ": "), std::string::npos) << path;
  });
}

TEST(ConfigDescription, the_schema_has_every_key) {
  const auto schema = Json::parse(json_schema());
  for_all_keys([&](const std::string& path, const Key&) {
    EXPECT_TRUE(path.starts_with("sides.") || find(schema, path) != nullptr) << path;
  });
  const auto& side = schema.at("$defs").at("side").at("anyOf");
  EXPECT_EQ(side[0].at("const"), "periodic");
  for (const auto* path : {"temperature", "flux", "convection.coefficient", "convection.ambient"})
    EXPECT_NE(find(side[1], path), nullptr) << path;
  EXPECT_EQ(find(side[1], "convection")->at("required"), Json({"coefficient", "ambient"}));
  EXPECT_EQ(side[1].at("allOf").size(), 3U) << "temperature beside flux, convection or radiation";
  EXPECT_EQ(schema.at("additionalProperties"), false);
  EXPECT_EQ(find(schema, "sides.z+")->at("$ref"), "#/$defs/side");
  EXPECT_EQ(find(schema, "time.safety")->at("exclusiveMinimum"), 0);
  EXPECT_EQ(find(schema, "time")->at("oneOf").size(), 2U);
  EXPECT_TRUE(find(schema, "output.checkpoint")->contains("not"));
  EXPECT_EQ(find(schema, "grid")->at("oneOf").size(), 2U) << "cells or x";
  EXPECT_EQ(find(schema, "grid")->at("dependentRequired").at("cells"), Json({"upper"}));
  EXPECT_EQ(find(schema, "grid.x")->at("dependentRequired").at("cells"), Json({"upper"}));
}

/// The manual states the rule and the unit of each key, so a changed rule needs a changed manual.
TEST(ConfigDescription, the_manual_has_every_key_with_its_rule_and_unit) {
  const auto manual = std::regex_replace(read("docs/configuration.md"), std::regex("\\s+"), " ");
  for_all_keys([&](const std::string& path, const Key& key) {
    const auto unit = key.unit.empty() ? std::string() : " [" + key.unit + "]";
    const auto item = "- `" + path + "`: " + allowed(key.rule) + unit + "; ";
    EXPECT_NE(manual.find(item), std::string::npos) << "docs/configuration.md lacks: " << item;
  });
}

}  // namespace
}  // namespace halotherm::app
