// SPDX-License-Identifier: MIT
#include "app/import/hotspot_conversion.hpp"

#include "app/import/hotspot_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace halotherm::app {

namespace {

/// What fills the package's box beside die and spreader: it insulates, and takes no short steps.
constexpr double gap_conductivity = 1e-3, gap_capacity = 1e6;

class Conversion {
 public:
  Conversion(const HotspotFiles& files, bool steady)
      : files_(files), steady_(steady), config_(files.config) {
    if (!files.materials.empty()) materials_ = read_hotspot_materials(files.materials);
    powers_ = read_hotspot_powers(files.powers);
    sink_ = config_.positive("s_sink");
    spreader_ = config_.positive("s_spreader");
    stack_.title = files.powers.stem().string();
    stack_.command = "halotherm import hotspot " + files.config.filename().string();
  }

  Stack convert() {
    note_what_is_left_out();
    const auto layers = chip_layers();
    for (const auto& layer : layers) floorplans_.push_back(read_hotspot_floorplan(layer.floorplan));
    find_extent(layers);
    add_material("gap", {gap_conductivity, gap_capacity, "beside die and spreader", ""});
    for (std::size_t n = 0; n < layers.size(); ++n) add_layer(layers[n], floorplans_[n], n);
    add_package();
    add_powers(layers);
    set_times();
    return std::move(stack_);
  }

 private:
  void note_what_is_left_out() {
    const auto note = [&](const char* key, const std::string& text) {
      const auto value = config_.text(key);
      if (!value.empty() && value != "0") stack_.notes.push_back(config_.place(key) + ": " + text);
    };
    note("model_secondary", "the secondary path through the board is left out; z- is insulated");
    note("leakage_used", "leakage that depends on the temperature is left out");
    note("package_model_used", "the model of the fan is left out; r_convec holds");
    note("init_file", "initial temperatures from a file are left out; init_temp holds everywhere");
    note("dtm_used", "dynamic thermal management is left out");
    stack_.notes.push_back(fmt::format(
        "beside die and spreader lies a gap of {} W/(m K), which insulates", gap_conductivity));
    if (!steady_)
      stack_.notes.push_back(config_.place("c_convec") +
                             ": c_convec is added to the heat capacity of the sink");
  }

  /// The material of a part: that of -material_PART, or -k_PART and -p_PART.
  HotspotProperties part(const std::string& name) const {
    const auto material = config_.text("material_" + name);
    if (material.empty())
      return {config_.positive("k_" + name), config_.positive("p_" + name),
              config_.place("k_" + name), name};
    const auto found = materials_.find(material);
    if (found != materials_.end()) return found->second;
    throw comm::Error(
        comm::ExitCode::usage,
        {fmt::format("{}: \"{}\" is no material", config_.place("material_" + name), material),
         "the file of materials does not have it, or is not given", "give it by --materials"});
  }

  /// From the one that is farthest from the sink on.
  std::vector<HotspotLayer> chip_layers() const {
    if (!files_.layers.empty()) return read_hotspot_layers(files_.layers, materials_);
    return {{true, part("chip"), config_.positive("t_chip"), files_.floorplan},
            {false, part("interface"), config_.positive("t_interface"), files_.floorplan}};
  }

