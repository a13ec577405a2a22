// SPDX-License-Identifier: MIT
// Which region gives each cell its material and its source.
#pragma once

#include "app/problem/field_sampler.hpp"
#include "app/problem/region_quantities.hpp"

#include <cstdint>
#include <vector>

namespace halotherm::app {

/// The materials and sources of the cells of a box, x fastest. Cells beyond the domain are those of
/// the nearest cell inside, or of the other end of a periodic axis.
struct RegionMap {
  Owners material;  ///< indices into Config::materials, or `void_owner`
  Owners region;    ///< of the material, into Config::regions; `no_owner` below all of them
  Owners source;    ///< the regions of the sources; `no_owner` where there is none, and in void
  std::vector<std::int64_t> cells;  ///< of each region's shape
};

/// Collective. Reads the regions' labels. Throws CollectiveError: usage if a cell has no material,
/// input_output if a label has none.
RegionMap map_regions(const FieldSampler& sampler, const Config& config, const comm::Box& box);

}  // namespace halotherm::app
