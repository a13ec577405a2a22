// SPDX-License-Identifier: MIT
// Writes configurations as YAML and compares them.
#pragma once

#include "app/config/description.hpp"

namespace halotherm::app {

/// The whole configuration as YAML with all defaults; parsing it gives the same configuration.
/// Everything in this header is local.
std::string to_yaml(const Config& config);

/// The keys ("material.density") whose values differ between two texts written by to_yaml.
std::vector<std::string> differing_keys(const std::string& resolved_a,
                                        const std::string& resolved_b);

/// A key's value as one line of YAML; none if an optional key is not set. Lists with one entry per
/// axis are shortened to `dimensions` entries.
std::optional<std::string> value_text(const Key& key, int dimensions);

/// Writes keys as nested maps. Opens and closes sections as the paths require, so keys of one
/// section must follow each other.
class MapWriter {
 public:
  enum class Sections { plain, explained };

  explicit MapWriter(Sections sections = Sections::plain)
      : explained_(sections == Sections::explained) {}

  void add(const std::string& path, const std::string& value);
  /// Adds a comment line at the place of the key `path`.
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
