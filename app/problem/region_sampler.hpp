// SPDX-License-Identifier: MIT
// Materials and sources of a configuration's regions as coefficients on a box.
#pragma once

#include "app/problem/region_map.hpp"
#include "app/problem/region_quantities.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace halotherm::app {

/// A source that changes with time or with the temperature, in all cells of a box or in those of
/// some regions.
struct ChangingSource {
  SamplePoints points;    ///< the cells; without owners, the one part holds in all of them
  OwnedQuantities parts;  ///< those that change
  std::optional<solver::FormulaFactors> factors;  ///< of the one part, if it is a product
  /// of each part, between which values T counts in its formula [K]
  std::vector<solver::Bounds> temperatures{};
  /// by how much q falls at most with T, relative to rho c, in any cell of the block [1/s]
  double fall = 0;
  /// q that does not change, one for each cell, which is added to the parts [W/m³]; or empty
  std::vector<double> added{};
};

/// The largest K that the material of a cell has along an axis [W/(m K)], of coefficients with one
/// value a cell.
double largest_conductivity(const solver::AnyMaterial& material, std::size_t cell, int axis);
/// The smallest rho c that the material of a cell has [J/(m³ K)].
double smallest_capacity(const solver::AnyMaterial& material, std::size_t cell);

/// Samples on one box. A coefficient is one number if it is the same in all cells of all ranks.
class RegionSampler {
 public:
  /// Collective. `owned`: this rank's cells of the grid, which `box` holds. Throws CollectiveError.
  RegionSampler(const FieldSampler& sampler, const Config& config, const comm::Box& box,
                const comm::Box& owned);

  /// Collective. Throws CollectiveError, naming the key, as FieldSampler::cells. The source is that
  /// of time 0 and of the initial temperature; it is 0 if it is a product (source_factors).
  solver::AnyMaterial material();
  solver::Coefficient density();
  solver::Coefficient source();
  /// Collective. None if no source changes. `material`: of the box.
  std::optional<ChangingSource> changing_source(const solver::AnyMaterial& material) const;

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
  solver::Coefficient fixed_source() { return source_factors(config_) ? 0.0 : source(); }
  solver::Material constant_material();
  solver::TabulatedMaterial tabulated_material();
  solver::Coefficient sampled(const OwnedQuantities& all,
                              const std::shared_ptr<const Owners>& owners, Range range);
  OwnedQuantities used(const OwnedQuantities& all, const Owners& owners) const;
  const std::vector<double>& initial_temperatures();
  solver::Coefficient everywhere(const OwnedQuantity& part);
  void add_values(const OwnedQuantity& part, const std::shared_ptr<const Owners>& owners,
                  Range range, std::vector<double>& values);
  SampledQuantity sampled_part(const OwnedQuantity& part,
                               const std::shared_ptr<const Owners>& owners, Range range) const;
  double fall_over_capacity(const ChangingSource& source,
                            const solver::AnyMaterial& material) const;

  const FieldSampler& sampler_;
  const Config& config_;
  comm::Box box_, owned_;
  RegionMap map_;
  std::shared_ptr<const Owners> materials_, sources_;
  std::vector<double> initial_temperatures_;  ///< where a source depends on T; one, or of each cell
  std::vector<io::InputChecksum> inputs_;
};

}  // namespace halotherm::app
