// SPDX-License-Identifier: MIT
#include "app/config/schema.hpp"

#include "app/config/description.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

using Json = nlohmann::ordered_json;

Json with_bounds(Json schema, const io::Bounds& bounds) {
  if (std::isfinite(bounds.min))
    schema[bounds.min_excluded ? "exclusiveMinimum" : "minimum"] = bounds.min;
  if (std::isfinite(bounds.max)) schema["maximum"] = bounds.max;
  return schema;
}

Json either(std::vector<Json> schemas) {
  return schemas.size() == 1 ? schemas.front() : Json{{"anyOf", schemas}};
}

Json object(const std::vector<Key>& keys);

/// {table: {300: 148, 400: 98.9}}, or with another name
Json table_schema(const Rule& rule, const char* name) {
  Json points{{"type", "object"},
              {"minProperties", 1},
              {"maxProperties", static_cast<int>(most_points)},
              {"additionalProperties", with_bounds({{"type", "number"}}, rule.bounds)}};
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties", {{name, points}}},
          {"required", {name}}};
}

Json single_schema(const Rule& rule, bool files) {
  switch (rule.kind) {
    case Kind::text:
      return {{"type", "string"}};
    case Kind::path:
      return {{"type", "string"}, {"minLength", 1}};
    case Kind::name:
      return {{"type", "string"}, {"pattern", "^[A-Za-z0-9_-]{1,64}$"}};
    case Kind::boolean:
      return {{"type", "boolean"}};
    case Kind::whole:
      return with_bounds({{"type", "integer"}}, rule.bounds);
    case Kind::number:
      return with_bounds({{"type", "number"}}, rule.bounds);
    case Kind::word:
      return {{"enum", rule.words}};
    case Kind::duration:
      return either({with_bounds({{"type", "number"}}, rule.bounds),
                     {{"type", "string"}, {"pattern", "^([0-9.]+(us|ms|s|min|h|d))+$"}}});
    case Kind::hints:
      return {{"type", "object"},
              {"maxProperties", most_hints},
              {"propertyNames",
               {{"pattern", "^[A-Za-z0-9_]{1," + std::to_string(comm::longest_hint_name) + "}$"}}},
              {"additionalProperties",
               {{"type", {"string", "number", "boolean"}},
                {"minLength", 1},
                {"maxLength", comm::longest_hint_value}}}};
    case Kind::labels:
      return {{"type", "object"},
              {"minProperties", 1},
              {"propertyNames", {{"pattern", "^-?[0-9]+$"}}},
              {"additionalProperties", {{"type", "string"}}}};
    case Kind::layers:
      return {{"type", "array"},
              {"minItems", 1},
              {"items",
               {{"type", "array"},
                {"prefixItems",
                 {with_bounds({{"type", "number"}}, {.min = 0, .min_excluded = true}),
                  with_bounds({{"type", "integer"}}, {.min = 1})}},
                {"minItems", 2},
                {"maxItems", 2}}}};
    case Kind::faces:
      return {{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 2}};
    case Kind::map:
    case Kind::quantity:
      break;
  }
  std::vector<Json> choices{with_bounds({{"type", "number"}}, rule.bounds),
                            {{"type", "string"}, {"minLength", 1}}};
  FileDataset dataset;
  if (files) choices.push_back(object(keys_of(dataset)));
  if (rule.tables_in != 0) choices.push_back(table_schema(rule, "table"));
  if (rule.tables_in == 't') choices.push_back(table_schema(rule, "steps"));
  return either(choices);
}

Json value_schema(const Rule& rule) {
  std::vector<Json> choices;
  if (rule.automatic) choices.push_back({{"const", "auto"}});
  if (rule.shape == Shape::pair) {
    return {
        {"type", "array"}, {"items", single_schema(rule, false)}, {"minItems", 2}, {"maxItems", 2}};
  }
  if (rule.shape == Shape::single || rule.shape == Shape::single_or_per_axis)
    choices.push_back(single_schema(rule, rule.files));
  if (rule.shape != Shape::single) {
    Json item = single_schema(rule, false);
    if (rule.shape == Shape::list_per_axis) item = {{"type", "array"}, {"items", item}};
    choices.push_back({{"type", "array"}, {"items", item}, {"minItems", 1}, {"maxItems", 3}});
  }
  return either(choices);
}