  /// The die's size, and cells over sink, spreader and die along x and y.
  void find_extent(const std::vector<HotspotLayer>& layers) {
    constexpr double any = 1e300;
    std::array<double, 2> upper{-any, -any};
    lower_ = {any, any};
    for (const auto& blocks : floorplans_) {
      for (const auto& block : blocks) {
        lower_ = {std::min(lower_[0], block.x), std::min(lower_[1], block.y)};
        upper = {std::max(upper[0], block.x + block.width),
                 std::max(upper[1], block.y + block.height)};
      }
    }
    for (std::size_t axis = 0; axis < 2; ++axis) {
      die_[axis] = upper[axis] - lower_[axis];
      if (die_[axis] > spreader_ * (1 + 1e-9) || spreader_ > sink_ * (1 + 1e-9))
        throw comm::Error(comm::ExitCode::usage,
                          {fmt::format("{}: the spreader of {:g} m does not fit",
                                       config_.place("s_spreader"), spreader_),
                           fmt::format("the die in {} is {:g} m long, the sink {:g} m",
                                       layers.front().floorplan.string(), die_[axis], sink_),
                           "correct one of the three"});
      const double cells = config_.positive(axis == 0 ? "grid_cols" : "grid_rows");
      if (cells > 10000)
        throw comm::Error(comm::ExitCode::usage, {config_.place("grid_cols") + ": too many cells",
                                                  "at most 10000 an axis", "take fewer"});
      add_axis(stack_.axes[axis], die_[axis], std::max(1.0, std::round(cells)));
    }
  }

  /// Cells beside the die are up to four times as wide.
  void add_axis(StackAxis& axis, double die, double cells) const {
    const auto margin = [&](double width) {
      return std::pair(width, std::max(2, static_cast<int>(std::ceil(width * cells / die / 4))));
    };
    const double beside_spreader = (sink_ - spreader_) / 2, beside_die = (spreader_ - die) / 2;
    const double none = 1e-9 * sink_;
    if (beside_spreader > none) axis.layers.push_back(margin(beside_spreader));
    if (beside_die > none) axis.layers.push_back(margin(beside_die));
    axis.layers.emplace_back(die, static_cast<int>(cells));
    if (beside_die > none) axis.layers.push_back(margin(beside_die));
    if (beside_spreader > none) axis.layers.push_back(margin(beside_spreader));
  }

  /// The name of a material with these properties, which is new or given before.
  std::string add_material(const std::string& name, const HotspotProperties& properties) {
    const auto same = std::ranges::find_if(stack_.materials, [&](const auto& material) {
      return material.conductivity.front() == properties.conductivity &&
             material.heat_capacity == properties.heat_capacity && material.name != "gap";
    });
    if (same != stack_.materials.end()) return same->name;
    const auto plain = plain_name(properties.name.empty() ? name : properties.name);
    stack_.materials.push_back({.name = unique_name(plain, material_names_),
                                .conductivity = {properties.conductivity},
                                .heat_capacity = properties.heat_capacity,
                                .origin = properties.origin});
    return stack_.materials.back().name;
  }

  std::array<double, 3> corner(double x, double y, double z) const {
    return {x - lower_[0] + (sink_ - die_[0]) / 2, y - lower_[1] + (sink_ - die_[1]) / 2, z};
  }

  /// A layer of the whole box, on top of those before.
  void add_level(const std::string& name, const std::string& material, double thickness, int cells,
                 const std::string& origin) {
    stack_.axes[2].layers.emplace_back(thickness, cells);
    stack_.blocks.push_back({.name = unique_name(name, names_),
                             .material = material,
                             .lower = {0, 0, height_},
                             .upper = {sink_, sink_, height_ + thickness},
                             .origin = origin});
    height_ += thickness;
  }

  /// A square or a die in the middle of the level on top.
  void add_middle(const std::string& name, const std::string& material, double width, double depth,
                  const std::string& origin) {
    const auto level = stack_.blocks.back();
    stack_.blocks.push_back({.name = unique_name(name, names_),
                             .material = material,
                             .lower = {(sink_ - width) / 2, (sink_ - depth) / 2, level.lower[2]},
                             .upper = {(sink_ + width) / 2, (sink_ + depth) / 2, level.upper[2]},
                             .origin = origin});
  }

