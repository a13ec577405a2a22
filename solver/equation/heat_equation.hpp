// SPDX-License-Identifier: MIT
// rho c dT/dt = div(K grad T) + q: its coefficients on a block, and how long a step may be.
#pragma once

#include "solver/equation/void_heat.hpp"
#include "solver/field/axis_entries.hpp"
#include "solver/field/grid.hpp"
#include "solver/material/contacts.hpp"
#include "solver/medium/cell_kinds.hpp"
#include "solver/medium/medium.hpp"

#include <array>
#include <optional>
#include <variant>
#include <vector>

namespace halotherm::solver {

/// One number everywhere, or one per cell of the block grown by the ghost cells of the equation,
/// x fastest. Values in ghost cells beyond the domain should be those of the nearest cell
/// inside, beyond a periodic side those of the other end.
using Coefficient = std::variant<double, std::vector<double>>;

/// Coefficients in SI units as they come from a configuration.
struct Material {
  std::vector<Coefficient> conductivity;  ///< K [W/(m K)], > 0; one, or one an axis
  /// rho c [J/(m³ K)], > 0; infinite in void cells, which keep their temperature
  Coefficient volumetric_heat_capacity = 1.0;
  Coefficient source = 0.0;  ///< q [W/m³]
  Contacts contacts{};

  /// K along an axis [W/(m K)]
  const Coefficient& along(int axis) const {
    return conductivity[conductivity.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
  }
};

/// Coefficients of materials whose properties depend on the temperature.
struct TabulatedMaterial {
  std::vector<MaterialTables> materials;
  /// position in `materials` for each cell of the block grown by the ghost cells of the equation,
  /// x fastest, beyond the domain as in Coefficient; empty where all cells have the first
  std::vector<std::uint8_t> of_cell;
  Coefficient source = 0.0;                ///< q [W/m³]
  std::vector<Contacts::Pair> contacts{};  ///< between positions in `materials`
};

using AnyMaterial = std::variant<Material, TabulatedMaterial>;

/// q [W/m³]
const Coefficient& source_of(const AnyMaterial& material);

/// The equation's coefficients on one block, on the device. Instantiated for float and double.
template <class Real>
class HeatEquation {
 public:
  /// With `ghost_layers` of coefficients around the block, on the axes that the grid has: one is
  /// enough for operators on the block itself, more let them work on its ghost cells.
  HeatEquation(const Grid& grid, const comm::Box& owned, const AnyMaterial& material,
               int ghost_layers = 1);

  int dimensions() const { return dimensions_; }
  const Medium<Real>& medium() const { return medium_; }
  /// Whether K varies from cell to cell but is the same along all axes.
  bool isotropic() const {
    return materials_ ? materials_->view().isotropic : conductivities_ == 1;
  }
  /// 1/K along an axis [m K/W]; of no meaning where the medium is tabulated
  const CellValue<Real>& resistivity(int axis) const { return resistivity_[axis]; }
  /// 1/(rho c) [m³ K/J]; of no meaning where the medium is tabulated
  const CellValue<Real>& inverse_capacity() const { return inverse_capacity_; }
  /// For sums over cells of an uneven grid.
  VolumeShares volume_shares() const { return shares_.view(); }
  HeatContent<Real> heat_content() const { return {inverse_capacity_, materials()}; }
  /// Those of a tabulated medium; else none.
  MaterialsView<Real> materials() const {
    return materials_ ? materials_->view() : MaterialsView<Real>{};
  }
  /// Of a tabulated medium: makes K of the material at a position that of its tables times a
  /// factor. See Materials::scale_conductivity.
  void scale_conductivity(const comm::Space& space, int material, double factor) {
    materials_->scale_conductivity(space, material, factor);
  }
  /// q [W/m³]
  const CellSource<Real>& source() const { return source_; }
  /// Where cells are of few kinds, how those of each heat up; null if their sources differ.
  const KindHeat<Real>* heats_of_kinds() const {
    return heats_are_of_kinds_ ? kinds_->heats() : nullptr;
  }
  /// Replaces a source that is one number or a product; kernels in flight keep theirs.
  void set_source(const CellSource<Real>& source) {
    source_ = source;
    heats_are_of_kinds_ = false;
  }
  /// A source that has one value per cell from now on, for kernels that change it in the grown
  /// block. Blocking the first time.
  comm::GridView<Real> changing_source();

  /// What of the source flows through void faces; none unless set.
  const VoidHeat& void_heat() const { return void_heat_; }
  void set_void_heat(const VoidHeat& heat) { void_heat_ = heat; }

  /// The largest stable step of forward Euler on this block [s]: min over cells of rho c / sum over
  /// faces of K/h², which by Gershgorin's theorem (1931) keeps every eigenvalue of the step within
  /// [-1, 1]; with constant K in d dimensions it is rho c / (2 K sum 1/h²). Where K or rho c depend
  /// on the temperature, the largest K and the smallest rho c of each material count. A run takes
  /// the smallest over the ranks.
  double stable_dt(const comm::Box& owned) const;

  /// max rho c [J/(m³ K)] on the block outside of void cells, at any temperature.
  double largest_capacity(const comm::Box& owned) const;

  /// Memory traffic that a step cannot avoid: the temperature read and written, and every
  /// coefficient that varies read [bytes].
  int bytes_per_cell() const;
  /// Floating-point operations of a step.
  int flops_per_cell() const;

 private:
  CellValue<Real> cell_value(const char* label, const Coefficient& coefficient,
                             double (*convert)(double), std::optional<Field<Real>>& storage,
                             KindEntry entry);
  void set_source(const Coefficient& source);
  void set_medium(const Material& material, const Grid& grid);
  void set_uniform_medium(const std::array<double, 3>& K, const Grid& grid);
  void set_varying_medium(const Grid& grid);
  void set_stored_medium(const Material& material, const Grid& grid);
  UnevenSpacing<Real> uneven_spacing(const Grid& grid);
  UnevenWidths<Real> uneven_widths(const Grid& grid);
  template <class Entry>
  const Real* add_entries(int axis, const Entry& entry);
  void set(const Material& material, const Grid& grid);
  void set(const TabulatedMaterial& material, const Grid& grid);
  std::optional<FoundKinds> set_kinds(const Material& material, const Grid& grid, bool with_source);
  void set_contacts_of_kinds(const Material& material, const Grid& grid, const FoundKinds& found);
  bool has_faces_of_kinds() const { return std::holds_alternative<KindsMedium<Real>>(medium_); }

  int dimensions_;
  comm::Box owned_;
  comm::Int3 ghosts_;
  std::optional<Materials<Real>> materials_;  ///< of a tabulated medium
  std::array<std::optional<Field<Real>>, 3> resistivity_fields_;
  std::optional<Field<Real>> inverse_capacity_field_;
  std::optional<Field<Real>> source_field_;
  int conductivities_ = 0;  ///< that vary: one, or one an axis
  std::optional<CellKinds<Real>> kinds_;
  OfKind<bool> by_kind_{};                ///< coefficients of which kinds take the place of fields
  bool heats_are_of_kinds_ = false;       ///< all capacities and sources are
  std::vector<Field<Real>> face_fields_;  ///< of a stored medium, one an axis
  AxisEntries<Real> axis_entries_;        ///< of a medium on an uneven grid
  VolumeShareEntries shares_;
  Medium<Real> medium_;
  CellValue<Real> resistivity_[3];
  CellValue<Real> inverse_capacity_;
  CellSource<Real> source_;
  VoidHeat void_heat_;
};

}  // namespace halotherm::solver
