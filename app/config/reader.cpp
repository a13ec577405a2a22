// SPDX-License-Identifier: MIT
#include "app/config/reader.hpp"

#include "app/config/axes.hpp"
#include "app/config/description.hpp"
#include "app/config/former_keys.hpp"
#include "app/config/key_rules.hpp"
#include "app/config/quantity_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace halotherm::app {

using io::YamlNode;
using NodeKind = io::YamlNode::Kind;

namespace {

class ConfigReader {
 public:
  explicit ConfigReader(io::YamlReader& yaml) : yaml_(yaml) {}

  Config read() && {
    read_keys(keys_of(config_), yaml_.root());
    resolve_axes(config_.grid, yaml_);
    if (config_.grid.lower.empty()) config_.grid.lower.assign(dimensions(), 0.0);
    read_sides();
    refuse_former_keys(yaml_);
    return std::move(config_);
  }

 private:
  template <class Value>
  std::optional<Value> value(const YamlNode& node, const Rule& rule) {
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
      const auto wrong = wrong_text(*text, rule.kind);
      if (wrong) yaml_.fail(node, *wrong);
      return wrong ? std::nullopt : std::optional(Value(*text));
    }
  }

  template <class Value>
  void store(const YamlNode& node, const Rule& rule, Value* slot) {
    if (auto read = value<Value>(node, rule)) *slot = std::move(*read);
  }

  template <class Value>
  void store(const YamlNode& node, const Rule& rule, std::optional<Value>* slot) {
    if (auto read = value<Value>(node, rule)) *slot = std::move(*read);
  }

  /// The number of axes; 0 until the grid's keys, the first ones with lists, are read.
  std::size_t dimensions() const {
    if (!config_.grid.cells.empty()) return config_.grid.cells.size();
    const auto& axes = config_.grid.axes;
    const auto missing = [](const auto& axis) { return !axis.has_value(); };
    return static_cast<std::size_t>(std::ranges::find_if(axes, missing) - axes.begin());
  }

  bool is_one_an_axis(const YamlNode& list) {
    const auto count = list.children.size(), axes = dimensions();
    if (axes == 0 ? count >= 1 && count <= 3 : count == axes) return true;
    yaml_.fail(list, {fmt::format("has {} {}", count, count == 1 ? "entry" : "entries"),
                      axes == 0 ? "must have 1 to 3, one per axis"
                                : fmt::format("must have {}, one per axis as grid.cells has", axes),
                      ""});
    return false;
  }

