// SPDX-License-Identifier: MIT
#include "app/config/reader.hpp"

#include "app/config/checks.hpp"
#include "comm/mpi/error.hpp"
#include "io/text/expression.hpp"

#include <algorithm>
#include <type_traits>

namespace halotherm::app {

using io::YamlNode;
using NodeKind = io::YamlNode::Kind;

namespace {

Rule single(Rule rule) {
  rule.shape = Shape::single;
  rule.automatic = false;
  return rule;
}

}  // namespace

template <class Value>
std::optional<Value> ConfigReader::value(const YamlNode& node, const Rule& rule) {
  const auto needed = allowed(rule);
  if constexpr (std::is_same_v<Value, bool>) {
    return yaml_.boolean(node);
  } else if constexpr (std::is_integral_v<Value>) {
    const auto number = yaml_.whole_number(node, rule.bounds, needed);
    return number ? std::optional(static_cast<Value>(*number)) : std::nullopt;
  } else if constexpr (std::is_same_v<Value, Quantity>) {
    return quantity(node, rule);
  } else if constexpr (std::is_same_v<Value, double>) {
    if (rule.kind != Kind::duration) return yaml_.number(node, rule.bounds, needed);
    const bool number_in_quotes = node.quoted && io::parse_number(node.text);
    const auto seconds = node.is(NodeKind::scalar) && !number_in_quotes
                             ? io::parse_duration(node.text)
                             : std::nullopt;
    if (seconds && rule.bounds.contain(*seconds)) return seconds;
    yaml_.fail_needed(node, needed);
    return std::nullopt;
  } else {
    if (rule.kind == Kind::word) {
      const auto word = yaml_.word(node, rule.words);
      return word ? std::optional<Value>(rule.words[*word]) : std::nullopt;
    }
    const auto text = yaml_.text(node, needed);
    if (!text) return std::nullopt;
    if (const auto wrong = wrong_text(*text, rule.kind)) {
      yaml_.fail(node, *wrong);
      return std::nullopt;
    }
    return Value(*text);
  }
}

template <class Value>
void ConfigReader::store(const YamlNode& node, const Rule& rule, Value* slot) {
  if (auto read = value<Value>(node, rule)) *slot = std::move(*read);
}

template <class Value>
void ConfigReader::store(const YamlNode& node, const Rule& rule, std::optional<Value>* slot) {
  if (auto read = value<Value>(node, rule)) *slot = std::move(*read);
}

bool ConfigReader::is_one_an_axis(const YamlNode& list) {
  const auto count = list.children.size();
  if (dimensions_ == 0 ? count >= 1 && count <= 3 : count == dimensions_) return true;
  const auto wanted = dimensions_ == 0 ? "1 to 3" : std::to_string(dimensions_);
  yaml_.fail(list, {"has " + std::to_string(count) + (count == 1 ? " entry" : " entries"),
                    "must have " + wanted + ", one an axis" +
                        (dimensions_ == 0 ? "" : " as grid.cells has"),
                    ""});
  return false;
}

template <class Value>
void ConfigReader::store(const YamlNode& node, const Rule& rule, std::vector<Value>* slot) {
  if (!node.is(NodeKind::list)) {
    if (rule.shape == Shape::per_axis) return yaml_.fail_needed(node, allowed(rule));
    if (auto read = value<Value>(node, rule)) *slot = {std::move(*read)};
    return;
  }
  if (!is_one_an_axis(node)) return;
  Rule each = single(rule);
  each.files = false;
  std::vector<Value> values;
  for (const auto& child : node.children) {
    if (auto read = value<Value>(child, each)) values.push_back(std::move(*read));
  }
  if (values.size() == node.children.size()) *slot = std::move(values);
}

void ConfigReader::store(const YamlNode& node, const Rule& rule,
                         std::optional<std::array<int, 3>>* slot) {
  std::vector<int> values;
  store(node, rule, &values);
  if (values.empty()) return;
  values.resize(3, 1);
  *slot = {values[0], values[1], values[2]};
}

void ConfigReader::store(const YamlNode& node, const Rule& rule,
                         std::optional<std::array<std::vector<int>, 3>>* slot) {
  if (!node.is(NodeKind::list)) return yaml_.fail_needed(node, allowed(rule));
  if (!is_one_an_axis(node)) return;
  std::array<std::vector<int>, 3> lists;
  for (std::size_t axis = 0; axis < node.children.size(); ++axis) {
    const auto& list = node.children[axis];
    if (!list.is(NodeKind::list))
      return yaml_.fail_needed(list, "a list of numbers, empty where the axis is not split");
    for (const auto& child : list.children) {
      const auto number = value<int>(child, single(rule));
      if (!number) return;
      lists[axis].push_back(*number);
    }
  }
  *slot = std::move(lists);
}

void ConfigReader::store(const YamlNode& node, const Rule& rule, comm::FileHints* slot) {
  if (!node.is(NodeKind::map)) return yaml_.fail_needed(node, allowed(rule));
  if (node.children.size() > most_hints) {
    return yaml_.fail(node, {"has " + std::to_string(node.children.size()) + " entries",
                             "must be at most " + std::to_string(most_hints), "leave some out"});
  }
  for (const auto& child : node.children) {
    yaml_.find(node, child.key);  // whatever its name is
    if (const auto wrong = wrong_hint_name(child.key)) {
      yaml_.fail_key(child, *wrong);
    } else if (const auto text = yaml_.text(child, "a text or a number")) {
      const auto wrong_value = wrong_hint_value(*text);
      if (wrong_value) yaml_.fail(child, *wrong_value);
      slot->push_back({child.key, *text});
    }
  }
}

void ConfigReader::store(const YamlNode& node, const Rule& rule, const WordSlot& slot) {
  if (const auto word = yaml_.word(node, rule.words)) slot.set(*word);
}

std::optional<Quantity> ConfigReader::quantity(const YamlNode& node, const Rule& rule) {
  if (node.is(NodeKind::map) && rule.files) return dataset(node);
  if (!node.is(NodeKind::scalar)) {
    yaml_.fail_needed(node, allowed(rule));
    return std::nullopt;
  }
  const auto number = io::parse_number(node.text);
  if (!number) return formula(node, rule);
  if (rule.bounds.contain(*number)) return *number;
  yaml_.fail_needed(node, allowed(rule));
  return std::nullopt;
}

std::optional<Quantity> ConfigReader::formula(const YamlNode& node, const Rule& rule) {
  try {
    const io::Expression checked(node.text, rule.variables);
    return Formula{node.text};
  } catch (const comm::Error& error) {
    yaml_.fail(node, error.text());
    return std::nullopt;
  }
}

std::optional<Quantity> ConfigReader::dataset(const YamlNode& node) {
  FileDataset read;
  bool complete = true;
  for (const auto& key : keys_of(read)) {
    const auto* child = yaml_.find(node, key.path);
    if (child != nullptr) {
      read_key(key, *child);
    } else if (key.required) {
      yaml_.fail_missing(node, key.path, key.help, "add it, for example " + key.example);
      complete = false;
    }
  }
  return complete ? std::optional<Quantity>(read) : std::nullopt;
}

void ConfigReader::read_key(const Key& key, const YamlNode& node) {
  if (key.rule.automatic && node.is(NodeKind::scalar) && node.text == "auto") return;
  std::visit([&](const auto& slot) { store(node, key.rule, slot); }, key.slot);
}

Config ConfigReader::read() {
  Config config;
  for (const auto& key : keys_of(config)) {
    if (const auto* node = yaml_.find(key.path)) {
      read_key(key, *node);
    } else if (key.required) {
      yaml_.fail_missing(key.path, key.help, "add it, for example " + key.example);
    }
    dimensions_ = config.grid.cells.size();  // the first key with a list; all others follow it
  }
  if (config.grid.lower.empty()) config.grid.lower.assign(dimensions_, 0.0);
  read_boundary(config);
  read_sensors(config.output.sensors);
  return config;
}

void ConfigReader::read_sensors(std::vector<SensorConfig>& sensors) {
  const auto* list = yaml_.find("output.sensors");
  if (list == nullptr) return;
  if (!list->is(NodeKind::list))
    return yaml_.fail_needed(*list, "a list of {name: N, at: [x, y, z]}");
  for (const auto& node : list->children) {
    auto& sensor = sensors.emplace_back();
    for (const auto& key : keys_of(sensor)) {
      if (const auto* child = yaml_.find(node, key.path)) {
        read_key(key, *child);
      } else {
        yaml_.fail_missing(node, key.path, key.help, "add it, for example " + key.example);
      }
    }
  }
}

void ConfigReader::read_boundary(Config& config) {
  const auto* section = yaml_.find("boundary");
  if (section == nullptr) return;
  for (int axis = 0; axis < 3; ++axis) read_axis(*section, axis, config.boundary[axis]);
}

void ConfigReader::read_axis(const YamlNode& section, int axis, std::array<SideConfig, 2>& sides) {
  const std::string name(1, axis_names[axis]);
  const YamlNode* both = yaml_.find(section, name);
  const std::array<const YamlNode*, 2> single{yaml_.find(section, side_name(axis, 0)),
                                              yaml_.find(section, side_name(axis, 1))};
  const bool has_axis = dimensions_ == 0 || axis < static_cast<int>(dimensions_);
  for (const auto* node : {both, single[0], single[1]}) {
    if (node == nullptr || has_axis) continue;
    yaml_.fail_key(*node, {"stands for an axis that the grid does not have",
                           "grid.cells has " + std::to_string(dimensions_) +
                               (dimensions_ == 1 ? " number" : " numbers"),
                           "remove it"});
  }
  if (!has_axis) return;
  if (both != nullptr) {
    read_side(*both, sides[0]);
    sides[1] = sides[0];
  }
  for (int side = 0; side < 2; ++side) {
    if (single[side] == nullptr) continue;
    both == nullptr
        ? read_side(*single[side], sides[side])
        : yaml_.fail_key(*single[side], {"is given twice", name + " stands for both sides",
                                         "remove one of the two"});
  }
}

void ConfigReader::read_side(const YamlNode& node, SideConfig& side) {
  const auto keys = keys_of(side);
  const auto& type = keys.front();
  const auto* type_node = yaml_.find(node, type.path);
  if (type_node == nullptr)
    yaml_.fail_missing(node, type.path, "must be " + allowed(type.rule), "add it");
  if (type_node != nullptr) read_key(type, *type_node);
  const bool known_type =
      type_node != nullptr &&
      std::ranges::find(type.rule.words, type_node->text) != type.rule.words.end();
  for (const auto& key : keys) {
    if (!key.only_for) continue;
    const auto* child = yaml_.find(node, key.path);
    const bool used = side.type == *key.only_for;
    if (child != nullptr) read_key(key, *child);
    if (!known_type) continue;
    if (child != nullptr && !used) {
      yaml_.fail_key(*child,
                     {"is not used by the type " + type_node->text,
                      "it belongs to " + type.rule.words[static_cast<std::size_t>(*key.only_for)],
                      "remove it or change the type"});
    } else if (child == nullptr && used && key.required) {
      yaml_.fail_missing(node, key.path, type_node->text + " needs it: " + key.help,
                         "add it, for example " + key.example);
    }
  }
}

}  // namespace halotherm::app
