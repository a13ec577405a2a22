// SPDX-License-Identifier: MIT
#include "app/config/description.hpp"

#include <fmt/format.h>

#include <map>

namespace halotherm::app {

std::vector<Alternatives> alternatives() {
  return {{.paths = {"grid.cells", "grid.x"}, .required = true, .example = "[96, 96, 96]"},
          {.paths = {"time.end", "time.steps"}, .required = true, .example = "60"},
          {.paths = {"output.checkpoint.every", "output.checkpoint.steps",
                     "output.checkpoint.walltime"}},
          {.paths = {"output.fields.every", "output.fields.steps"}}};
}

std::string section_help(const std::string& path) {
  static const std::map<std::string, std::string> help{
      {"units", "units of temperatures; all else is in SI units"},
      {"grid", "the domain and its cells"},
      {"initial", "the state at time 0"},
      {"sides",
       "x-, x+, y-, y+, z-, z+, or x, y, z for both sides of an axis: periodic, or a map; void: "
       "the "
       "faces towards void cells; a side not given is insulated"},
      {"time", "length of the run, and its steps"},
      {"linear", "the solver of steady states and implicit steps"},
      {"parallel", "how ranks share the work; the result does not depend on it"},
      {"watchdog", "checks during the run"},
      {"output", "what is written, and when"},
      {"output.checkpoint",
       "files for restarts; at most one of every, steps, walltime; the last state is always "
       "written"},
      {"output.fields", "snapshots for ParaView; at most one of every, steps; none by default"},
      {"output.diagnostics", "the table diagnostics.csv"},
  };
  const auto found = help.find(path);
  return found == help.end() ? "" : found->second;
}

std::string side_name(int axis, int side) {
  return std::string(1, axis_names[axis]) + (side == 0 ? "-" : "+");
}

namespace {

std::string allowed_value(const Rule& rule) {
  const auto bounds = rule.bounds.to_text();
  switch (rule.kind) {
    case Kind::text:
      return "a text of one line";
    case Kind::path:
      return "a path";
    case Kind::name:
      return "a name of letters, digits, _ and -";
    case Kind::boolean:
      return "true or false";
    case Kind::whole:
      return "a whole number" + bounds;
    case Kind::number:
      return "a number" + bounds;
    case Kind::duration:
      return "seconds" + bounds + ", or a duration such as 90s, 15min, 1h30min, 20ms";
    case Kind::word:
      return fmt::format("{}{}", rule.words.size() > 1 ? "one of " : "",
                         fmt::join(rule.words, ", "));
    case Kind::hints:
      return "a map of at most " + std::to_string(most_hints) +
             " names (letters, digits, _) and their texts or numbers";
    case Kind::map:
      return rule.shape == Shape::list    ? "a list of maps"
             : rule.shape == Shape::named ? "maps with names of letters, digits, _ and -"
                                          : "a map";
    case Kind::labels:
      return "a map of whole numbers and names of materials";
    case Kind::layers:
      return "a list of pairs such as [2e-6, 4], thickness above 0 and number of cells, with at "
             "most 2^20 cells in all";
    case Kind::faces:
      return "a list of 2 to 2^20 ascending numbers";
    case Kind::quantity:
      break;
  }
  std::vector<std::string> choices{"a number" + bounds,
                                   fmt::format("a formula in {}", fmt::join(rule.variables, ", "))};
  if (rule.files) choices.emplace_back("{file: F.h5, dataset: /D}");
  if (rule.tables_in == 'T') choices.emplace_back("{table: {K: VALUE, ...}}");
  if (rule.tables_in == 't') {
    choices.emplace_back("{table: {s: VALUE, ...}}");
    choices.emplace_back("{steps: {s: VALUE, ...}}");
  }
  const auto last = choices.back();
  choices.pop_back();
  return fmt::format("{}{} or {}", fmt::join(choices, ", "), choices.size() > 1 ? "," : "", last);
}

}  // namespace

std::string allowed(const Rule& rule) {
  std::string text = rule.automatic ? "auto or " : "";
  if (rule.shape == Shape::list_per_axis)
    return text + "a list with one list of numbers per axis, each " + allowed_value(rule);
  if (rule.shape == Shape::per_axis)
    return text + "a list with one number per axis, each " + allowed_value(rule);
  if (rule.shape == Shape::pair && rule.kind == Kind::name)
    return text + "a list of two names of letters, digits, _ and -";
  if (rule.shape == Shape::pair)
    return text + "a list of two numbers" + rule.bounds.to_text() + ", the lower one first";
  text += allowed_value(rule);
  return rule.shape == Shape::single_or_per_axis
             ? text + ", or a list of numbers or formulas, one per axis"
             : text;
}

std::string explanation(const Key& key) {
  return key.help + (key.unit.empty() ? "" : " [" + key.unit + "]") + "; " + allowed(key.rule) +
         (key.required ? "; required" : "");
}

}  // namespace halotherm::app
