// SPDX-License-Identifier: MIT
// Defaults, schema and documentation say the same as the description of the keys.
#include "app/config/description.hpp"

#include "app/config/defaults.hpp"
#include "app/config/schema.hpp"

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
  const bool list = name.ends_with("[]");
  if (list) name.resize(name.size() - 2);
  const auto found = schema.at("properties").find(name);
  if (found == schema.at("properties").end()) return nullptr;
  const Json& below = list ? found->at("items") : *found;
  return dot == std::string::npos ? &below : find(below, path.substr(dot + 1));
}

std::string read(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(HALOTHERM_SOURCE_DIR) / file).rdbuf();
  return text.str();
}

/// The paths of all keys, also "boundary.<side>.type" and "output.sensors[].name".
std::vector<std::string> all_keys() {
  Config config;
  SideConfig side;
  SensorConfig sensor;
  std::vector<std::string> paths;
  for (const auto& key : keys_of(config)) paths.push_back(key.path);
  for (const auto& key : keys_of(side)) paths.push_back("boundary.<side>." + key.path);
  for (const auto& key : keys_of(sensor)) paths.push_back("output.sensors[]." + key.path);
  return paths;
}

TEST(ConfigDescription, every_key_is_explained) {
  Config config;
  SideConfig side;
  SensorConfig probe;
  for (const auto& keys : {keys_of(config), keys_of(side), keys_of(probe)}) {
    for (const auto& key : keys) {
      EXPECT_FALSE(key.help.empty()) << key.path;
      EXPECT_FALSE(allowed(key.rule).empty()) << key.path;
      EXPECT_TRUE(!key.required || !key.example.empty()) << key.path;
    }
  }
}

TEST(ConfigDescription, defaults_name_every_key_and_are_a_configuration) {
  const auto text = default_yaml();
  EXPECT_NO_THROW(parse_config(text, "defaults.yaml", {}));
  for (const auto& path : all_keys()) {
    const auto name = path.substr(path.find_last_of('.') + 1);
    EXPECT_NE(text.find(name + ": "), std::string::npos) << path;
  }
}

TEST(ConfigDescription, the_schema_has_every_key) {
  const auto schema = Json::parse(json_schema());
  for (const auto& path : all_keys()) {
    if (path.starts_with("boundary.")) continue;
    EXPECT_NE(find(schema, path), nullptr) << path;
  }
  EXPECT_EQ(schema.at("additionalProperties"), false);
  EXPECT_EQ(schema.at("$defs").at("side").at("oneOf").size(), 4U);
  EXPECT_EQ(find(schema, "boundary.z+")->at("$ref"), "#/$defs/side");
  EXPECT_EQ(find(schema, "time.safety")->at("exclusiveMinimum"), 0);
  EXPECT_EQ(find(schema, "time")->at("oneOf").size(), 2U);
  EXPECT_TRUE(find(schema, "output.checkpoint")->contains("not"));
  EXPECT_EQ(find(schema, "grid")->at("required"), Json({"cells", "upper"}));
}

/// The manual states the rule and the unit of each key, so a changed rule needs a changed manual.
void expect_item(const std::string& manual, const std::string& path, const Key& key) {
  const auto unit = key.unit.empty() ? std::string() : " [" + key.unit + "]";
  const auto item = "- `" + path + "`: " + allowed(key.rule) + unit + "; ";
  EXPECT_NE(manual.find(item), std::string::npos) << "docs/configuration.md lacks: " << item;
}

TEST(ConfigDescription, the_manual_has_every_key_with_its_rule_and_unit) {
  const auto manual = std::regex_replace(read("docs/configuration.md"), std::regex("\\s+"), " ");
  Config config;
  SideConfig side;
  SensorConfig sensor;
  for (const auto& key : keys_of(config)) expect_item(manual, key.path, key);
  for (const auto& key : keys_of(side)) expect_item(manual, "boundary.<side>." + key.path, key);
  for (const auto& key : keys_of(sensor)) expect_item(manual, "output.sensors[]." + key.path, key);
  for (const auto& path : all_keys())
    EXPECT_NE(manual.find("`" + path + "`"), std::string::npos) << path;
}

}  // namespace
}  // namespace halotherm::app
