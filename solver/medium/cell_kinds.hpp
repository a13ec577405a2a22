// SPDX-License-Identifier: MIT
// Cells that are alike in their coefficients, as those of a few materials are: a byte a cell
// instead of each coefficient.
#pragma once

#include "solver/field/dense.hpp"
#include "solver/field/field.hpp"
#include "solver/material/contacts.hpp"
#include "solver/medium/cell_value.hpp"
#include "solver/medium/kinds_medium.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace halotherm::solver {

/// The coefficients of a kind: K along each axis [W/(m K)], rho c [J/(m³ K)] and q [W/m³].
enum class KindEntry : std::uint8_t { K_x, K_y, K_z, capacity, source };
inline constexpr std::size_t kind_entries = 5;
template <class Value>
using OfKind = std::array<Value, kind_entries>;

inline constexpr std::size_t most_kinds = 256;

/// Whether they should take the place of so many fields: not of one alone where a CPU has no
/// instruction that gathers a pack.
bool kinds_pay(int fields);

/// Coefficients of the cells of a box: each one number, or one a cell, x fastest.
using CellCoefficients = OfKind<const std::variant<double, std::vector<double>>*>;

/// The kinds of a box's cells.
struct FoundKinds {
  std::vector<OfKind<double>> kinds;
  std::vector<std::uint16_t> materials;  ///< of each kind, where contacts tell them apart; else 0
  std::vector<std::uint8_t> of_cell;
};
/// Nothing if there are more than `most_kinds`. Cells of one kind have one material of the
/// contacts, if there are any.
std::optional<FoundKinds> find_kinds(const CellCoefficients& coefficients, const Contacts& contacts,
                                     std::size_t cells);

/// Owns them, on the device. Instantiated for float and double.
template <class Real>
class CellKinds {
 public:
  /// Of the owned cells and the ghost cells around them. Blocking.
  CellKinds(const FoundKinds& found, const comm::Box& owned, const comm::Int3& ghosts);

  /// What each cell has of a coefficient: 1/K, 1/(rho c) or q. Valid as long as this object, as the
  /// other views.
  CellValue<Real> value(KindEntry which) const;
  /// How cells of each kind heat up.
  const KindHeat<Real>* heats() const { return heats_.data(); }
  /// With faces between cells of an even grid as EvenSpacing forms them. Blocking.
  KindsMedium<Real> medium(int dimensions, const EvenSpacing<Real>& spacing);
  /// With these conductances of faces [W/(m³ K)]: by axis, of each pair of kinds. Blocking.
  KindsMedium<Real> medium(const std::vector<std::vector<Real>>& faces);

 private:
  KindsMedium<Real> medium_of(int dimensions, const EvenSpacing<Real>& spacing) const;
  const Real* entry(KindEntry which) const {
    return entries_.data() + static_cast<int>(which) * count_;
  }

  Field<std::uint8_t> of_cell_;
  int count_;
  DeviceArray<Real> entries_;  ///< as `value` has them, of all kinds, one after the other
  DeviceArray<KindHeat<Real>> heats_;
  DeviceArray<Real> faces_;  ///< one axis after the other
};

}  // namespace halotherm::solver