  template <class Value>
  void store(const YamlNode& node, const Rule& rule, std::vector<Value>* slot) {
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

  void store(const YamlNode& node, const Rule& rule, std::optional<std::array<double, 2>>* slot) {
    *slot = read_interval(yaml_, node, rule);
  }

  void store(const YamlNode& node, const Rule& rule, std::array<std::string, 2>* slot) {
    read_names(yaml_, node, allowed(rule), *slot);
  }

  void store(const YamlNode& node, const Rule& rule, std::optional<std::array<int, 3>>* slot) {
    std::vector<int> values;
    store(node, rule, &values);
    if (values.empty()) return;
    values.resize(3, 1);
    *slot = {values[0], values[1], values[2]};
  }

  void store(const YamlNode& node, const Rule& rule,
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

  void store(const YamlNode& node, const Rule& rule, std::vector<GridLayer>* slot) {
    if (auto layers = read_layers(yaml_, node, allowed(rule))) *slot = std::move(*layers);
  }
  void store(const YamlNode& node, const Rule& rule, FaceList* slot) {
    if (auto faces = read_faces(yaml_, node, allowed(rule))) *slot = {std::move(*faces)};
  }

  void store(const YamlNode& node, const Rule& rule, comm::FileHints* slot) {
    read_hints(yaml_, node, allowed(rule), *slot);
  }
  void store(const YamlNode& node, const Rule& rule, std::map<long, std::string>* slot) {
    read_labels(yaml_, node, allowed(rule), *slot);
  }

  void store(const YamlNode& node, const Rule& rule, const WordSlot& slot) {
    if (const auto word = yaml_.word(node, rule.words)) slot.set(*word);
  }

  void store(const YamlNode& node, const Rule& rule, const MapSlot& slot) {
    if (rule.shape == Shape::single) {
      read_keys(slot.add(""), node);
    } else if (rule.shape == Shape::named) {
      store_named(node, rule, slot);
    } else if (!node.is(NodeKind::list)) {
      yaml_.fail_needed(node, allowed(rule));
    } else if (!rule.bounds.contain(static_cast<double>(node.children.size()))) {
      yaml_.fail(node, {fmt::format("has {} entries", node.children.size()),
                        fmt::format("must be at most {:g}", rule.bounds.max), "leave some out"});
    } else {
      for (const auto& child : node.children) read_keys(slot.add(""), child);
    }
  }

  void store_named(const YamlNode& node, const Rule& rule, const MapSlot& slot) {
    if (!node.is(NodeKind::map) || node.children.empty())
      return yaml_.fail_needed(node, allowed(rule));
    for (const auto& child : node.children) {
      yaml_.know(node.path, child.key);  // whatever its name is
      if (const auto wrong = wrong_text(child.key, Kind::name)) yaml_.fail_key(child, *wrong);
      read_keys(slot.add(child.key), child);
    }
  }

  std::optional<Quantity> quantity(const YamlNode& node, const Rule& rule) {
    const bool is_table =
        node.is(NodeKind::map) && (node.find("table") != nullptr || node.find("steps") != nullptr);
    if (is_table && rule.tables_in != 0) return read_table(yaml_, node, rule);
    if (node.is(NodeKind::map) && rule.files && !is_table) return dataset(node);
    const auto number = node.is(NodeKind::scalar) ? io::parse_number(node.text) : std::nullopt;
    if (node.is(NodeKind::scalar) && !number) return read_formula(yaml_, node, rule);
    if (number && rule.bounds.contain(*number)) return *number;
    yaml_.fail_needed(node, allowed(rule));
    return std::nullopt;
  }

  std::optional<Quantity> dataset(const YamlNode& node) {
    FileDataset read;
    return read_keys(keys_of(read), node) ? std::optional<Quantity>(read) : std::nullopt;
  }

  void read_key(const Key& key, const YamlNode& node) {
    if (key.rule.automatic && node.is(NodeKind::scalar) && node.text == "auto") return;
    const auto rule = in_unit(key.rule, config_.units.temperature);
    std::visit([&](const auto& slot) { store(node, rule, slot); }, key.slot);
  }

  /// Whether all required keys are there.
  bool read_keys(const std::vector<Key>& keys, const YamlNode& map) {
    bool complete = true;
    for (const auto& key : keys) {
      if (const auto* node = yaml_.find(map, key.path)) {
        read_key(key, *node);
        check_neighbours(key, *node, map);
        for (const auto& other : key.needs) check_needed(keys, other, map);
      } else if (key.required && !former_key_stands_for(yaml_, map, key.path)) {
        yaml_.fail_missing(map, key.path, key.help, "add it, for example " + key.example);
        complete = false;
      }
    }
    return complete;
  }

  void check_needed(const std::vector<Key>& keys, const std::string& path, const YamlNode& map) {
    if (yaml_.find(map, path) != nullptr) return;
    const auto& needed = *std::ranges::find(keys, path, &Key::path);
    yaml_.fail_missing(map, path, needed.help, "add it, for example " + needed.example);
  }

  void check_neighbours(const Key& key, const YamlNode& node, const YamlNode& map) {
    const auto other = std::ranges::find_if(
        key.not_beside, [&](const auto& path) { return yaml_.find(map, path) != nullptr; });
    if (other == key.not_beside.end()) return;
    yaml_.fail_key(node, {"stands beside " + *other, "each excludes the other", "remove one"});
  }

  void read_sides() {
    const auto* section = yaml_.find("sides");
    if (section == nullptr) return;
    for (int axis = 0; axis < 3; ++axis) read_axis(*section, axis, config_.sides[axis]);
    if (const auto* faces = yaml_.find(*section, void_material))
      read_surface(*faces, config_.void_faces.emplace(), "");
  }

  void read_axis(const YamlNode& section, int axis, std::array<SideConfig, 2>& sides) {
    const std::string name(1, axis_names[axis]);
    const YamlNode* both = yaml_.find(section, name);
    const std::array<const YamlNode*, 2> single{yaml_.find(section, side_name(axis, 0)),
                                                yaml_.find(section, side_name(axis, 1))};
    const bool has_axis = dimensions() == 0 || axis < static_cast<int>(dimensions());
    for (const auto* node : {both, single[0], single[1]}) {
      if (node == nullptr || has_axis) continue;
      yaml_.fail_key(*node, {"stands for an axis that the grid does not have",
                             fmt::format("grid.cells has {} {}", dimensions(),
                                         dimensions() == 1 ? "number" : "numbers"),
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

  void read_side(const YamlNode& node, SideConfig& side) {
    side.periodic = node.is(NodeKind::scalar) && node.text == periodic_word;
    if (!side.periodic) read_surface(node, side, "periodic, or ");
  }

  template <class Surface>
  void read_surface(const YamlNode& node, Surface& surface, const std::string& or_word) {
    if (!node.is(NodeKind::map))
      return yaml_.fail_needed(node, or_word + "a map such as {temperature: 300} or {flux: 100}");
    read_keys(keys_of(surface), node);
  }

  io::YamlReader& yaml_;
  Config config_;
};

}  // namespace

Config read_config(io::YamlReader& yaml) {
  return ConfigReader(yaml).read();
}

}  // namespace halotherm::app
