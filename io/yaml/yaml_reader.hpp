// SPDX-License-Identifier: MIT
// Strict, typed reading of a YAML document: collects every mistake instead of stopping at the
// first.
#pragma once

#include "io/text/number_text.hpp"
#include "io/yaml/yaml_tree.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace halotherm::io {

/// Asks for keys and types; whatever was never asked for is unknown, and `finish` throws one
/// comm::Error (usage) with every mistake, each as "file:line:column: key.path: what is wrong (why)
/// what to do".
///
///     YamlReader yaml(text, "run.yaml");
///     if (const YamlNode* end = yaml.find("time.end")) config.end = yaml.number(*end, {.min = 0},
///     "a number of seconds"); yaml.finish();
class YamlReader {
 public:
  /// Throws comm::Error (usage) at once if `text` is empty, or not YAML, or not a map.
  YamlReader(const std::string& text, const std::string& name);

  /// Sets a key as if the text had it: "time.end=5", the value in YAML; an empty value or ~ removes
  /// the key.
  void set(const std::string& assignment);

  /// The value at a path of keys; null if it is not there. Every name on the path is known from now
  /// on.
  const YamlNode* find(const std::string& path);
  /// The value of a key of `map`.
  const YamlNode* find(const YamlNode& map, const std::string& key);

  /// The value, or none after noting that it should be `needed`.
  std::optional<double> number(const YamlNode& node, const Bounds& bounds,
                               const std::string& needed);
  std::optional<std::int64_t> whole_number(const YamlNode& node, const Bounds& bounds,
                                           const std::string& needed);
  std::optional<bool> boolean(const YamlNode& node);
  std::optional<std::string> text(const YamlNode& node, const std::string& needed);
  /// The position among `words`.
  std::optional<std::size_t> word(const YamlNode& node, std::span<const std::string> words);

  /// Notes a mistake at a value, at its key, or at a path that is not there (where the nearest part
  /// of it that is there stands).
  void fail(const YamlNode& node, const std::string& text);
  void fail_key(const YamlNode& node, const std::string& text);
  void fail(const std::string& path, const std::string& text);
  /// Notes that a required key is missing, unless something above it is wrong already.
  void fail_missing(const std::string& path, const std::string& text);
  void fail_missing(const YamlNode& map, const std::string& key, const std::string& text);
  /// "is 7 (must be `needed`)".
  void fail_needed(const YamlNode& node, const std::string& needed);

  bool failed() const { return !problems_.empty(); }

  /// Throws if anything is wrong: what was noted, and the keys that nobody asked for.
  void finish();

 private:
  void know(const std::string& section, const std::string& key);
  const YamlNode& deepest(const std::string& path) const;
  void note(const YamlPlace& place, const std::string& path, const std::string& text);
  void note_unknown(const YamlNode& map);
  std::string unknown(const YamlNode& child, const std::string& section) const;

  YamlNode root_;
  std::map<std::string, std::vector<std::string>>
      asked_;                     ///< keys by the path of their map, in the order of asking
  std::set<std::string> broken_;  ///< paths that should be maps and are not
  std::vector<YamlProblem> problems_;
};

/// How a message shows a value: 7, "a text", a list, a map, empty.
std::string shown(const YamlNode& node);

}  // namespace halotherm::io
