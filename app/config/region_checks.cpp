// SPDX-License-Identifier: MIT
#include "app/config/region_checks.hpp"

#include "io/text/message_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace halotherm::app {

using io::YamlNode;

namespace {

constexpr const char* void_name = "void";

std::vector<std::string> names_of(const std::vector<MaterialConfig>& materials) {
  std::vector<std::string> names;
  for (const auto& material : materials) names.push_back(material.name);
  return names;
}

/// Checks a region, whose place in the text is `node`.
class RegionCheck {
 public:
  RegionCheck(const Config& config, const RegionConfig& region, io::YamlReader& yaml,
              const YamlNode& node)
      : grid_(config.grid),
        names_(names_of(config.materials)),
        region_(region),
        yaml_(yaml),
        node_(node) {}

  void check() {
    check_contents();
    if (!region_.material.empty()) check_material(*node_.find("material"), region_.material);
    check_labels();
    if (region_.box) check_box(*region_.box);
    if (region_.layer) {
      check_axis("layer", region_.layer->axis, true);
      check_ends("layer", region_.layer->from, region_.layer->to);
    }
    if (region_.cylinder) {
      const bool has_end = region_.cylinder->from || region_.cylinder->to;
      check_axis("cylinder", region_.cylinder->axis, has_end);
      if (region_.cylinder->from && region_.cylinder->to)
        check_ends("cylinder", *region_.cylinder->from, *region_.cylinder->to);
    }
  }

 private:
  void check_contents() {
    if (region_.replaces_source()) return;
    for (const auto* key : {"material", "labels", "source", "power"}) {
      if (node_.find(key) != nullptr) return;  // its mistake is reported already
    }
    yaml_.fail_key(node_, {"changes nothing", "it has no material, labels, source or power",
                           "add one, or remove the region"});
  }

  void check_material(const YamlNode& node, const std::string& name) {
    if (name == void_name) {
      return yaml_.fail(node, {"is void", "cells cannot be cut out of the domain yet",
                               "use a material of small conductivity and heat capacity"});
    }
    if (std::ranges::find(names_, name) != names_.end()) return;
    const auto near = io::nearest(name, names_);
    yaml_.fail(node, {fmt::format("is \"{}\"", comm::shortened(name, 64)),
                      fmt::format("must be one of materials: {}", fmt::join(names_, ", ")),
                      near ? "did you mean " + *near + "?" : "add it to materials"});
  }

  void check_labels() {
    const auto* materials = node_.find("materials");
    if (region_.labels && materials == nullptr) {
      yaml_.fail_missing(node_, "materials", "labels need the material of each",
                         "add it, for example materials: {1: " + names_.front() + "}");
    }
    if (materials == nullptr) return;
    if (!region_.labels) {
      yaml_.fail_key(*materials, {"stands without labels", "it translates labels",
                                  "add labels, or write material: NAME"});
    }
    for (const auto& child : materials->children) {
      if (child.is(YamlNode::Kind::scalar)) check_material(child, child.text);
    }
  }

  void check_box(const BoxConfig& box) {
    for (std::size_t axis = 0; axis < std::min(box.lower.size(), box.upper.size()); ++axis) {
      if (box.lower[axis] < box.upper[axis]) continue;
      yaml_.fail(node_.find("box")->find("upper")->children[axis],
                 {"is " + io::to_text(box.upper[axis]),
                  "must be above the lower corner's " + io::to_text(box.lower[axis]),
                  "exchange the two corners or move one"});
    }
  }

  /// A shape with ends needs an axis that the grid has.
  void check_axis(const char* shape, Axis axis, bool has_end) {
    if (!has_end || static_cast<std::size_t>(axis) < grid_.cells.size()) return;
    const auto* node = node_.find(shape)->find("axis");
    if (node == nullptr) return;
    yaml_.fail(*node, {fmt::format("is {}, an axis that the grid does not have", node->text),
                       fmt::format("grid.cells has {} {}", grid_.cells.size(),
                                   grid_.cells.size() == 1 ? "number" : "numbers"),
                       "take another axis"});
  }

  void check_ends(const char* shape, double from, double to) {
    const auto* node = node_.find(shape)->find("to");
    if (node == nullptr || from < to) return;
    yaml_.fail(*node, {"is " + io::to_text(to), "must be above from = " + io::to_text(from),
                       "exchange the two or move one"});
  }

  const GridConfig& grid_;
  std::vector<std::string> names_;
  const RegionConfig& region_;
  io::YamlReader& yaml_;
  const YamlNode& node_;
};

void check_names(const std::vector<RegionConfig>& regions, io::YamlReader& yaml,
                 const YamlNode& list) {
  std::set<std::string> names;
  for (std::size_t n = 0; n < regions.size(); ++n) {
    const auto& name = regions[n].name;
    if (name.empty() || names.insert(name).second) continue;
    yaml.fail(*list.children[n].find("name"), {"is \"" + name + "\", the name of an earlier region",
                                               "names must be unique", "rename it"});
  }
}

void check_void(const Config& config, io::YamlReader& yaml) {
  if (std::ranges::find(config.materials, void_name, &MaterialConfig::name) ==
      config.materials.end())
    return;
  yaml.fail(std::string("materials.") + void_name,
            {"cannot be a material", "the name stands for no material at all", "rename it"});
}

/// A single material lies below all regions, so it is always used.
void check_use(const Config& config, io::YamlReader& yaml) {
  if (config.materials.size() < 2) return;
  std::set<std::string> used;
  for (const auto& region : config.regions) {
    used.insert(region.material);
    for (const auto& [label, name] : region.materials) used.insert(name);
  }
  for (const auto& material : config.materials) {
    if (used.contains(material.name)) continue;
    yaml.fail("materials." + material.name, {"is in no region", "regions place each material",
                                             "add a region of it, or remove it"});
  }
}

}  // namespace

void check_regions(const Config& config, io::YamlReader& yaml) {
  const auto* list = yaml.find("regions");
  if (config.materials.empty()) return;
  if (list != nullptr && list->children.size() == config.regions.size()) {
    for (std::size_t n = 0; n < config.regions.size(); ++n) {
      const auto& node = list->children[n];
      if (node.is(YamlNode::Kind::map)) RegionCheck(config, config.regions[n], yaml, node).check();
    }
    check_names(config.regions, yaml, *list);
  }
  check_void(config, yaml);
  check_use(config, yaml);
}

}  // namespace halotherm::app
