// SPDX-License-Identifier: MIT
// YAML text as a tree whose values carry their place in the text.
#pragma once

#include "comm/mpi/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace halotherm::io {

/// A line and column of a source, counted from 1; with line 0, the source as a whole.
struct YamlPlace {
  std::string source;
  int line = 0;
  int column = 0;
};

/// "run.yaml:3:7", or the source alone.
std::string to_string(const YamlPlace& place);

struct YamlProblem {
  YamlPlace place;
  comm::ErrorText text;
};

/// A value of the document. Aliases are expanded.
struct YamlNode {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string text;     ///< of a scalar
  bool quoted = false;  ///< a scalar in quotes is text even if it looks like a number
  YamlPlace place;
  std::string path;  ///< "grid.cells[1]"; empty for the whole document
  std::string key;   ///< of a map's child
  YamlPlace key_place;
  std::vector<YamlNode> children;  ///< of a list or a map, in the order of the text

  bool is(Kind wanted) const { return kind == wanted; }
  const YamlNode* find(std::string_view name) const;
  YamlNode* find(std::string_view name);
};

/// Limits that bound the time and memory a hostile text can take, far above what configurations
/// need.
struct YamlLimits {
  static constexpr std::size_t bytes = 1 << 20;
  static constexpr std::size_t depth = 32;
  static constexpr std::size_t nodes = 20000;           ///< after the expansion of aliases
  static constexpr std::size_t copied_bytes = 1 << 20;  ///< of all texts that aliases stand for
};

/// Sets the paths of everything below `node`, whose own path is right.
void set_paths(YamlNode& node);

/// The one document that `text` holds; an empty one gives a null node. `source` names it in places;
/// `with_lines` = false leaves lines out of them. Keys given twice are added to `problems`, and the
/// first one counts. Throws comm::Error (usage) for a text that is not UTF-8, is not YAML, exceeds
/// a limit, or has several documents, tags, merge keys or keys that are not words.
YamlNode parse_yaml(const std::string& text, const std::string& source, bool with_lines,
                    std::vector<YamlProblem>& problems);

}  // namespace halotherm::io
