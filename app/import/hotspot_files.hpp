// SPDX-License-Identifier: MIT
// The files of HotSpot: configuration, floorplans, power trace, materials and layers.
#pragma once

#include "app/import/source_text.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

/// "-key value" (.config). All functions throw comm::Error (usage), which names file and line.
class HotspotConfig {
 public:
  explicit HotspotConfig(const std::filesystem::path& file);
  /// A number above 0 that the file has to give.
  double positive(const std::string& key) const;
  /// The text of a key; "" if it is not given, or "(null)".
  std::string text(const std::string& key) const;
  /// "example.config:12"
  std::string place(const std::string& key) const;

 private:
  std::filesystem::path file_;
  std::map<std::string, Word> values_;
};

/// A conductivity [W/(m K)] and a heat capacity per volume [J/(m³ K)].
struct HotspotProperties {
  double conductivity = 0, heat_capacity = 0;
  std::string origin;
  std::string name{};  ///< "" if it has none
};

/// Names and properties of solids (.materials).
std::map<std::string, HotspotProperties> read_hotspot_materials(const std::filesystem::path& file);

/// A block of a floorplan (.flp) [m].
struct HotspotBlock {
  std::string name;
  double width = 0, height = 0, x = 0, y = 0;
  std::optional<HotspotProperties> properties{};  ///< instead of those of the layer
  std::size_t line = 0;
};
std::vector<HotspotBlock> read_hotspot_floorplan(const std::filesystem::path& file);

/// Powers by the names of blocks, one a row [W] (.ptrace).
std::map<std::string, std::vector<double>> read_hotspot_powers(const std::filesystem::path& file);

/// A layer (.lcf); the first one is the farthest from the heat sink.
struct HotspotLayer {
  bool heated = false;
  HotspotProperties properties;
  double thickness = 0;  ///< [m]
  std::filesystem::path floorplan;
};
/// `materials`: those that layers may name instead of their properties.
std::vector<HotspotLayer> read_hotspot_layers(
    const std::filesystem::path& file, const std::map<std::string, HotspotProperties>& materials);

}  // namespace halotherm::app
