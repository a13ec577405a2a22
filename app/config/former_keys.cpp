// SPDX-License-Identifier: MIT
#include "app/config/former_keys.hpp"

#include <fmt/format.h>

namespace halotherm::app {

using io::YamlNode;
using NodeKind = io::YamlNode::Kind;

namespace {

/// A value as YAML on one line.
std::string flow_text(const YamlNode& node) {
  if (node.is(NodeKind::scalar)) return node.quoted ? fmt::format("\"{}\"", node.text) : node.text;
  const bool map = node.is(NodeKind::map);
  std::string text;
  for (const auto& child : node.children) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", map ? child.key + ": " : "",
                        flow_text(child));
  }
  return (map ? "{" : "[") + text + (map ? "}" : "]");
}

/// A scalar as YAML; `otherwise` if the map does not have it.
std::string text_at(const YamlNode& map, const std::string& key, const std::string& otherwise) {
  const auto* node = map.is(NodeKind::map) ? map.find(key) : nullptr;
  return node == nullptr || !node->is(NodeKind::scalar) ? otherwise : flow_text(*node);
}

/// What a side that was described by a type is today.
std::string side_of(const YamlNode& former) {
  const auto type = text_at(former, "type", "dirichlet");
  if (type == "periodic") return type;
  if (type == "neumann") return fmt::format("{{flux: {}}}", text_at(former, "flux", "0"));
  if (type == "robin") {
    return fmt::format("{{convection: {{coefficient: {}, ambient: {}}}}}",
                       text_at(former, "coefficient", "25"), text_at(former, "ambient", "293"));
  }
  return fmt::format("{{temperature: {}}}", text_at(former, "value", "300"));
}

bool was_described_by_type(const YamlNode& side) {
  return side.is(NodeKind::map) && (side.find("type") != nullptr || side.find("value") != nullptr);
}

/// Makes everything below a node known, so that nothing else is reported there.
void know_all(io::YamlReader& yaml, const YamlNode& node) {
  for (const auto& child : node.children) {
    if (node.is(NodeKind::map)) yaml.know(node.path, child.key);
    know_all(yaml, child);
  }
}

void refuse_side(io::YamlReader& yaml, const YamlNode& side) {
  know_all(yaml, side);
  yaml.fail_key(
      side, {"has no type any more", "its keys state what it gives: temperature, flux, convection",
             fmt::format("write sides.{}: {}", side.key, side_of(side))});
}

void refuse_boundary(io::YamlReader& yaml, const YamlNode& boundary) {
  if (!boundary.is(NodeKind::map) || boundary.children.empty()) {
    return yaml.fail_key(boundary, {"is now called sides", "its keys are new as well",
                                    "write for example sides: {x-: {temperature: 300}}"});
  }
  for (const auto& side : boundary.children) {
    yaml.know(boundary.path, side.key);
    refuse_side(yaml, side);
  }
}

void refuse_material(io::YamlReader& yaml, const YamlNode& material) {
  know_all(yaml, material);
  const auto text = material.is(NodeKind::map) && !material.children.empty()
                        ? flow_text(material)
                        : "{conductivity: 401, density: 8960, heat_capacity: 385}";
  yaml.fail_key(material, {"is now one of materials", "there may be several, each with a name",
                           "write materials: {copper: " + text + "}, with the name that it has"});
}

void refuse_source(io::YamlReader& yaml, const YamlNode& source) {
  know_all(yaml, source);
  yaml.fail_key(source, {"is now part of a region", "each region has its own",
                         "write regions: [{source: " + flow_text(source) + "}]"});
}

}  // namespace

bool former_key_stands_for(const io::YamlReader& yaml, const YamlNode& map,
                           const std::string& key) {
  return &map == &yaml.root() && key == "materials" && map.find("material") != nullptr;
}

void refuse_former_keys(io::YamlReader& yaml) {
  const auto refuse = [&](const char* key, const auto& report) {
    const auto* node = yaml.root().find(key);
    if (node == nullptr) return;
    yaml.know("", key);
    report(yaml, *node);
  };
  refuse("boundary", refuse_boundary);
  refuse("material", refuse_material);
  refuse("source", refuse_source);
  if (const auto* sides = yaml.root().find("sides")) {
    for (const auto& side : sides->children) {
      if (was_described_by_type(side)) refuse_side(yaml, side);
    }
  }
}

}  // namespace halotherm::app
