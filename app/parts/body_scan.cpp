// SPDX-License-Identifier: MIT
#include "app/parts/body_scan.hpp"

#include "app/config/description.hpp"
#include "comm/partition/contiguous_parts.hpp"
#include "comm/system/stopwatch.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

constexpr std::int64_t piece_cells = 1 << 20;  ///< that are visited at once

bool cuts_out(const Config& config) {
  return config.has_void() && has_shapes(config);
}

/// The position in `surface_names` of a side's own condition.
std::size_t first_surface(const Config& config, const solver::Side& side) {
  std::size_t first = 0;
  for (int axis = 0; axis < config.dimensions(); ++axis) {
    for (int end = 0; end < 2; ++end) {
      if (axis == side.axis && end == side.end) return first;
      const auto& of_side =
          config.sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(end)];
      first += 1 + of_side.patches.size();
    }
  }
  return first;
}

}  // namespace

std::vector<std::string> surface_names(const Config& config) {
  std::vector<std::string> names;
  for (int axis = 0; axis < config.dimensions(); ++axis) {
    for (int end = 0; end < 2; ++end) {
      const auto name = side_name(axis, end);
      names.push_back(name);
      const auto& of_side =
          config.sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(end)];
      for (const auto& patch : of_side.patches) names.push_back(name + "_" + patch.name);
    }
  }
  names.emplace_back(void_material);
  return names;
}

BodyScan::BodyScan(const FieldSampler& sampler, const Config& config, const comm::Box& owned)
    : sampler_(sampler), config_(config), owned_(owned), labels_(owned) {}

bool BodyScan::visit_pieces(double budget, const Visit& visit) {
  const comm::ContiguousParts pieces(owned_, piece_cells);
  const auto count = pieces.count();
  const auto ghosts = sampler_.grid.ghosts(cuts_out(config_) ? 1 : 0);
  const comm::Stopwatch stopwatch;
  labels_ = PartLabels(owned_);
  for (std::int64_t number = 0; number < sampler_.world.max(count); ++number) {
    if (number > 0 && sampler_.world.max(stopwatch.seconds()) > budget) return false;
    const auto box = pieces[std::min(number, count - 1)];
    const auto sampled = comm::grown(box, ghosts, ghosts);
    RegionSampler regions(sampler_, config_, sampled, box);
    std::vector<int> labels;
    PieceOfBody piece{box, sampled, regions, labels, number < count};
    if (piece.mine) {
      std::vector<char> in_body(static_cast<std::size_t>(box.size()), 1);
      if (cuts_out(config_))
        piece.for_each([&](std::size_t n, std::size_t place, const comm::Int3&) {
          in_body[n] = (*regions.materials())[place] == void_owner ? 0 : 1;
        });
      labels = labels_.add(box, in_body);
    }
    visit(piece);
  }
  return true;
}

double BodyScan::volume(const comm::Int3& cell) const {
  const auto& grid = sampler_.grid;
  return grid.width(0, cell[0]) * grid.width(1, cell[1]) * grid.width(2, cell[2]);
}

void BodyScan::visit_faces(const PieceOfBody& piece,
                           const std::function<void(const OuterFace&)>& visit) const {
  visit_sides(piece, visit);
  if (cuts_out(config_)) visit_void_faces(piece, visit);
}

void BodyScan::visit_sides(const PieceOfBody& piece,
                           const std::function<void(const OuterFace&)>& visit) const {
  for (const auto& side : sides_of(config_, sampler_.grid, piece.box)) {
    auto parts = parts_of_side(sampler_, config_, side, piece.box);
    const auto layer = inside_of(solver::Boundary<double>::ghost_layer(piece.box, side), side);
    std::vector<std::size_t> on_top(static_cast<std::size_t>(layer.size()), 0);
    for (std::size_t n = 0; n < parts.size(); ++n) {
      parts[n].values.evaluate(0.0);
      for_cells(inside_of(parts[n].faces, side), [&](int i, int j, int k) {
        on_top[place_in(layer, {i, j, k})] = n;
      });
    }
    for_cells(layer, [&](int i, int j, int k) {
      const auto& [faces, values, number] = parts[on_top[place_in(layer, {i, j, k})]];
      const auto cell = place_in(piece.box, {i, j, k});
      if (piece.labels[cell] == PartLabels::none) return;
      const int along = side.axis == 0 ? i : side.axis == 1 ? j : k;
      visit({cell, volume({i, j, k}) / sampler_.grid.width(side.axis, along), values,
             place_in(inside_of(faces, side), {i, j, k}), first_surface(config_, side) + number});
    });
  }
}

void BodyScan::visit_void_faces(const PieceOfBody& piece,
                                const std::function<void(const OuterFace&)>& visit) const {
  const auto& materials = piece.regions.materials();
  const auto condition = void_condition(sampler_, config_, piece.sampled, materials);
  if (condition.is_insulated()) return;
  const auto surface = surface_names(config_).size() - 1;
  for_cells(piece.box, [&](int i, int j, int k) {
    const auto cell = place_in(piece.box, {i, j, k});
    if (piece.labels[cell] == PartLabels::none) return;
    for (int axis = 0; axis < sampler_.grid.dimensions; ++axis) {
      for (const int way : {-1, 1}) {
        comm::Int3 beyond{i, j, k};
        beyond[axis] += way;
        const auto point = place_in(piece.sampled, beyond);
        if ((*materials)[point] != void_owner) continue;
        const double area = volume({i, j, k}) / sampler_.grid.width(axis, axis == 0   ? i
                                                                          : axis == 1 ? j
                                                                                      : k);
        visit({cell, area, condition, point, surface});
      }
    }
  });
}

}  // namespace halotherm::app
