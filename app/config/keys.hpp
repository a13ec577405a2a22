// SPDX-License-Identifier: MIT
// The list of all configuration keys, which the reader, writer, defaults, schema and tests share.
#pragma once

#include "app/config/config.hpp"
#include "io/text/number_text.hpp"

#include <functional>

namespace halotherm::app {

enum class Kind { text, path, name, boolean, whole, number, duration, word, quantity, hints };
enum class Shape { single, per_axis, single_or_per_axis, list_per_axis };

/// The values that a key allows.
struct Rule {
  Kind kind = Kind::number;
  io::Bounds bounds{};
  Shape shape = Shape::single;
  std::vector<std::string> words{};  ///< Kind::word: the choice
  std::string variables{};           ///< Kind::quantity: allowed in a formula
  bool files = false;                ///< Kind::quantity: may be {file, dataset}
  bool automatic = false;            ///< may be "auto", which is the default
};

/// The largest number of hints.
inline constexpr std::size_t most_hints = 32;

/// Access to an enum by the index of its word.
struct WordSlot {
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};

/// A pointer to the value of a key in a configuration.
using Slot = std::variant<std::string*, std::filesystem::path*, bool*, int*, long*, double*,
                          std::optional<long>*, std::optional<double>*, std::vector<int>*,
                          std::vector<double>*, std::optional<std::array<int, 3>>*,
                          std::optional<std::array<std::vector<int>, 3>>*, Quantity*,
                          std::vector<Quantity>*, comm::FileHints*, WordSlot>;

/// One key, bound to the member that holds its value.
struct Key {
  std::string path;
  Slot slot;
  Rule rule;
  std::string unit{};
  std::string help{};
  bool required = false;
  std::string example{};                   ///< in YAML, for keys without a default
  std::optional<BoundaryType> only_for{};  ///< a side's key: the type that uses it
};

/// The keys in the order in which they are written. Keys of sides, sensors and data sets are
/// separate, with relative paths. Local.
std::vector<Key> keys_of(Config& config);
std::vector<Key> keys_of(SideConfig& side);
std::vector<Key> keys_of(SensorConfig& sensor);
std::vector<Key> keys_of(FileDataset& dataset);

}  // namespace halotherm::app
