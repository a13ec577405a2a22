// SPDX-License-Identifier: MIT
#include "app/config/quantity_reader.hpp"

#include "app/config/checks.hpp"
#include "app/config/description.hpp"
#include "app/config/key_rules.hpp"
#include "solver/formula/formula.hpp"

#include <fmt/format.h>

namespace halotherm::app {

namespace {

/// The temperature or the time of a point, which is above those before it.
std::optional<double> argument_of(io::YamlReader& yaml, const io::YamlNode& point, char argument,
                                  const Table& before) {
  const bool of_time = argument == 't';
  const char* what = of_time ? "time" : "temperature";
  const auto number = of_time ? io::parse_duration(point.key) : io::parse_number(point.key);
  if (!number || *number < 0) {
    yaml.fail_key(point, {fmt::format("is no {} of 0 or above", what),
                          fmt::format("a table gives values at {}s", what), "correct it"});
    return std::nullopt;
  }
  if (before.points.empty() || before.points.back()[0] < *number) return number;
  yaml.fail_key(point, {fmt::format("is not above {}", io::to_text(before.points.back()[0])),
                        fmt::format("the {}s of a table ascend", what),
                        "write the points in ascending order"});
  return std::nullopt;
}

}  // namespace

std::optional<Quantity> read_formula(io::YamlReader& yaml, const io::YamlNode& node,
                                     const Rule& rule) {
  try {
    const solver::Formula checked(node.text, rule.variables);
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
    const auto argument = argument_of(yaml, child, rule.tables_in, table);
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

}  // namespace halotherm::app
