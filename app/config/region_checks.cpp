// SPDX-License-Identifier: MIT
#include "app/config/region_checks.hpp"

#include "app/config/material_tables.hpp"
#include "io/text/message_text.hpp"
#include "solver/formula/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace halotherm::app {

using io::YamlNode;

namespace {

std::vector<std::string> names_of(const std::vector<MaterialConfig>& materials) {
  std::vector<std::string> names;
  for (const auto& material : materials) names.push_back(material.name);
  return names;
}

/// Checks the name of a material, or of no material, at `node`.
void check_material(io::YamlReader& yaml, const YamlNode& node, const std::string& name,
                    const std::vector<std::string>& names) {
  if (name == void_material || std::ranges::find(names, name) != names.end()) return;
  const auto near = io::nearest(name, names);
  yaml.fail(node, {fmt::format("is \"{}\"", comm::shortened(name, 64)),
                   fmt::format("must be one of materials: {}", fmt::join(names, ", ")),
                   near ? "did you mean " + *near + "?" : "add it to materials"});
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
    if (!region_.material.empty())
      check_material(yaml_, *node_.find("material"), region_.material, names_);
    if (region_.material == void_material) check_heats_nothing();
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

  void check_heats_nothing() {
    for (const auto* key : {"source", "power"}) {
      const auto* node = node_.find(key);
      if (node == nullptr) continue;
      yaml_.fail_key(*node, {"is in a region of void", "void cells cannot be heated",
                             "remove it, or give it to a region of a material"});
    }
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
      if (child.is(YamlNode::Kind::scalar)) check_material(yaml_, child, child.text, names_);
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

void check_void_faces(const Config& config, io::YamlReader& yaml) {
  const std::string path = std::string("sides.") + void_material;
  if (!config.void_faces) return;
  if (!config.has_void()) {
    yaml.fail_key(*yaml.find(path), {"is given without void cells", "no region is of void",
                                     "remove it, or add a region with material: void"});
  }
}

/// Void without a shape leaves only what later regions put on top.
void check_void_everywhere(const Config& config, io::YamlReader& yaml) {
  for (std::size_t n = 0; n < config.regions.size(); ++n) {
    const auto& region = config.regions[n];
    if (region.material != void_material || region.has_shape()) continue;
    const auto has_material = [](const RegionConfig& later) {
      return later.labels || (!later.material.empty() && later.material != void_material);
    };
    if (std::any_of(config.regions.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                    config.regions.end(), has_material))
      continue;
    yaml.fail(*yaml.find("regions")->children[n].find("material"),
              {"is void everywhere", "no later region has a material, so no body is left",
               "give the region a shape, or add a region of a material after it"});
  }
}

void check_void(const Config& config, io::YamlReader& yaml) {
  if (std::ranges::find(config.materials, void_material, &MaterialConfig::name) !=
      config.materials.end()) {
    yaml.fail(std::string("materials.") + void_material,
              {"cannot be a material", "the name stands for no material at all", "rename it"});
  }
  check_void_faces(config, yaml);
  check_void_everywhere(config, yaml);
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

/// The materials of one contact, in an order of their own; none if they are not two.
std::optional<std::pair<std::string, std::string>> pair_of(const Config& config,
                                                           const ContactConfig& contact,
                                                           io::YamlReader& yaml,
                                                           const YamlNode& list) {
  const auto& [one, other] = contact.between;
  if (one.empty() || other.empty()) return std::nullopt;  // their mistake is reported already
  for (std::size_t n = 0; n < 2; ++n) {
    const auto& node = list.children[n];
    check_material(yaml, node, contact.between[n], names_of(config.materials));
    if (contact.between[n] != void_material) continue;
    yaml.fail(node, {"is void", "void cells are no part of the body",
                     "give sides.void a convection, of the coefficient 1/resistance"});
  }
  if (one != other) return std::minmax(one, other);
  yaml.fail(list, {"is twice \"" + one + "\"", "a contact is between two materials",
                   "give the parts materials of their own, with the same properties"});
  return std::nullopt;
}

void check_contacts(const Config& config, io::YamlReader& yaml) {
  const auto* list = yaml.find("contacts");
  if (list == nullptr || list->children.size() != config.contacts.size()) return;
  std::set<std::pair<std::string, std::string>> pairs;
  for (std::size_t n = 0; n < config.contacts.size(); ++n) {
    const auto* between = list->children[n].find("between");
    if (between == nullptr) continue;
    const auto pair = pair_of(config, config.contacts[n], yaml, *between);
    if (!pair || pairs.insert(*pair).second) continue;
    yaml.fail(*between, {"is a pair of an earlier contact", "each pair may be given once",
                         "remove one of the two"});
  }
}

/// Checks the range of T in a region's source, and that the source does not fall without bound.
void check_source(const Config& config, const RegionConfig& region, io::YamlReader& yaml,
                  const YamlNode& node) {
  if (!region.source) return;
  if (region.temperatures && !source_follows_temperature(*region.source)) {
    yaml.fail_key(*node.find("temperatures"),
                  {"is given without T in the source", "it is the range of T there", "remove it"});
  }
  if (std::isfinite(steepest_fall(config, region))) return;
  yaml.fail(
      *node.find("source"),
      {"may fall without bound as T rises", "no step would be short enough at every temperature",
       region.temperatures ? "correct the formula or narrow temperatures"
                           : "add temperatures: [LOWEST, HIGHEST], the range of T in it"});
}

}  // namespace

void check_regions(const Config& config, io::YamlReader& yaml) {
  const auto* list = yaml.find("regions");
  if (config.materials.empty()) return;
  if (list != nullptr && list->children.size() == config.regions.size()) {
    for (std::size_t n = 0; n < config.regions.size(); ++n) {
      const auto& node = list->children[n];
      if (!node.is(YamlNode::Kind::map)) continue;
      RegionCheck(config, config.regions[n], yaml, node).check();
      check_source(config, config.regions[n], yaml, node);
    }
    check_names(config.regions, yaml, *list);
  }
  check_void(config, yaml);
  check_use(config, yaml);
  check_contacts(config, yaml);
}

}  // namespace halotherm::app
