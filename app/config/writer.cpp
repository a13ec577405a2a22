// SPDX-License-Identifier: MIT
#include "app/config/writer.hpp"

#include "io/yaml/yaml_tree.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <concepts>
#include <ranges>
#include <span>

namespace halotherm::app {

namespace {

/// In double quotes, escaped for YAML and JSON.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string text_of(double value) {
  return io::to_text(value);
}
template <std::integral Value>
std::string text_of(Value value) {
  return fmt::format("{}", value);
}
std::string text_of(const std::string& value) {
  return quoted(value);
}
std::string text_of(const std::filesystem::path& value) {
  return quoted(value.string());
}
std::string text_of(const Quantity& quantity) {
  if (const auto* number = std::get_if<double>(&quantity)) return text_of(*number);
  if (const auto* formula = std::get_if<Formula>(&quantity)) return quoted(formula->text);
  if (const auto* table = std::get_if<Table>(&quantity)) {
    std::string points;
    for (const auto& [argument, value] : table->points)
      points += (points.empty() ? "" : ", ") + text_of(argument) + ": " + text_of(value);
    return (table->held ? "{steps: {" : "{table: {") + points + "}}";
  }
  const auto& data = std::get<FileDataset>(quantity);
  return fmt::format("{{file: {}, dataset: {}{}}}", text_of(data.file), text_of(data.dataset),
                     data.made_by.empty() ? "" : ", made_by: " + text_of(data.made_by));
}
template <std::ranges::range Values>
std::string text_of(const Values& values) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : ", ") + text_of(value);
  return "[" + text + "]";
}

std::string flow_map(const std::vector<Key>& keys, int dimensions);

/// Formats a slot's value, by one overload for each kind of slot; empty if there is no value.
struct SlotText {
  const Rule& rule;
  int dimensions;

  std::string operator()(const WordSlot& slot) const { return rule.words[slot.get()]; }
  std::string operator()(const std::string* slot) const {
    if (rule.kind == Kind::name && slot->empty()) return "";
    return rule.kind == Kind::word ? *slot : text_of(*slot);
  }

  template <class Value>
  std::string operator()(const std::optional<std::array<Value, 3>>* slot) const {
    if (!*slot) return "auto";
    return text_of(std::span(**slot).first(dimensions > 0 ? dimensions : 3));
  }

  std::string operator()(const comm::FileHints* slot) const {
    std::string text;
    for (const auto& [name, value] : *slot)
      text += (text.empty() ? "" : ", ") + name + ": " + text_of(value);
    return "{" + text + "}";
  }

  template <class Value>
  std::string operator()(const std::optional<Value>* slot) const {
    if (!*slot) return rule.automatic ? "auto" : "";
    return text_of(**slot);
  }

  template <class Value>
  std::string operator()(const std::vector<Value>* slot) const {
    if (slot->empty()) return "";
    if (slot->size() == 1 && rule.shape == Shape::single_or_per_axis) return text_of(slot->front());
    return text_of(*slot);
  }

  template <class Value>
  std::string operator()(const Value* slot) const {
    return text_of(*slot);
  }

  std::string operator()(const std::map<long, std::string>* slot) const {
    std::string text;
    for (const auto& [label, name] : *slot)
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", label, text_of(name));
    return text.empty() ? "" : "{" + text + "}";
  }

  std::string operator()(const std::vector<GridLayer>* slot) const {
    std::string text;
    for (const auto& [thickness, cells] : *slot)
      text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", text_of(thickness), cells);
    return text.empty() ? "" : "[" + text + "]";
  }

  std::string operator()(const FaceList* slot) const {
    return slot->positions.empty() ? "" : text_of(slot->positions);
  }

  std::string operator()(const MapSlot& slot) const {
    std::string text;
    for (const auto& [name, keys] : slot.all())
      text += (text.empty() ? "" : ", ") + flow_map(keys, dimensions);
    return rule.shape == Shape::list ? "[" + text + "]" : text;
  }
};

std::string flow_map(const std::vector<Key>& keys, int dimensions) {
  std::string text;
  std::vector<std::string> written;
  for (const auto& key : keys) {
    const auto value = value_text(key, dimensions);
    if (!value || *value == "[]" ||
        std::ranges::find_first_of(written, key.not_beside) != written.end())
      continue;
    written.push_back(key.path);
    text += (text.empty() ? "" : ", ") + key.path + ": " + *value;
  }
  return "{" + text + "}";
}

void write_sides(MapWriter& writer, Config& config, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis) {
    for (int end = 0; end < 2; ++end) {
      auto& side = config.sides[axis][end];
      writer.add("sides." + side_name(axis, end),
                 side.periodic ? periodic_word : flow_map(keys_of(side), dimensions));
    }
  }
  if (config.void_faces)
    writer.add(std::string("sides.") + void_material,
               flow_map(keys_of(*config.void_faces), config.dimensions()));
}

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

/// Adds the paths of values that differ, or that only one of the maps has, to `different`.
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

void MapWriter::add(const std::string& path, const std::string& value) {
  const auto sections = path.substr(0, path.find_last_of('.') + 1);
  open(sections);
  text_ += indent() + path.substr(sections.size()) + ": " + value + "\n";
}

void MapWriter::comment(const std::string& path, const std::string& text) {
  open(path.substr(0, path.find_last_of('.') + 1));
  text_ += indent() + "# " + text + "\n";
}

void MapWriter::open(const std::string& sections) {
  while (!sections.starts_with(open_)) open_.erase(open_.find_last_of('.', open_.size() - 2) + 1);
  while (open_.size() < sections.size()) {
    const auto end = sections.find('.', open_.size());
    const auto name = sections.substr(open_.size(), end - open_.size());
    const auto help = explained_ ? section_help(sections.substr(0, end)) : "";
    text_ += indent() + name + ":" + (help.empty() ? "" : "  # " + help) + "\n";
    open_ = sections.substr(0, end + 1);
  }
}

std::string MapWriter::indent() const {
  return std::string(2 * std::ranges::count(open_, '.'), ' ');
}

std::optional<std::string> value_text(const Key& key, int dimensions) {
  const auto text = std::visit(SlotText{key.rule, dimensions}, key.slot);
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string to_yaml(const Config& config) {
  Config copy = config;  // keys bind to an object that is not const
  const int dimensions = config.dimensions();
  if (copy.grid.axes[0]) {
    for (auto* corner : {&copy.grid.lower, &copy.grid.upper}) corner->clear();
    copy.grid.cells.clear();
  }
  MapWriter writer;
  for (const auto& key : keys_of(copy)) {
    if (key.path.starts_with("units.") && config.output_unit() == io::TemperatureUnit::kelvin)
      continue;  // as in checkpoints of versions without these keys
    if (key.path == "contacts" && copy.contacts.empty()) continue;  // likewise
    if (key.path == "time.end") write_sides(writer, copy, dimensions);
    if (key.rule.shape == Shape::named) {
      for (const auto& [name, keys] : std::get<MapSlot>(key.slot).all())
        writer.add(key.path + "." + name, flow_map(keys, dimensions));
    } else if (const auto value = value_text(key, dimensions)) {
      writer.add(key.path, *value);
    }
  }
  return std::move(writer).text();
}

std::vector<std::string> differing_keys(const std::string& resolved_a,
                                        const std::string& resolved_b) {
  std::vector<io::YamlProblem> ignored;
  std::vector<std::string> different;
  compare(io::parse_yaml(resolved_a, "the first configuration", true, ignored),
          io::parse_yaml(resolved_b, "the second configuration", true, ignored), different);
  return different;
}

}  // namespace halotherm::app
