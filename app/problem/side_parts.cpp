// SPDX-License-Identifier: MIT
#include "app/problem/side_parts.hpp"

#include "app/config/description.hpp"
#include "app/config/patches.hpp"
#include "app/problem/region_quantities.hpp"

#include <string>
#include <utility>

namespace halotherm::app {

namespace {

/// The ghost cells outside of cells at a side.
comm::Box outside_of(const comm::Box& cells, const solver::Side& side) {
  comm::Int3 outward{0, 0, 0};
  outward[side.axis] = side.end == 0 ? -1 : 1;
  return comm::shifted(cells, outward);
}

}  // namespace

std::vector<solver::Side> sides_of(const Config& config, const solver::Grid& grid,
                                   const comm::Box& owned) {
  std::vector<solver::Side> sides;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const bool periodic = config.sides[static_cast<std::size_t>(axis)][0].periodic;
    if (!periodic && owned.lower[axis] == 0) sides.push_back({axis, 0});
    if (!periodic && owned.upper[axis] == grid.cells[axis]) sides.push_back({axis, 1});
  }
  return sides;
}

comm::Box inside_of(const comm::Box& ghosts, const solver::Side& side) {
  comm::Int3 inward{0, 0, 0};
  inward[side.axis] = side.end == 0 ? 1 : -1;
  return comm::shifted(ghosts, inward);
}

std::vector<SidePart> parts_of_side(const FieldSampler& sampler, const Config& config,
                                    const solver::Side& side, const comm::Box& owned) {
  const auto& of_side =
      config.sides[static_cast<std::size_t>(side.axis)][static_cast<std::size_t>(side.end)];
  const auto key = "sides." + side_name(side.axis, side.end);
  const auto layer = solver::Boundary<double>::ghost_layer(owned, side);
  std::vector<SidePart> parts;
  const auto add = [&](const std::string& name, const SurfaceConfig& surface,
                       const comm::Box& faces, std::size_t number) {
    if (faces.empty()) return;
    if (faces == layer) parts.clear();  // nothing shows of what is below
    const auto sample = [&](const std::string& of_quantity, const Quantity& quantity, Range range) {
      return sampler.on_faces(of_quantity, quantity, faces, side, range);
    };
    parts.push_back({faces, SampledSide(name, surface, sample), number});
  };
  add(key, of_side, layer, 0);
  for (std::size_t n = 0; n < of_side.patches.size(); ++n) {
    const auto cells = patch_cells(config.grid, side.axis, side.end, of_side.patches[n].box);
    add(key + ".patches[" + std::to_string(n) + "]", of_side.patches[n],
        comm::intersection(outside_of(cells, side), layer), n + 1);
  }
  return parts;
}

SampledSide void_condition(const FieldSampler& sampler, const Config& config, const comm::Box& box,
                           const std::shared_ptr<const Owners>& materials) {
  const auto faces = config.void_faces.value_or(SurfaceConfig{});
  auto side = SampledSide(std::string("sides.") + void_material, faces,
                          [&](const std::string& key, const Quantity& quantity, Range range) {
                            auto points = sampler.points_of_cells(box);
                            points.owners = materials;
                            points.owner = void_owner;
                            return SampledQuantity(key, quantity, std::move(points), range);
                          });
  side.evaluate(0);
  return side;
}

}  // namespace halotherm::app
