// SPDX-License-Identifier: MIT
#include "app/config/patches.hpp"

#include "app/config/description.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace halotherm::app {

using io::YamlNode;

namespace {

/// Slips of corners that are meant to be on a side of the domain, of its extent.
constexpr double tolerance = 1e-9;

/// The patches of one side.
class SideCheck {
 public:
  SideCheck(const GridConfig& grid, int axis, int end, io::YamlReader& yaml)
      : grid_(grid), axis_(axis), end_(end), yaml_(yaml) {}

  /// `list`: where they are given. Whether all are good.
  bool check(const std::vector<PatchConfig>& patches, const YamlNode& list) {
    bool good = true;
    for (std::size_t n = 0; n < patches.size(); ++n) {
      const auto& node = list.children[n];
      const auto& box = patches[n].box;
      if (box.lower.size() != grid_.cells.size() || box.upper.size() != grid_.cells.size())
        return false;  // reported by the reader
      good = check_name(patches, n, node) && good;
      good = check_corners(box, *node.find("box")) && check_faces(patches, n, node) && good;
    }
    return good;
  }

 private:
  bool check_name(const std::vector<PatchConfig>& patches, std::size_t n, const YamlNode& node) {
    for (std::size_t other = 0; other < n; ++other) {
      if (patches[n].name.empty() || patches[n].name != patches[other].name) continue;
      yaml_.fail(*node.find("name"),
                 {"is \"" + patches[n].name + "\", the name of an earlier patch",
                  "names must be unique on a side", "rename it"});
      return false;
    }
    return true;
  }

  bool check_corners(const BoxConfig& box, const YamlNode& node) {
    for (std::size_t a = 0; a < grid_.cells.size(); ++a) {
      if (const auto wrong = wrong_extent(box, a)) {
        yaml_.fail(node.find("upper")->children[a], *wrong);
        return false;
      }
    }
    return true;
  }

  std::optional<comm::ErrorText> wrong_extent(const BoxConfig& box, std::size_t a) const {
    const double lower = grid_.lower[a], upper = grid_.upper[a], slip = tolerance * (upper - lower);
    const auto extent = "spans " + io::to_text(box.lower[a]) + " to " + io::to_text(box.upper[a]);
    if (static_cast<int>(a) == axis_) {
      const double plane = end_ == 0 ? lower : upper;
      if (box.lower[a] <= plane + slip && plane - slip <= box.upper[a]) return std::nullopt;
      return comm::ErrorText{extent,
                             "the side " + side_name(axis_, end_) + " is at " + io::to_text(plane),
                             "move the box onto the side"};
    }
    if (!(box.lower[a] < box.upper[a]))
      return comm::ErrorText{extent, "must be above the lower corner", "exchange the two corners"};
    if (lower - slip <= box.lower[a] && box.upper[a] <= upper + slip) return std::nullopt;
    return comm::ErrorText{extent,
                           "the side spans " + io::to_text(lower) + " to " + io::to_text(upper),
                           "move the box onto the side"};
  }

  bool check_faces(const std::vector<PatchConfig>& patches, std::size_t n, const YamlNode& node) {
    const auto faces = cells_of(patches[n]);
    if (faces.empty()) {
      yaml_.fail(*node.find("box"), {"has no face of the grid", "none has its centre inside",
                                     "make the box larger or the cells smaller"});
      return false;
    }
    for (std::size_t other = 0; other < n; ++other) {
      const auto shared = comm::intersection(faces, cells_of(patches[other]));
      if (shared.empty()) continue;
      yaml_.fail(*node.find("box"),
                 {"overlaps the patch " + patches[other].name,
                  "they share " + std::to_string(shared.size()) + " faces", "move one of the two"});
      return false;
    }
    return true;
  }

  comm::Box cells_of(const PatchConfig& patch) const {
    return patch_cells(grid_, axis_, end_, patch.box);
  }

  const GridConfig& grid_;
  int axis_, end_;
  io::YamlReader& yaml_;
};

}  // namespace

void check_periodic(const Config& config, io::YamlReader& yaml) {
  for (int axis = 0; axis < config.dimensions(); ++axis) {
    const auto& sides = config.sides[axis];
    if (sides[0].periodic == sides[1].periodic) continue;
    const int end = sides[0].periodic ? 0 : 1;
    yaml.fail(
        "sides." + side_name(axis, end),
        {"is periodic and " + side_name(axis, 1 - end) + " is not", "both sides of an axis must be",
         std::string("write ") + axis_names[axis] + ": periodic for both sides"});
  }
}

void check_patches(const Config& config, io::YamlReader& yaml) {
  const auto& grid = config.grid;
  if (grid.lower.size() != grid.cells.size() || grid.upper.size() != grid.cells.size()) return;
  for (int axis = 0; axis < config.dimensions(); ++axis) {
    const auto* both = yaml.find(std::string("sides.") + axis_names[axis]);
    for (int end = 0; end < 2; ++end) {
      const auto& patches = config.sides[axis][end].patches;
      const auto a = static_cast<std::size_t>(axis);
      if (patches.empty() || !(grid.lower[a] < grid.upper[a])) continue;
      const auto* side = both != nullptr ? both : yaml.find("sides." + side_name(axis, end));
      const bool good = SideCheck(grid, axis, end, yaml).check(patches, *side->find("patches"));
      if (!good && both != nullptr) break;  // the other side would be reported at the same place
    }
  }
}

comm::Box patch_cells(const GridConfig& grid, int axis, int end, const BoxConfig& box) {
  comm::Box cells{{0, 0, 0}, {1, 1, 1}};
  for (int a = 0; a < static_cast<int>(grid.cells.size()); ++a) {
    const auto n = static_cast<std::size_t>(a);
    const int count = grid.cells[n];
    if (a == axis) {
      cells.lower[a] = end == 0 ? 0 : count - 1;
      cells.upper[a] = cells.lower[a] + 1;
      continue;
    }
    const double spacing = (grid.upper[n] - grid.lower[n]) / count;
    const auto* faces = grid.faces[n].get();
    const auto centre = [&](int cell) {
      const auto c = static_cast<std::size_t>(cell);
      return faces != nullptr ? 0.5 * ((*faces)[c] + (*faces)[c + 1])
                              : grid.lower[n] + (cell + 0.5) * spacing;
    };
    const auto first_from = [&](double corner) {
      int cell = static_cast<int>(std::clamp((corner - grid.lower[n]) / spacing, 0.0, 1.0 * count));
      if (faces != nullptr)
        cell = std::min(static_cast<int>(std::ranges::lower_bound(*faces, corner) - faces->begin()),
                        count);
      while (cell > 0 && centre(cell - 1) >= corner) --cell;
      while (cell < count && centre(cell) < corner) ++cell;
      return cell;
    };
    cells.lower[a] = first_from(box.lower[n]);
    cells.upper[a] = first_from(box.upper[n]);
  }
  return cells;
}

bool radiates(const Config& config) {
  const auto of_surface = [](const SurfaceConfig& surface) {
    return surface.radiation.has_value();
  };
  bool some = config.void_faces && of_surface(*config.void_faces);
  for (const auto& axis : config.sides) {
    for (const auto& side : axis)
      some = some || of_surface(side) || std::ranges::any_of(side.patches, of_surface);
  }
  return some;
}

}  // namespace halotherm::app
