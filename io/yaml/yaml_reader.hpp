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

/// The caller looks up keys and converts their values; keys that were never looked up are unknown.
/// `finish` throws one comm::Error (usage) with every mistake on a line of its own, each as
/// "file:line:column: key.path: problem (reason); remedy".
///
///     YamlReader yaml(text, "run.yaml");
///     if (const YamlNode* end = yaml.find("time.end"))
///       config.end = yaml.number(*end, {.min = 0}, "a number of seconds");
///     yaml.finish();
class YamlReader {
 public:
  /// `name` stands for the text in messages. Throws comm::Error (usage) at once if `text` is empty,
  /// is not YAML or is not a map.
  YamlReader(const std::string& text, const std::string& name);

  /// Sets a key: "time.end=5", the value in YAML. An empty value or ~ removes the key.
  void set(const std::string& assignment);

  const YamlNode& root() const { return root_; }
  /// The value at a path of keys below `map`, null if there is none. The keys on the path count as
  /// known.
  const YamlNode* find(const YamlNode& map, const std::string& path);
  const YamlNode* find(const std::string& path) { return find(root_, path); }
  /// Makes a key of the map at `section` a known one.
  void know(const std::string& section, const std::string& key);

  /// The value converted; if it cannot be, none, and the mistake "must be `needed`" is noted.
  std::optional<double> number(const YamlNode& node, const Bounds& bounds,
                               const std::string& needed);
  std::optional<std::int64_t> whole_number(const YamlNode& node, const Bounds& bounds,
                                           const std::string& needed);
  std::optional<bool> boolean(const YamlNode& node);
  std::optional<std::string> text(const YamlNode& node, const std::string& needed);
  /// The position of the value in `words`; a mistake is noted if it is none of them.
  std::optional<std::size_t> word(const YamlNode& node, std::span<const std::string> words);

  /// Notes a mistake: at a value, at its key, or at a path that does not exist, whose place is that
  /// of its longest existing part.
  void fail(const YamlNode& node, const comm::ErrorText& text);
  void fail_key(const YamlNode& node, const comm::ErrorText& text);
  void fail(const std::string& path, const comm::ErrorText& text);
  /// Notes that a required key below `map` is missing, unless something above it is wrong already.
  void fail_missing(const YamlNode& map, const std::string& path, const std::string& reason,
                    const std::string& remedy);
  /// "is 7 (must be `needed`)".
  void fail_needed(const YamlNode& node, const std::string& needed);

  /// Throws if a mistake was noted or a key is unknown.
  void finish();

 private:
  template <class Value>
  std::optional<Value> checked(const YamlNode& node, std::optional<Value> value,
                               const std::string& needed);
  const YamlNode* find_key(const YamlNode& map, const std::string& key);
  static const YamlNode& deepest(const YamlNode& map, const std::string& path);
  void note(const YamlPlace& place, const std::string& path, comm::ErrorText text);
  void note_unknown(const YamlNode& map);
  comm::ErrorText unknown(const YamlNode& child, const std::string& section) const;

  YamlNode root_;
  std::map<std::string, std::vector<std::string>> known_;  ///< keys by their map's path, in order
  std::set<std::string> broken_;                           ///< paths that should be maps
  std::vector<YamlProblem> problems_;
};

/// A value as messages show it: 7, "a text", a list, a map, empty.
std::string shown(const YamlNode& node);

}  // namespace halotherm::io
