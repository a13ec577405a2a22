// SPDX-License-Identifier: MIT
// Values of the configuration as YAML.
#pragma once

#include "app/config/description.hpp"

namespace halotherm::app {

/// The value of a key as one line of YAML; none if it has none, such as an optional key that is not
/// set. A list of one an axis has its first `dimensions` entries.
std::optional<std::string> value_text(const Key& key, int dimensions);

/// In double quotes, with everything escaped that needs it: YAML and JSON alike.
std::string quoted(const std::string& text);

/// Writes keys as nested maps: opens and closes the sections as the paths ask, so keys of one
/// section must follow each other.
class MapWriter {
 public:
  enum class Sections { plain, explained };

  explicit MapWriter(Sections sections = Sections::plain)
      : explained_(sections == Sections::explained) {}

  void add(const std::string& path, const std::string& value);
  /// A comment line where the key would stand.
  void comment(const std::string& path, const std::string& text);

  std::string text() && { return std::move(text_); }

 private:
  void open(const std::string& sections);
  std::string indent() const;

  bool explained_;
  std::string text_;
  std::string open_;  ///< "" or "a.b."
};

}  // namespace halotherm::app