  void add_layer(const HotspotLayer& layer, const std::vector<HotspotBlock>& blocks,
                 std::size_t number) {
    const auto& origin = layer.properties.origin;
    const auto name = fmt::format("layer_{}", number);
    add_level(name + "_gap", "gap", layer.thickness, 1, origin);
    const double lower = stack_.blocks.back().lower[2], upper = height_;
    add_middle(name, add_material(name, layer.properties), die_[0], die_[1], origin);
    for (const auto& block : blocks) {
      if (!layer.heated && !block.properties) continue;
      StackBlock part{
          .name = unique_name(plain_name(fmt::format("{}_{}", name, block.name)), names_),
          .material = "",
          .lower = corner(block.x, block.y, lower),
          .upper = corner(block.x + block.width, block.y + block.height, upper),
          .origin = fmt::format("{}:{}", layer.floorplan.filename().string(), block.line)};
      if (block.properties) part.material = add_material(name, *block.properties);
      if (layer.heated) part.power = power_of(layer, block);
      stack_.blocks.push_back(std::move(part));
    }
  }

  std::vector<double> power_of(const HotspotLayer& layer, const HotspotBlock& block) {
    const auto found = powers_.find(block.name);
    if (found == powers_.end())
      refuse(layer.floorplan, block.line,
             {block.name + " has no power", files_.powers.string() + " has no column of that name",
              "add one"});
    used_.push_back(block.name);
    const auto& trace = found->second;
    if (!steady_) return trace;
    return {std::accumulate(trace.begin(), trace.end(), 0.0) / static_cast<double>(trace.size())};
  }

  void add_powers(const std::vector<HotspotLayer>& layers) {
    for (const auto& [name, trace] : powers_) {
      if (std::ranges::find(used_, name) != used_.end()) continue;
      refuse(files_.powers, 1,
             {name + " is in no floorplan of a layer that is heated",
              fmt::format("{} layers were read", layers.size()),
              "correct the name, or remove the column"});
    }
  }

  void add_package() {
    const double thickness = config_.positive("t_spreader"), thick = config_.positive("t_sink");
    const auto spreader = part("spreader");
    add_level("spreader_gap", "gap", thickness, 2, spreader.origin);
    add_middle("spreader", add_material("spreader", spreader), spreader_, spreader_,
               spreader.origin);
    auto sink = part("sink");
    resistance_ = config_.positive("r_convec");
    if (!steady_) sink.name = "sink";  // no longer as the file has it
    if (!steady_) sink.heat_capacity += config_.positive("c_convec") / (sink_ * sink_ * thick);
    add_level("sink", add_material("sink", sink), thick, 4, sink.origin);
    capacity_ = sink.heat_capacity * sink_ * sink_ * thick +
                spreader.heat_capacity * spreader_ * spreader_ * thickness;
    stack_.sinks[1] = {1 / (resistance_ * sink_ * sink_), config_.positive("ambient")};
  }

  void set_times() {
    if (!steady_) {
      stack_.slot = config_.positive("sampling_intvl");
      stack_.initial = config_.positive("init_temp");
      stack_.end = *stack_.slot * static_cast<double>(powers_.begin()->second.size());
      return;
    }
    constexpr double settled = 20;  // of the time in which the sink's temperature settles
    stack_.end = settled * capacity_ * resistance_;
    double power = 0;
    for (const auto& block : stack_.blocks) power += block.power.empty() ? 0 : block.power.front();
    stack_.initial = config_.positive("ambient") + power * resistance_;
  }

  const HotspotFiles& files_;
  bool steady_;
  HotspotConfig config_;
  std::map<std::string, HotspotProperties> materials_;
  std::map<std::string, std::vector<double>> powers_;
  std::vector<std::vector<HotspotBlock>> floorplans_;  ///< of the layers
  Stack stack_;
  double sink_ = 0, spreader_ = 0;         ///< their lengths [m]
  std::array<double, 2> lower_{}, die_{};  ///< corner and lengths of the die [m]
  double height_ = 0;                      ///< of the levels so far [m]
  double resistance_ = 0, capacity_ = 0;   ///< [K/W], [J/K]
  std::map<std::string, int> names_, material_names_;
  std::vector<std::string> used_;
};

}  // namespace

Stack import_hotspot(const HotspotFiles& files, bool steady) {
  return Conversion(files, steady).convert();
}

}  // namespace halotherm::app
