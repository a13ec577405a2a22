// SPDX-License-Identifier: MIT
#include "app/config/quantity_reader.hpp"

#include "app/config/description.hpp"
#include "app/config/key_rules.hpp"
#include "solver/formula/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace halotherm::app {

namespace {

/// The temperature or the time of a point, which is above those before it.
std::optional<double> argument_of(io::YamlReader& yaml, const io::YamlNode& point, const Rule& rule,
                                  const Table& before) {
  const bool of_time = rule.tables_in == 't';
  const char* what = of_time ? "time" : "temperature";
  const auto number = of_time ? io::parse_duration(point.key) : io::parse_number(point.key);
  if (!number || *number < rule.lowest_argument) {
    yaml.fail_key(point, {fmt::format("is no {} of {:g} or above", what, rule.lowest_argument),
                          fmt::format("a table gives values at {}s", what), "correct it"});
    return std::nullopt;
  }
  if (before.points.empty() || before.points.back()[0] < *number) return number;
  yaml.fail_key(point, {fmt::format("is not above {}", io::to_text(before.points.back()[0])),
                        fmt::format("the {}s of a table ascend", what),
                        "write the points in ascending order"});
  return std::nullopt;
}

/// The formula with another text for the variable T.
std::string with_temperature(const std::string& formula, const std::string& replacement) {
  const auto in_name = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
  };
  std::string result;
  for (std::size_t n = 0; n < formula.size();) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(formula.begin() + static_cast<std::ptrdiff_t>(n), formula.end(), in_name) -
        formula.begin());
    const auto word = formula.substr(n, std::max<std::size_t>(end - n, 1));
    result += word == "T" ? replacement : word;
    n += word.size();
  }
  return result;
}

std::string formula_in_kelvin(std::string text, const Rule& rule) {
  const auto zero = io::to_text(io::celsius_zero);
  if (rule.variables.find('T') != std::string::npos)
    text = with_temperature(text, "(T - " + zero + ")");
  return rule.temperature ? "(" + text + ") + " + zero : text;
}

/// Converts the values of keys from degrees Celsius, and what maps of keys hold.
struct ConversionFromCelsius {
  void convert(const std::vector<Key>& keys) const {
    for (const auto& key : keys)
      std::visit([&](const auto& slot) { value(key.rule, slot); }, key.slot);
  }

  void value(const Rule& rule, Quantity* slot) const {
    const auto kelvin = [](double celsius) { return celsius + io::celsius_zero; };
    if (auto* number = std::get_if<double>(slot); number != nullptr && rule.temperature)
      *number = kelvin(*number);
    if (auto* formula = std::get_if<Formula>(slot))
      formula->text = formula_in_kelvin(formula->text, rule);
    if (auto* table = std::get_if<Table>(slot)) {
      for (auto& [argument, result] : table->points) {
        if (rule.tables_in == 'T') argument = kelvin(argument);
        if (rule.temperature) result = kelvin(result);
      }
    }
  }
  void value(const Rule& rule, std::optional<Quantity>* slot) const {
    if (*slot) value(rule, &**slot);
  }
  void value(const Rule& rule, std::vector<Quantity>* slot) const {
    for (auto& quantity : *slot) value(rule, &quantity);
  }
  void value(const Rule& rule, std::optional<std::array<double, 2>>* slot) const {
    if (!*slot || !rule.temperature) return;
    for (auto& end : **slot) end += io::celsius_zero;
  }
  void value(const Rule&, const MapSlot& slot) const {
    for (const auto& map : slot.all()) convert(map.keys);
  }
  template <class Other>
  void value(const Rule&, const Other&) const {}
};

}  // namespace

Rule in_unit(Rule rule, io::TemperatureUnit unit) {
  if (unit == io::TemperatureUnit::kelvin) return rule;
  if (rule.temperature) rule.bounds.min = -io::celsius_zero;
  if (rule.tables_in == 'T') rule.lowest_argument = -io::celsius_zero;
  rule.in_celsius = true;
  return rule;
}

void convert_to_kelvin(Config& config) {
  const auto unit = config.units.temperature;
  if (auto* data = std::get_if<FileDataset>(&config.initial_temperature))
    data->temperature_unit = unit;
  config.units = {io::TemperatureUnit::kelvin, config.output_unit()};
  if (unit == io::TemperatureUnit::kelvin) return;
  const ConversionFromCelsius conversion;
  conversion.convert(keys_of(config));
  for (auto& axis : config.sides) {
    for (auto& side : axis) conversion.convert(keys_of(side));
  }
  if (config.void_faces) conversion.convert(keys_of(*config.void_faces));
}

