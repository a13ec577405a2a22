// SPDX-License-Identifier: MIT
#include "app/output/heat_balance.hpp"

#include "app/config/description.hpp"
#include "app/config/patches.hpp"
#include "app/domain/geometry.hpp"
#include "solver/diagnostics/exact_carry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace halotherm::app {

namespace {

/// The domain's cells next to a side.
comm::Box layer_at(const solver::Grid& grid, const solver::Side& side) {
  comm::Box cells{{0, 0, 0}, grid.cells};
  if (side.end == 0) {
    cells.upper[side.axis] = 1;
  } else {
    cells.lower[side.axis] = cells.upper[side.axis] - 1;
  }
  return cells;
}

double value_of(const solver::RateSum& sum, const solver::SumScale& scale) {
  return sum.lost > 0 ? std::numeric_limits<double>::quiet_NaN() : sum.sum.value(scale);
}

/// Collective. Combines the sums of all blocks.
void combine(const comm::Communicator& world, std::vector<solver::RateSum>& sums) {
  std::vector<std::int64_t> parts;
  for (const auto& [lost, of_block] : sums) {
    const auto sum = solver::carried(of_block);
    parts.push_back(lost > 0 ? 1 : 0);
    parts.insert(parts.end(), std::begin(sum.high), std::end(sum.high));
    parts.insert(parts.end(), std::begin(sum.low), std::end(sum.low));
  }
  world.sum(parts);
  auto part = parts.begin();
  for (auto& [lost, sum] : sums) {
    lost = static_cast<double>(*part++);
    for (auto& high : sum.high) high = *part++;
    for (auto& low : sum.low) low = *part++;
  }
}

}  // namespace

std::vector<FlowPlace> flow_places(const Config& config, const solver::Grid& grid) {
  const auto periodic = periodic_axes(config);
  std::vector<FlowPlace> places;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    for (int end = 0; end < 2 && !periodic[axis]; ++end) {
      const solver::Side side{axis, end};
      const auto name = side_name(axis, end);
      places.push_back({name, {side, layer_at(grid, side)}, false});
      for (const auto& patch : config.sides[axis][end].patches) {
        places.push_back({name + "_" + patch.name,
                          {side, patch_cells(config.grid, axis, end, patch.box)},
                          true});
      }
    }
  }
  if (config.has_void())
    places.push_back({void_material, {{}, {{0, 0, 0}, grid.cells}, true}, false});
  return places;
}

std::vector<solver::FlowPart> parts_of(const std::vector<FlowPlace>& places) {
  std::vector<solver::FlowPart> parts;
  for (const auto& place : places) parts.push_back(place.part);
  return parts;
}

double HeatBalance::magnitude() const {
  double largest = std::max(std::abs(source), std::abs(stored));
  for (const auto& side : sides) largest = std::max(largest, std::abs(side.power));
  return largest;
}

template <class Real>
HeatBalance reduce_balance(const comm::Communicator& world, const solver::Grid& grid,
                           const std::vector<FlowPlace>& places,
                           const solver::FlowSums<Real>& flows, double void_flux,
                           double heat_change) {
  auto [sums, source] = flows.collect();
  sums.push_back(source);
  combine(world, sums);

  const double volume = grid.largest_volume();
  const auto power = [&](const solver::RateSum& sum) {
    return value_of(sum, flows.scale()) * volume;
  };
  HeatBalance balance;
  balance.source =
      power(sums.back()) + flows.uniform_source() * grid.volume_in_cells() * volume - void_flux;
  balance.stored = heat_change / flows.dt();
  for (std::size_t n = 0; n < places.size(); ++n) {
    if (places[n].part.void_faces && flows.source_has_void_faces())
      balance.source -= power(sums[n]);
  }
  balance.missing = balance.stored - balance.source;
  for (std::size_t n = 0; n < places.size(); ++n) {
    const double flux = places[n].part.void_faces ? void_flux : 0;
    balance.sides.push_back({places[n].name, power(sums[n]) + flux});
    if (!places[n].is_patch) balance.missing -= balance.sides.back().power;
  }
  return balance;
}

template HeatBalance reduce_balance(const comm::Communicator&, const solver::Grid&,
                                    const std::vector<FlowPlace>&, const solver::FlowSums<float>&,
                                    double, double);
template HeatBalance reduce_balance(const comm::Communicator&, const solver::Grid&,
                                    const std::vector<FlowPlace>&, const solver::FlowSums<double>&,
                                    double, double);

}  // namespace halotherm::app
