// SPDX-License-Identifier: MIT
#include "app/config/axes.hpp"

#include "app/config/description.hpp"
#include "app/config/key_rules.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halotherm::app {

using io::YamlNode;

namespace {

/// Differences of widths that are due to rounding, of the width.
constexpr double rounding = 1e-9;

/// An axis by itself: with faces if it is uneven.
struct ResolvedAxis {
  int cells;
  double lower, upper;
  std::vector<double> faces;
};

std::vector<double> faces_of(const AxisConfig& axis) {
  if (!axis.faces.positions.empty()) return axis.faces.positions;
  std::vector<double> faces{axis.lower.value_or(0)};
  for (const auto& [thickness, cells] : axis.layers) {
    const double begin = faces.back();
    for (int n = 1; n < cells; ++n) faces.push_back(begin + n * thickness / cells);
    faces.push_back(begin + thickness);
  }
  return faces;
}

bool is_even(const ResolvedAxis& axis) {
  const double width = (axis.upper - axis.lower) / axis.cells;
  for (std::size_t n = 0; n < axis.faces.size(); ++n) {
    const double even = axis.lower + static_cast<double>(n) * width;
    if (std::abs(axis.faces[n] - even) > rounding * width) return false;
  }
  return true;
}

class AxisCheck {
 public:
  AxisCheck(const YamlNode& node, io::YamlReader& yaml) : node_(node), yaml_(yaml) {}

  std::optional<ResolvedAxis> resolved(const AxisConfig& axis) {
    const int ways = (axis.cells ? 1 : 0) + (axis.layers.empty() ? 0 : 1) +
                     (axis.faces.positions.empty() ? 0 : 1);
    if (ways == 0 && node_.is(YamlNode::Kind::map) && !is_given("cells") && !is_given("layers") &&
        !is_given("faces")) {
      yaml_.fail(node_, {"has no cells", "one of cells, layers and faces divides the axis",
                         "add one, for example cells: 80"});
    }
    if (ways != 1) return std::nullopt;
    return axis.cells ? of_cells(axis) : of_faces(axis);
  }

 private:
  bool is_given(const std::string& key) { return yaml_.find(node_, key) != nullptr; }

  std::optional<ResolvedAxis> of_cells(const AxisConfig& axis) {
    if (!axis.upper) return std::nullopt;  // reported by the reader
    const ResolvedAxis result{
        static_cast<int>(*axis.cells), axis.lower.value_or(0), *axis.upper, {}};
    if (!(result.lower < result.upper)) {
      yaml_.fail(*yaml_.find(node_, "upper"),
                 {"is " + io::to_text(result.upper),
                  "must be above the lower end, " + io::to_text(result.lower),
                  "exchange the two ends or move one"});
      return std::nullopt;
    }
    const double width = (result.upper - result.lower) / result.cells;
    if (!resolves(result.lower, width) || !resolves(result.upper, width)) return std::nullopt;
    return result;
  }

  std::optional<ResolvedAxis> of_faces(const AxisConfig& axis) {
    double cells = 0;
    for (const auto& layer : axis.layers) cells += layer.cells;
    if (cells > most_uneven_cells) {
      yaml_.fail(*yaml_.find(node_, "layers"), {"is " + io::to_text(cells) + " cells in all",
                                                "must be at most 2^20", "take fewer cells"});
      return std::nullopt;
    }
    auto faces = faces_of(axis);
    for (std::size_t n = 1; n < faces.size(); ++n) {
      if (!resolves(faces[n], faces[n] - faces[n - 1])) return std::nullopt;
    }
    ResolvedAxis result{static_cast<int>(faces.size()) - 1, faces.front(), faces.back(), {}};
    result.faces = std::move(faces);
    if (is_even(result)) result.faces.clear();
    return result;
  }

  bool resolves(double position, double width) {
    if (!unresolved(position, width)) return true;
    yaml_.fail(node_, {"gives a cell of " + io::to_text(width) + " m",
                       "floating-point numbers do not resolve it", "choose other ends or widths"});
    return false;
  }

  const YamlNode& node_;
  io::YamlReader& yaml_;
};

}  // namespace

std::optional<std::vector<GridLayer>> read_layers(io::YamlReader& yaml, const YamlNode& node,
                                                  const std::string& needed) {
  std::vector<GridLayer> layers;
  if (node.is(YamlNode::Kind::list)) {
    for (const auto& child : node.children) {
      if (!child.is(YamlNode::Kind::list) || child.children.size() != 2) {
        yaml.fail_needed(child, "a pair such as [2e-6, 4]: thickness and number of cells");
        return std::nullopt;
      }
      const auto thickness = yaml.number(child.children[0], positive, "a thickness above 0");
      const auto cells = yaml.whole_number(child.children[1], {.min = 1, .max = most_uneven_cells},
                                           "a number of cells from 1 to 2^20");
      if (!thickness || !cells) return std::nullopt;
      layers.push_back({*thickness, static_cast<int>(*cells)});
    }
  }
  if (!layers.empty()) return layers;
  yaml.fail_needed(node, needed);
  return std::nullopt;
}

std::optional<std::vector<double>> read_faces(io::YamlReader& yaml, const YamlNode& node,
                                              const std::string& needed) {
  if (!node.is(YamlNode::Kind::list) || node.children.size() < 2 ||
      static_cast<double>(node.children.size()) > most_uneven_cells) {
    yaml.fail_needed(node, needed);
    return std::nullopt;
  }
  std::vector<double> faces;
  for (const auto& child : node.children) {
    const auto face = yaml.number(child, {}, "a number");
    if (!face) return std::nullopt;
    if (!faces.empty() && !(faces.back() < *face)) {
      yaml.fail(child, {"is " + io::to_text(*face),
                        "must be above the face before, " + io::to_text(faces.back()),
                        "give the faces in ascending order"});
      return std::nullopt;
    }
    faces.push_back(*face);
  }
  return faces;
}

bool unresolved(double position, double width) {
  return !std::isnormal(1 / (width * width)) || position + width == position ||
         position - width == position;
}

void resolve_axes(GridConfig& grid, io::YamlReader& yaml) {
  if (!grid.axes[0] || yaml.find("grid.cells") != nullptr) return;
  std::vector<ResolvedAxis> resolved;
  std::size_t given = 0;
  for (; given < 3 && grid.axes[given]; ++given) {
    const auto* node = yaml.find(std::string("grid.") + axis_names[given]);
    if (auto axis = AxisCheck(*node, yaml).resolved(*grid.axes[given]))
      resolved.push_back(std::move(*axis));
  }
  if (resolved.size() != given) return;
  for (std::size_t n = 0; n < given; ++n) {
    auto& [cells, lower, upper, faces] = resolved[n];
    grid.cells.push_back(cells);
    grid.lower.push_back(lower);
    grid.upper.push_back(upper);
    if (!faces.empty())
      grid.faces[n] = std::make_shared<const std::vector<double>>(std::move(faces));
  }
  if (grid.even()) grid.axes = {};
}

}  // namespace halotherm::app
