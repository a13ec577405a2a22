// SPDX-License-Identifier: MIT
// The quantities of materials and regions, each with the cells that it may hold in.
#pragma once

#include "app/problem/sampled_quantity.hpp"
#include "solver/formula/separation.hpp"
#include "solver/material/materials.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::app {

/// A quantity as one owner of cells gives it.
struct OwnedQuantity {
  Owner owner = 0;  ///< index of a material, or of a region
  std::string key;  ///< "materials.copper.density"
  Quantity quantity;
};
using OwnedQuantities = std::vector<OwnedQuantity>;

/// No owner: a cell below all regions, or without a source.
inline constexpr Owner no_owner = 0xFFFF;
/// The material of void cells. Sampled coefficients are 1 there, until cut_out sets them.
inline constexpr Owner void_owner = 0xFFFE;

/// "regions[2]": the key of a region.
std::string region_key(std::size_t index);

/// Whether some region has a shape, so that materials or sources may differ between cells.
bool has_shapes(const Config& config);

/// Whether cells have the same size along all axes of the grid.
bool has_cubic_cells(const Config& config);

/// Whether the flux through void faces heats cells beside them as a source: some has no convection.
bool flux_is_source(const SurfaceConfig& void_faces);

/// The materials that cells may have; without shapes of regions, one.
std::vector<Owner> owners_of_materials(const Config& config);

/// The tables of these materials, in their order, where properties depend on the temperature.
std::vector<solver::MaterialTables> tables_of_materials(const Config& config);

/// The factor of K over time of each of these materials, if it has one.
using ConductivityFactors = std::vector<std::optional<SampledQuantity>>;
ConductivityFactors conductivity_factors(const Config& config);

/// The quantities of all materials that cells may have.
OwnedQuantities densities(const Config& config);
OwnedQuantities heat_capacities(const Config& config);
/// One list for all axes, or one an axis.
std::vector<OwnedQuantities> conductivities(const Config& config);
/// The sources of all regions that may heat cells, and 0 for `no_owner`. Powers
/// count as 0, or as what changes with time.
OwnedQuantities sources(const Config& config);

/// Whether their values may differ between cells.
bool vary(const OwnedQuantities& quantities);

/// The coefficients that may vary, by their place in the equation.
struct VaryingCoefficients {
  int conductivities = 0;
  bool capacity = false;
  bool source = false;
  bool material = false;   ///< the cells' materials, one byte each
  int faces = 0;           ///< axes of conductances of faces, beside contacts
  bool few_kinds = false;  ///< each is a number in a material or region, and these are few

  /// Those that are numbers.
  int count() const { return conductivities + faces + (capacity ? 1 : 0) + (source ? 1 : 0); }
};
VaryingCoefficients varying_coefficients(const Config& config);

/// Between which values x, y, z and t lie in the whole domain, at every time.
solver::VariableBounds variable_bounds(const Config& config);

/// The factors of a source of position and time that one formula gives everywhere, if it is a
/// product of factors along the axes (solver::separated).
std::optional<solver::FormulaFactors> source_factors(const Config& config);

/// Whether a source changes with time or with the temperature.
bool source_changes(const Config& config);

/// All quantities on the grid's cells with their keys: those above, the regions' labels, and the
/// initial temperature.
std::vector<std::pair<std::string, Quantity>> quantities_on_cells(const Config& config);

}  // namespace halotherm::app
