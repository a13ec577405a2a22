// SPDX-License-Identifier: MIT
#include "app/config/description.hpp"

#include <map>

namespace halotherm::app {

std::vector<Alternatives> alternatives() {
  return {{.paths = {"time.end", "time.steps"}, .required = true},
          {.paths = {"output.checkpoint.every", "output.checkpoint.steps",
                     "output.checkpoint.walltime"}},
          {.paths = {"output.fields.every", "output.fields.steps"}}};
}

std::string section_help(const std::string& path) {
  static const std::map<std::string, std::string> help{
      {"grid", "the domain and its cells"},
      {"material",
       "of what the domain is made: each a number, a formula in x, y, z, or {file: F.h5, dataset: "
       "/D} of shape (nz, ny, nx)"},
      {"initial", "the state at time 0"},
      {"boundary",
       "sides x-, x+, y-, y+, z-, z+, or x, y, z for both sides of an axis; a side not given is "
       "insulated"},
      {"time", "how long, and in which steps"},
      {"parallel", "how ranks share the work; the result does not depend on it"},
      {"watchdog", "what is looked for while a run goes"},
      {"output", "what is written, and when"},
      {"output.checkpoint",
       "files to restart from; at most one of every, steps, walltime; the last state is always "
       "written"},
      {"output.fields", "snapshots for ParaView; at most one of every, steps; none by default"},
      {"output.sensors", "positions whose temperature the diagnostics list"},
      {"output.diagnostics", "the table diagnostics.csv"},
  };
  const auto found = help.find(path);
  return found == help.end() ? "" : found->second;
}

std::string side_name(int axis, int side) {
  return std::string(1, axis_names[axis]) + (side == 0 ? "-" : "+");
}

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

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
      return "seconds" + bounds + ", or such as 90s, 15min, 1h30min, 20ms";
    case Kind::word:
      return (rule.words.size() > 1 ? "one of " : "") + joined(rule.words);
    case Kind::hints:
      return "a map of at most " + std::to_string(most_hints) +
             " names (letters, digits, _) and their texts or numbers";
    case Kind::quantity:
      break;
  }
  std::string text = "a number" + bounds + (rule.files ? ", a formula in " : " or a formula in ");
  for (const char name : rule.variables)
    text += (name == rule.variables.front() ? "" : ", ") + std::string(1, name);
  return text + (rule.files ? ", or {file: F.h5, dataset: /D}" : "");
}

}  // namespace

std::string allowed(const Rule& rule) {
  std::string text = rule.automatic ? "auto or " : "";
  if (rule.shape == Shape::list_per_axis)
    return text + "a list with one list of numbers an axis, each " + allowed_value(rule);
  if (rule.shape == Shape::per_axis)
    return text + "a list with one number an axis, each " + allowed_value(rule);
  text += allowed_value(rule);
  return rule.shape == Shape::single ? text
                                     : text + ", or a list of numbers or formulas, one an axis";
}

std::vector<std::string> all_keys() {
  Config config;
  SideConfig side;
  SensorConfig sensor;
  std::vector<std::string> paths;
  for (const auto& key : keys_of(config)) paths.push_back(key.path);
  for (const auto& key : keys_of(side)) paths.push_back("boundary.<side>." + key.path);
  for (const auto& key : keys_of(sensor)) paths.push_back("output.sensors[]." + key.path);
  return paths;
}

}  // namespace halotherm::app
