// SPDX-License-Identifier: MIT
// Cells that are alike in all their coefficients, as those of a few materials are: a small number a
// cell instead of each coefficient.
#pragma once

#include "solver/field/dense.hpp"
#include "solver/field/field.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace halotherm::solver {

/// In kernels: the coefficients of each kind, and the kind of each cell.
template <class Real>
struct CellKindsView {
  static constexpr int most = 256;

  comm::GridView<const std::uint8_t> of_cell;
  int count = 0;
  const Real* resistivity = nullptr;       ///< 1/K [m K/W]
  const Real* inverse_capacity = nullptr;  ///< 1/(rho c) [m³ K/J]
  const Real* source = nullptr;            ///< q [W/m³]
};

/// Coefficients of the cells of a box: each one number, or one a cell, x fastest.
using CellCoefficients = std::array<const std::variant<double, std::vector<double>>*, 3>;

/// The kinds of a box's cells.
struct FoundKinds {
  std::vector<std::array<double, 3>> kinds;
  std::vector<std::uint8_t> of_cell;
};
/// Nothing if there are more kinds than a view has room for.
std::optional<FoundKinds> find_kinds(const CellCoefficients& coefficients, std::size_t cells);

/// Owns them, on the device. Instantiated for float and double.
template <class Real>
class CellKinds {
 public:
  /// The coefficients of each kind: 1/K, 1/(rho c) and q. `of_cell`: of the owned cells and the
  /// ghost cells around them. Blocking.
  CellKinds(const std::vector<std::array<Real, 3>>& kinds, const std::vector<std::uint8_t>& of_cell,
            const comm::Box& owned, const comm::Int3& ghosts);

  CellKindsView<Real> view() const;

 private:
  Field<std::uint8_t> of_cell_;
  std::array<DeviceArray<Real>, 3> coefficients_;
  int count_;
};

}  // namespace halotherm::solver
