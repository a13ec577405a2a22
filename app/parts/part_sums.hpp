// SPDX-License-Identifier: MIT
// Volume, heat capacity and flows of some parts of the body, as sums over their cells.
#pragma once

#include "app/parts/body_scan.hpp"
#include "app/parts/part_merging.hpp"

namespace halotherm::app {

/// Of one part; exact sums, which do not depend on the partition.
struct PartSums {
  std::int64_t cells = 0;
  double volume = 0;                ///< [m³]
  double capacity = 0;              ///< at the initial temperature [J/K]
  double source = 0;                ///< of the sources at the start [W]
  std::vector<double> flux;         ///< into it through each of `surface_names` [W]
  std::vector<bool> has_materials;  ///< of Config::materials
};

/// Collective. The sums of the parts with these first cells, in two passes. `config`: with the
/// sources per volume of regions that have a power. `facts`: of the labels of a scan of this rank's
/// block, as merged.
std::vector<PartSums> sum_parts(const FieldSampler& sampler, const Config& config,
                                const comm::Box& owned, const std::vector<PartFacts>& facts,
                                const std::vector<std::int64_t>& first_cells);

}  // namespace halotherm::app
