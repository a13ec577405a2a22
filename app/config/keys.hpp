// SPDX-License-Identifier: MIT
// The list of all configuration keys, which the reader, writer, defaults, schema and tests share.
#pragma once

#include "app/config/config.hpp"
#include "io/text/number_text.hpp"

#include <functional>

namespace halotherm::app {

enum class Kind {
  text,
  path,
  name,
  boolean,
  whole,
  number,
  duration,
  word,
  quantity,
  hints,
  map,
  labels,
  layers,
  faces
};
enum class Shape { single, pair, per_axis, single_or_per_axis, list_per_axis, list, named };

/// The values that a key allows.
struct Rule {
  Kind kind = Kind::number;
  io::Bounds bounds{};  ///< of a number; of the length of a list of maps
  Shape shape = Shape::single;
  std::vector<std::string> words{};  ///< Kind::word: the choice
  std::string variables{};           ///< Kind::quantity: allowed in a formula
  bool files = false;                ///< Kind::quantity: may be {file, dataset}
  char tables_in = 0;                ///< Kind::quantity: T or t, if it may be {table: {...}}
  bool automatic = false;            ///< may be "auto", which is the default
  bool temperature = false;          ///< units.temperature is the unit of its values
  bool in_celsius = false;           ///< where it is read, temperatures are in degrees Celsius
  double lowest_argument = 0;        ///< of tables
};

/// The largest number of points of a table in a configuration, and of materials with tables.
inline constexpr std::size_t most_points = 1000, most_tabulated_materials = 256;

/// The largest number of hints.
inline constexpr std::size_t most_hints = 32;

/// Access to an enum by the index of its word.
struct WordSlot {
  std::function<std::size_t()> get;
  std::function<void(std::size_t)> set;
};

struct Key;

/// A map with keys of its own; its name is of Shape::named.
struct MapKeys {
  std::string name;
  std::vector<Key> keys;
};

/// Access to an optional map with keys of its own, to a list of such maps, or to maps with names.
struct MapSlot {
  /// Adds a map with defaults; returns its keys.
  std::function<std::vector<Key>(const std::string& name)> add;
  std::function<std::vector<MapKeys>()> all;  ///< every map that there is
};

/// A pointer to the value of a key in a configuration.
using Slot = std::variant<
    std::string*, std::filesystem::path*, bool*, int*, long*, double*, std::optional<long>*,
    std::optional<double>*, std::vector<int>*, std::vector<double>*,
    std::optional<std::array<double, 2>>*, std::optional<std::array<int, 3>>*,
    std::optional<std::array<std::vector<int>, 3>>*, Quantity*, std::optional<Quantity>*,
    std::vector<Quantity>*, comm::FileHints*, std::map<long, std::string>*,
    std::array<std::string, 2>*, std::vector<GridLayer>*, FaceList*, WordSlot, MapSlot>;

/// One key, bound to the member that holds its value.
struct Key {
  std::string path;
  Slot slot;
  Rule rule;
  std::string unit{};
  std::string help{};
  bool required = false;
  std::string example{};                  ///< in YAML, for keys without a default
  std::vector<std::string> not_beside{};  ///< keys of the same map that exclude this one
  std::vector<std::string> needs{};       ///< keys of the same map without which it has no meaning
};

/// The keys in the order in which they are written. Keys of sides and data sets are separate, and
/// those of maps are behind their MapSlot; their paths are relative. Local.
std::vector<Key> keys_of(Config& config);
std::vector<Key> keys_of(AxisConfig& axis);
std::vector<Key> keys_of(MaterialConfig& material);
std::vector<Key> keys_of(RegionConfig& region);
std::vector<Key> keys_of(ContactConfig& contact);
std::vector<Key> keys_of(BoxConfig& box);
std::vector<Key> keys_of(CylinderConfig& cylinder);
std::vector<Key> keys_of(SphereConfig& sphere);
std::vector<Key> keys_of(LayerConfig& layer);
std::vector<Key> keys_of(SurfaceConfig& surface);
std::vector<Key> keys_of(SideConfig& side);
std::vector<Key> keys_of(ConvectionConfig& convection);
std::vector<Key> keys_of(RadiationConfig& radiation);
std::vector<Key> keys_of(PatchConfig& patch);
std::vector<Key> keys_of(SensorConfig& sensor);
std::vector<Key> keys_of(FileDataset& dataset);

}  // namespace halotherm::app
