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

/// Whether a key that is written needs it.
bool is_needed(const std::string& path) {
  Config config;
  return std::ranges::any_of(keys_of(config), [&](const auto& key) {
    return stands_for_others(key.path) && std::ranges::count(key.needs, path) > 0;
  });
}

/// Explains the keys of a map, or of each map of a list, at the place of the key `path`.
void explain_keys(MapWriter& writer, const std::string& path, const std::vector<Key>& keys,
                  const std::string& above = "") {
  for (const auto& key : keys) {
    write_explanation(writer, path, above + key.path + ": " + explanation(key));
    if (const auto* map = std::get_if<MapSlot>(&key.slot))
      explain_keys(writer, path, map->add(""), above + key.path + ".");
  }
}

void write_key(MapWriter& writer, const Key& key) {
  write_explanation(writer, key.path, explanation(key));
  if (const auto* map = std::get_if<MapSlot>(&key.slot)) {
    explain_keys(writer, key.path, map->add(""));
    if (key.required) return writer.add(key.path, key.example);
    writer.comment(key.path, "for example " + key.example);
    if (key.rule.shape != Shape::single) writer.add(key.path, "[]");
    return;
  }
  const auto value = value_text(key, 0);
  const auto name = key.path.substr(key.path.find_last_of('.') + 1);
  if (key.required || stands_for_others(key.path) || is_needed(key.path)) {
    writer.add(key.path, key.example);
  } else if (value) {
    writer.add(key.path, *value);
  } else {
    writer.comment(key.path, name + ": " + key.example);
  }
}

void write_sides(MapWriter& writer) {
  SideConfig side;
  explain_keys(writer, "sides.", keys_of(side));
  for (int axis = 0; axis < 3; ++axis) {
    for (int end = 0; end < 2; ++end) writer.add("sides." + side_name(axis, end), "{flux: 0}");
  }
  writer.comment("sides.",
                 "the faces towards void cells, which have no patches; insulated if not given");
  writer.comment("sides.", "void: {convection: {coefficient: 25, ambient: 293}}");
}

}  // namespace

std::string default_yaml() {
  Config config;
  MapWriter writer(MapWriter::Sections::explained);
  for (const auto& key : keys_of(config)) {
    if (key.path == "time.end") write_sides(writer);
    write_key(writer, key);
  }
  return "# Every key of a Halotherm configuration with its default, or an example where it has "
         "none.\n" +
         std::move(writer).text();
}

}  // namespace halotherm::app
