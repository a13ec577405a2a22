// SPDX-License-Identifier: MIT
#include "app/config/config.hpp"
#include "comm/mpi/error.hpp"
#include "io/text/number_text.hpp"
#include "io/yaml/yaml_tree.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

using io::YamlNode;
using NodeKind = io::YamlNode::Kind;

bool equal(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.children.size() != b.children.size()) return false;
  if (a.is(NodeKind::scalar)) {
    const auto x = io::parse_number(a.text), y = io::parse_number(b.text);
    return x && y ? *x == *y : a.text == b.text;
  }
  return std::ranges::equal(a.children, b.children, [](const auto& x, const auto& y) {
    return x.key == y.key && equal(x, y);
  });
}

/// Notes the paths of the deepest maps' values that are not equal or stand on one side only.
void compare(const YamlNode& a, const YamlNode& b, std::vector<std::string>& different) {
  if (!a.is(NodeKind::map) || !b.is(NodeKind::map)) {
    if (!equal(a, b)) different.push_back(a.path);
    return;
  }
  for (const auto& child : a.children) {
    const auto* other = b.find(child.key);
    other != nullptr ? compare(child, *other, different) : different.push_back(child.path);
  }
  for (const auto& child : b.children) {
    if (a.find(child.key) == nullptr) different.push_back(child.path);
  }
}

}  // namespace

std::vector<std::string> differing_keys(const std::string& resolved_a,
                                        const std::string& resolved_b) {
  std::vector<io::YamlProblem> ignored;
  std::vector<std::string> different;
  compare(io::parse_yaml(resolved_a, "the first configuration", true, ignored),
          io::parse_yaml(resolved_b, "the second configuration", true, ignored), different);
  return different;
}

}  // namespace halotherm::app
