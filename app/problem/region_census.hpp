// SPDX-License-Identifier: MIT
// How many cells each region has, and what they weigh and make.
#pragma once

#include "app/problem/field_sampler.hpp"

#include <limits>

namespace halotherm::app {

/// The cells of one region, all ranks together.
struct RegionCount {
  std::string name;          ///< its own, or "regions[2]"
  std::string material;      ///< "" if it keeps what lies below; the labels' are "labels"
  std::int64_t inside = 0;   ///< cells of its shape
  std::int64_t cells = 0;    ///< that have its material, or its source if it has no material
  std::int64_t heated = 0;   ///< that have its source
  double volume = 0;         ///< of `cells` [m³]
  double heated_volume = 0;  ///< of `heated` [m³]
  double mass = 0;           ///< of those that have its material [kg]
  double power = 0;          ///< of its source at the start [W]
};

struct RegionCensus {
  std::vector<RegionCount> regions;
  std::int64_t body_cells = 0;  ///< that are not void
  double counted = 1;           ///< share of the grid's cells
};

/// Collective. Counts piece by piece, so that a grid may be larger than the memory, and stops after
/// `budget` [s]. Masses and powers are 0 unless `values`, which evaluates formulas and reads data
/// sets. Throws CollectiveError.
RegionCensus count_regions(const FieldSampler& sampler, const Config& config,
                           const comm::Box& owned, double budget, bool values);

/// Collective. The configuration with the sources per volume of regions that have a power in total.
/// Throws CollectiveError (usage) if a region has no cell, or one with a power heats none, if all
/// cells are void, if a sensor is in one that is, or if materials in contact do not touch. Of grids
/// that take longer than `budget` [s] to count, densities are estimated.
Config with_source_densities(const FieldSampler& sampler, const Config& config,
                             const comm::Box& owned,
                             double budget = std::numeric_limits<double>::infinity());

/// The table that `check` prints; "" if no region has a shape.
std::string to_string(const RegionCensus& census);

}  // namespace halotherm::app
