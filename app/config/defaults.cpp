// SPDX-License-Identifier: MIT
#include "app/config/defaults.hpp"

#include "app/config/writer.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

constexpr std::size_t line_length = 100;

/// Breaks `text` between words into lines of at most line_length characters.
std::vector<std::string> wrapped(const std::string& text) {
  std::vector<std::string> lines(1);
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find(' ', start), text.size());
    const auto word = text.substr(start, end - start);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > line_length)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    start = end + 1;
  }
  return lines;
}

void write_explanation(MapWriter& writer, const std::string& path, const std::string& text) {
  for (const auto& line : wrapped(text)) writer.comment(path, line);
}

/// Whether the key is the first of several alternatives of which one is required.
bool stands_for_others(const std::string& path) {
  return std::ranges::any_of(alternatives(), [&](const auto& choice) {
    return choice.required && choice.paths.front() == path;
  });
}

void write_key(MapWriter& writer, const Key& key) {
  write_explanation(writer, key.path, explanation(key));
  const auto value = value_text(key, 0);
  const auto name = key.path.substr(key.path.find_last_of('.') + 1);
  if (key.required || stands_for_others(key.path)) {
    writer.add(key.path, key.example);
  } else if (value) {
    writer.add(key.path, *value);
  } else {
    writer.comment(key.path, name + ": " + key.example);
  }
}

std::string word(const Key& type, BoundaryType value) {
  return type.rule.words[static_cast<std::size_t>(value)];
}

void write_boundary(MapWriter& writer) {
  SideConfig side;
  const auto keys = keys_of(side);
  const std::string section = "boundary.";
  write_explanation(writer, section, "type: " + explanation(keys.front()));
  for (const auto& key : keys) {
    if (!key.only_for) continue;
    write_explanation(
        writer, section,
        word(keys.front(), *key.only_for) + ", " + key.path + ": " + explanation(key));
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (int which = 0; which < 2; ++which)
      writer.add(section + side_name(axis, which), "{type: neumann, flux: 0}");
  }
}

void write_sensors(MapWriter& writer) {
  SensorConfig sensor;
  const std::string section = "output.sensors";
  write_explanation(writer, section, section_help(section) + "; a list of");
  std::string example;
  for (const auto& key : keys_of(sensor)) {
    write_explanation(writer, section, key.path + ": " + explanation(key));
    example += (example.empty() ? "" : ", ") + key.path + ": " + key.example;
  }
  writer.comment(section, "for example [{" + example + "}]");
  writer.add(section, "[]");
}

}  // namespace

std::string default_yaml() {
  Config config;
  MapWriter writer(MapWriter::Sections::explained);
  for (const auto& key : keys_of(config)) {
    if (key.path == "time.end") write_boundary(writer);
    write_key(writer, key);
  }
  write_sensors(writer);
  return "# Every key of a Halotherm configuration with its default, or an example where it has "
         "none.\n" +
         std::move(writer).text();
}

}  // namespace halotherm::app
