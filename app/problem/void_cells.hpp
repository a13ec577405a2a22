// SPDX-License-Identifier: MIT
// Cells that are cut out of the body, and the condition on the faces towards them.
#pragma once

#include "app/problem/field_sampler.hpp"
#include "app/problem/region_quantities.hpp"
#include "app/problem/sampled_side.hpp"
#include "solver/equation/temperature_bounds.hpp"
#include "solver/equation/void_faces.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace halotherm::app {

/// What a run needs of the void cells besides their coefficients.
struct VoidCells {
  bool exist = false;        ///< anywhere in the domain
  double body_volume = 0;    ///< of all cells that are not void, in units of the largest cell's
  double power_of_flux = 0;  ///< that void faces without convection let in, in the whole domain [W]
  std::vector<double> flux;  ///< the same as a source in each cell of the box [W/m³], or empty
  /// the condition of void faces whose flows heat the cells beside them, and these faces; none
  /// elsewhere
  std::optional<SampledSide> heating{};
  std::vector<solver::VoidFace> faces{};
  double fall = 0;  ///< by how much these flows fall at most with T, relative to rho c [1/s]
  /// the temperature [K] of each void cell of the block, by its place in it, x fastest; empty where
  /// no condition gives one
  std::vector<std::pair<std::size_t, double>> temperatures;
  solver::TemperatureBounds bounds{};  ///< of the condition in the void cells of the block

  /// `values`: of the block, x fastest.
  template <class Real>
  void set_temperatures(std::span<Real> values) const {
    for (const auto& [place, temperature] : temperatures)
      values[place] = static_cast<Real>(temperature);
  }
};

/// Collective. Gives the void cells of `material`, as sampled on `box`, the coefficients that make
/// the stencil compute the condition `sides.void` at the faces of the body: an infinite heat
/// capacity, so that they keep their temperature, and a conductivity of which half a cell has the
/// conductance of the condition, or, beside tables, a contact of that conductance. A flux beside
/// convection adds flux/coefficient to the ambient temperature; a flux alone is a source, and so
/// are all flows where the condition changes with time, radiates or varies beside tables.
/// `materials`: of the cells of `box`, or one for all. `owned`: this rank's cells. Throws
/// CollectiveError (usage).
VoidCells cut_out(const FieldSampler& sampler, const Config& config, const comm::Box& box,
                  const comm::Box& owned, const std::shared_ptr<const Owners>& materials,
                  solver::AnyMaterial& material);

/// Collective. Throws CollectiveError (usage) if a sensor is in a void cell.
void refuse_void_sensors(const FieldSampler& sampler, const Config& config);

}  // namespace halotherm::app