std::optional<Quantity> read_formula(io::YamlReader& yaml, const io::YamlNode& node,
                                     const Rule& rule) {
  try {
    const solver::Formula checked(node.text, rule.variables);
    if (rule.in_celsius) (void)solver::Formula(formula_in_kelvin(node.text, rule), rule.variables);
    return Formula{node.text};
  } catch (const comm::Error& error) {
    yaml.fail(node, error.text());
    return std::nullopt;
  }
}

std::optional<Quantity> read_table(io::YamlReader& yaml, const io::YamlNode& node,
                                   const Rule& rule) {
  const bool held = rule.tables_in == 't' && node.find("table") == nullptr;
  const auto* found = yaml.find(node, held ? "steps" : "table");
  if (found == nullptr) {
    yaml.fail_needed(node, allowed(rule));
    return std::nullopt;
  }
  const auto& points = *found;
  const auto count = points.children.size();
  if (!points.is(io::YamlNode::Kind::map) || count == 0 || count > most_points) {
    yaml.fail(points, {"is no table", fmt::format("a table has 1 to {} points", most_points),
                       "write its points as {300: 1.5, 400: 1.2}"});
    return std::nullopt;
  }
  Table table{.points = {}, .held = held};
  bool complete = true;
  for (const auto& child : points.children) {
    yaml.know(points.path, child.key);
    const auto argument = argument_of(yaml, child, rule, table);
    const auto value = yaml.number(child, rule.bounds, "a number" + rule.bounds.to_text());
    if (argument && value) table.points.push_back({*argument, *value});
    complete = complete && argument && value;
  }
  return complete ? std::optional<Quantity>(std::move(table)) : std::nullopt;
}

std::optional<std::array<double, 2>> read_interval(io::YamlReader& yaml, const io::YamlNode& node,
                                                   const Rule& rule) {
  if (!node.is(io::YamlNode::Kind::list) || node.children.size() != 2) {
    yaml.fail_needed(node, allowed(rule));
    return std::nullopt;
  }
  const auto needed = "a number" + rule.bounds.to_text();
  const auto lower = yaml.number(node.children[0], rule.bounds, needed),
             upper = yaml.number(node.children[1], rule.bounds, needed);
  if (!lower || !upper) return std::nullopt;
  if (*lower < *upper) return std::array{*lower, *upper};
  yaml.fail(node.children[1], {"is " + io::to_text(*upper), "must be above " + io::to_text(*lower),
                               "exchange the two or change one"});
  return std::nullopt;
}

void read_hints(io::YamlReader& yaml, const io::YamlNode& node, const std::string& needed,
                comm::FileHints& hints) {
  if (!node.is(io::YamlNode::Kind::map)) return yaml.fail_needed(node, needed);
  if (node.children.size() > most_hints) {
    return yaml.fail(node, {fmt::format("has {} entries", node.children.size()),
                            fmt::format("must be at most {}", most_hints), "leave some out"});
  }
  for (const auto& child : node.children) {
    yaml.know(node.path, child.key);  // whatever its name is
    if (const auto wrong = wrong_hint_name(child.key)) {
      yaml.fail_key(child, *wrong);
    } else if (const auto text = yaml.text(child, "a text or a number")) {
      const auto wrong_value = wrong_hint_value(*text);
      if (wrong_value) yaml.fail(child, *wrong_value);
      hints.push_back({child.key, *text});
    }
  }
}

void read_labels(io::YamlReader& yaml, const io::YamlNode& node, const std::string& needed,
                 std::map<long, std::string>& labels) {
  if (!node.is(io::YamlNode::Kind::map) || node.children.empty())
    return yaml.fail_needed(node, needed);
  for (const auto& child : node.children) {
    yaml.know(node.path, child.key);
    const auto label = io::parse_whole_number(child.key);
    if (!label)
      yaml.fail_key(child, {"is no whole number", "labels are whole numbers", "correct it"});
    const auto name = yaml.text(child, "a name of a material");
    if (label && name) labels[static_cast<long>(*label)] = *name;
  }
}

void read_names(io::YamlReader& yaml, const io::YamlNode& node, const std::string& needed,
                std::array<std::string, 2>& names) {
  if (!node.is(io::YamlNode::Kind::list) || node.children.size() != names.size())
    return yaml.fail_needed(node, needed);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const auto text = yaml.text(node.children[n], "a name");
    if (!text) continue;
    const auto wrong = wrong_text(*text, Kind::name);
    if (wrong) yaml.fail(node.children[n], *wrong);
    if (!wrong) names[n] = *text;
  }
}

}  // namespace halotherm::app
