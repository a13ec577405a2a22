// SPDX-License-Identifier: MIT
#include "app/config/former_keys.hpp"

#include <fmt/format.h>

namespace halotherm::app {

using io::YamlNode;
using NodeKind = io::YamlNode::Kind;

namespace {

/// A scalar as YAML; `otherwise` if the map does not have it.
std::string text_at(const YamlNode& map, const std::string& key, const std::string& otherwise) {
  const auto* node = map.is(NodeKind::map) ? map.find(key) : nullptr;
  if (node == nullptr || !node->is(NodeKind::scalar)) return otherwise;
  return node->quoted ? fmt::format("\"{}\"", node->text) : node->text;
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

/// Reports the side and makes all keys below it known, so nothing else is reported of them.
void refuse_side(io::YamlReader& yaml, const YamlNode& side) {
  if (side.is(NodeKind::map)) {
    for (const auto& child : side.children) yaml.know(side.path, child.key);
  }
  yaml.fail_key(
      side, {"has no type any more", "its keys state what it gives: temperature, flux, convection",
             fmt::format("write sides.{}: {}", side.key, side_of(side))});
}

}  // namespace

void refuse_former_keys(io::YamlReader& yaml) {
  if (const auto* boundary = yaml.root().find("boundary")) {
    yaml.know("", boundary->key);
    if (!boundary->is(NodeKind::map) || boundary->children.empty()) {
      yaml.fail_key(*boundary, {"is now called sides", "its keys are new as well",
                                "write for example sides: {x-: {temperature: 300}}"});
    } else {
      for (const auto& side : boundary->children) {
        yaml.know(boundary->path, side.key);
        refuse_side(yaml, side);
      }
    }
  }
  if (const auto* sides = yaml.root().find("sides")) {
    for (const auto& side : sides->children) {
      if (was_described_by_type(side)) refuse_side(yaml, side);
    }
  }
}

}  // namespace halotherm::app
