// SPDX-License-Identifier: MIT
// Materials and sources of a configuration's regions as coefficients on a box.
#pragma once

#include "app/problem/region_map.hpp"
#include "app/problem/region_quantities.hpp"

#include <memory>
#include <utility>

namespace halotherm::app {

/// A source that changes with time, in all cells or in those of some regions.
class ChangingSource {
 public:
  /// Everywhere.
  explicit ChangingSource(SampledQuantity everywhere);
  /// In the cells of the owners of `parts`; elsewhere `values` stay.
  ChangingSource(std::vector<double> values, std::shared_ptr<const Owners> owners,
                 std::vector<std::pair<Owner, SampledQuantity>> parts);

  /// Adds `fixed` [W/m³], one for each cell, to what changes; `values` have it already.
  void add(std::vector<double> fixed) { added_ = std::move(fixed); }
  /// q [W/m³] at time t [s], x fastest, or one value if it holds in all cells. Valid until the next
  /// call. Allocates nothing. Throws Error (usage) as SampledQuantity::at.
  std::span<const double> at(double time);

 private:
  std::vector<double> values_;  ///< empty if one part holds everywhere
  std::vector<double> added_;   ///< empty if nothing was
  std::shared_ptr<const Owners> owners_;
  std::vector<std::pair<Owner, SampledQuantity>> parts_;
};

/// Samples on one box. A coefficient is one number if it is the same in all cells of all ranks.
class RegionSampler {
 public:
  /// Collective. `owned`: this rank's cells of the grid, which `box` holds. Throws CollectiveError.
  RegionSampler(const FieldSampler& sampler, const Config& config, const comm::Box& box,
                const comm::Box& owned);

  /// Collective. Throws CollectiveError, naming the key, as FieldSampler::cells.
  solver::AnyMaterial material();
  solver::Coefficient density();
  solver::Coefficient source();
  /// `start`: the result of `source`.
  std::optional<ChangingSource> changing_source(const solver::Coefficient& start) const;

  /// The number of cells of each region's shape.
  const std::vector<std::int64_t>& inside() const { return map_.cells; }
  /// The regions of the materials and of the sources, one for each cell, or for all.
  const Owners& regions() const { return map_.region; }
  const Owners& source_regions() const { return *sources_; }
  /// Indices into Config::materials, or `void_owner`.
  const std::shared_ptr<const Owners>& materials() const { return materials_; }
  /// The checksums of the data sets that were read.
  std::vector<io::InputChecksum> inputs() && { return std::move(inputs_); }

 private:
  solver::Material constant_material();
  solver::TabulatedMaterial tabulated_material();
  solver::Coefficient sampled(const OwnedQuantities& all,
                              const std::shared_ptr<const Owners>& owners, Range range);
  OwnedQuantities used(const OwnedQuantities& all, const Owners& owners) const;
  void add_values(const OwnedQuantity& part, const std::shared_ptr<const Owners>& owners,
                  Range range, std::vector<double>& values);
  SampledQuantity sampled_part(const OwnedQuantity& part,
                               const std::shared_ptr<const Owners>& owners, Range range) const;

  const FieldSampler& sampler_;
  const Config& config_;
  comm::Box box_, owned_;
  RegionMap map_;
  std::shared_ptr<const Owners> materials_, sources_;
  std::vector<io::InputChecksum> inputs_;
};

}  // namespace halotherm::app