Json map_schema(const Rule& rule, const MapSlot& slot) {
  const Json one = object(slot.add(""));
  if (rule.shape == Shape::single) return one;
  if (rule.shape == Shape::named) {
    return {{"type", "object"},
            {"minProperties", 1},
            {"propertyNames", single_schema({.kind = Kind::name}, false)},
            {"additionalProperties", one}};
  }
  return {{"type", "array"}, {"items", one}, {"maxItems", static_cast<int>(rule.bounds.max)}};
}

Json described(const Key& key) {
  const auto* map = std::get_if<MapSlot>(&key.slot);
  Json schema = map != nullptr ? map_schema(key.rule, *map) : value_schema(key.rule);
  schema["description"] = explanation(key);
  return schema;
}

Json section(const std::string& path) {
  Json schema{{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  if (const auto help = section_help(path); !help.empty()) schema["description"] = help;
  return schema;
}

void require(Json& schema, const std::string& name) {
  auto& required = schema["required"];
  if (std::ranges::find(required, Json(name)) == required.end()) required.push_back(name);
}

/// The object at `path` ("output.checkpoint"), created if missing.
Json& section_at(Json& root, const std::string& path) {
  Json* schema = &root;
  for (std::size_t start = 0; start < path.size();) {
    const auto end = std::min(path.find('.', start), path.size());
    Json& properties = (*schema)["properties"];
    const auto name = path.substr(start, end - start);
    if (!properties.contains(name)) properties[name] = section(path.substr(0, end));
    schema = &properties[name];
    start = end + 1;
  }
  return *schema;
}

void add(Json& root, const Key& key) {
  const auto dot = key.path.find_last_of('.');
  const auto above = dot == std::string::npos ? "" : key.path.substr(0, dot);
  const auto name = key.path.substr(dot + 1);
  Json& schema = section_at(root, above);
  schema["properties"][name] = described(key);
  if (key.required) require(schema, name);
  const auto in_section = [&](const std::string& path) {
    return above.empty() ? path : path.substr(above.size() + 1);
  };
  for (const auto& other : key.not_beside)
    schema["allOf"].push_back({{"not", {{"required", {in_section(other), name}}}}});
  for (const auto& other : key.needs)
    schema["dependentRequired"][name].push_back(in_section(other));
  if (key.required && !above.empty())
    require(root, above);  // no section with required keys lies deeper
}

Json object(const std::vector<Key>& keys) {
  Json schema = section("");
  for (const auto& key : keys) add(schema, key);
  return schema;
}

void add(Json& root, const Alternatives& alternatives) {
  const auto above =
      alternatives.paths.front().substr(0, alternatives.paths.front().find_last_of('.'));
  Json alone = Json::array(), pairs = Json::array();
  for (auto path = alternatives.paths.begin(); path != alternatives.paths.end(); ++path) {
    const auto name = path->substr(above.size() + 1);
    alone.push_back({{"required", {name}}});
    for (auto other = path + 1; other != alternatives.paths.end(); ++other) {
      pairs.push_back({{"required", {name, other->substr(above.size() + 1)}}});
    }
  }
  Json& schema = section_at(root, above);
  if (!alternatives.required) {
    schema["not"] = {{"anyOf", pairs}};
    return;
  }
  schema["oneOf"] = alone;
  require(root, above);
}

void add_sides(Json& root) {
  SideConfig side;
  root["$defs"]["side"] = either({{{"const", periodic_word}}, object(keys_of(side))});
  Json& properties = section_at(root, "sides")["properties"];
  for (int axis = 0; axis < 3; ++axis) {
    for (const auto& name :
         {std::string(1, axis_names[axis]), side_name(axis, 0), side_name(axis, 1)}) {
      properties[name] = {{"$ref", "#/$defs/side"}};
    }
  }
  SurfaceConfig faces;
  properties[void_material] = object(keys_of(faces));
}

}  // namespace

std::string json_schema() {
  Config config;
  Json root{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "Halotherm configuration"}};
  root.update(section(""));
  for (const auto& key : keys_of(config)) add(root, key);
  for (const auto& choice : alternatives()) add(root, choice);
  add_sides(root);
  return root.dump(2) + "\n";
}

}  // namespace halotherm::app
