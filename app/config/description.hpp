// SPDX-License-Identifier: MIT
// Every key of the configuration, described once: the reader, the writer, the defaults, the schema
// and the documentation's test walk the same lists, so that none can say something that another
// does not.
#pragma once

#include "app/config/config.hpp"
#include "io/text/number_text.hpp"

#include <functional>

namespace halotherm::app {

enum class Kind { text, path, name, boolean, whole, number, duration, word, quantity, hints };
enum class Shape { single, per_axis, single_or_per_axis, list_per_axis };

/// What a value may be.
struct Rule {
  Kind kind = Kind::number;
  io::Bounds bounds{};
  Shape shape = Shape::single;
  std::vector<std::string> words{};  ///< Kind::word: the choice
  std::string variables{};           ///< Kind::quantity: of its formula
  bool files = false;                ///< Kind::quantity: may be {file, dataset}
  bool automatic = false;            ///< may be "auto", which is the default
};

/// So many entries a map of hints may have.
inline constexpr std::size_t most_hints = 32;

/// An enum as the position of its word.
struct WordSlot {
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};

/// Where in a configuration the value of a key is.
using Slot = std::variant<std::string*, std::filesystem::path*, bool*, int*, long*, double*,
                          std::optional<long>*, std::optional<double>*, std::vector<int>*,
                          std::vector<double>*, std::optional<std::array<int, 3>>*,
                          std::optional<std::array<std::vector<int>, 3>>*, Quantity*,
                          std::vector<Quantity>*, comm::FileHints*, WordSlot>;

/// One key, bound to the structure that it is read into and written from.
struct Key {
  std::string path;
  Slot slot;
  Rule rule;
  std::string unit{};
  std::string help{};
  bool required = false;
  std::string example{};                   ///< in YAML, for what has no default
  std::optional<BoundaryType> only_for{};  ///< of a side's keys
};

/// Keys of which at most one, or exactly one, is to be given.
struct Alternatives {
  std::vector<std::string> paths;
  bool required = false;
};

/// The keys in the order in which they are written; those of sides and sensors are apart, with
/// paths relative to theirs.
std::vector<Key> keys_of(Config& config);
std::vector<Key> keys_of(SideConfig& side);
std::vector<Key> keys_of(SensorConfig& sensor);
/// Those of a quantity that comes from a file.
std::vector<Key> keys_of(FileDataset& dataset);
std::vector<Alternatives> alternatives();

/// What "grid", "boundary", "output.sensors" ... are about.
std::string section_help(const std::string& path);

/// "x-", "y+": the key of a side.
std::string side_name(int axis, int side);
constexpr const char* axis_names = "xyz";

/// What a value must be, for messages and manuals: "a whole number from 1 to 8", "auto or a number
/// above 0", "one of a, b".
std::string allowed(const Rule& rule);

/// Every key's path, those of sides as "boundary.<side>.type", of sensors as
/// "output.sensors[].name".
std::vector<std::string> all_keys();

}  // namespace halotherm::app
