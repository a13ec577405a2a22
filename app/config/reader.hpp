// SPDX-License-Identifier: MIT
// Reads YAML into the configuration's structures by the description of the keys.
#pragma once

#include "app/config/description.hpp"
#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// Reads the values that the keys' rules allow and reports all others to the YamlReader.
class ConfigReader {
 public:
  explicit ConfigReader(io::YamlReader& yaml) : yaml_(yaml) {}

  /// Reads all keys; a value that cannot be read keeps its default.
  Config read();

 private:
  void read_boundary(Config& config);
  void read_axis(const io::YamlNode& section, int axis, std::array<SideConfig, 2>& sides);
  void read_side(const io::YamlNode& node, SideConfig& side);
  void read_sensors(std::vector<SensorConfig>& sensors);
  void read_key(const Key& key, const io::YamlNode& node);
  bool is_one_an_axis(const io::YamlNode& list);

  template <class Value>
  std::optional<Value> value(const io::YamlNode& node, const Rule& rule);
  template <class Value>
  void store(const io::YamlNode& node, const Rule& rule, Value* slot);
  template <class Value>
  void store(const io::YamlNode& node, const Rule& rule, std::optional<Value>* slot);
  template <class Value>
  void store(const io::YamlNode& node, const Rule& rule, std::vector<Value>* slot);
  void store(const io::YamlNode& node, const Rule& rule, std::optional<std::array<int, 3>>* slot);
  void store(const io::YamlNode& node, const Rule& rule,
             std::optional<std::array<std::vector<int>, 3>>* slot);
  void store(const io::YamlNode& node, const Rule& rule, comm::FileHints* slot);
  void store(const io::YamlNode& node, const Rule& rule, const WordSlot& slot);

  std::optional<Quantity> quantity(const io::YamlNode& node, const Rule& rule);
  std::optional<Quantity> formula(const io::YamlNode& node, const Rule& rule);
  std::optional<Quantity> dataset(const io::YamlNode& node);

  io::YamlReader& yaml_;
  std::size_t dimensions_ = 0;  ///< 0 until the number of axes is read
};

}  // namespace halotherm::app
