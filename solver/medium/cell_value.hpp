// SPDX-License-Identifier: MIT
// Coefficients that are one number or vary from cell to cell.
#pragma once

#include "solver/field/field.hpp"
#include "solver/medium/cell_bytes.hpp"

namespace halotherm::solver {

/// A coefficient in kernels: one number, one per cell, or where few numbers occur, these, and which
/// of them each cell has.
template <class Real>
struct CellValue {
  comm::GridView<const Real> field;
  Real value = 0;
  bool varies = false;
  comm::GridView<const std::uint8_t> kind{};
  const Real* of_kind = nullptr;  ///< null where a field has the values

  KOKKOS_FORCEINLINE_FUNCTION bool in_field() const { return varies && of_kind == nullptr; }
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(int i, int j, int k) const {
    if (!varies) return value;
    return of_kind != nullptr ? of_kind[kind(i, j, k)] : field(i, j, k);
  }
  /// The values of the cells from (i, j, k) on, which GPUs load as a pack.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value at(int i, int j, int k) const {
    if (!varies) return broadcast<Value>(value);
    if (of_kind != nullptr) return by_kind<Value>(&kind(i, j, k));
    if constexpr (comm::kernels_run_on_host) return load_unaligned<Value>(&field(i, j, k));
    return load<Value>(&field(i, j, k));
  }

 private:
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value by_kind(const std::uint8_t* at) const {
    if constexpr (comm::kernels_run_on_host) {
      return look_up<Value>(of_kind, at);
    } else {
      return look_up<Value>(of_kind, load_bytes<width_of<Value>>(at));
    }
  }
};

/// The source in kernels [W/m³]: one number, one per cell, or a product of a factor for each axis,
/// of which a kernel reads next to nothing.
template <class Real>
struct CellSource {
  CellValue<Real> value;
  const Real* factor[3] = {};  ///< by the cells' indices; null for no product

  KOKKOS_FORCEINLINE_FUNCTION bool is_product() const { return factor[0] != nullptr; }
  /// Whether it is one number.
  KOKKOS_FORCEINLINE_FUNCTION bool uniform() const { return !value.varies && !is_product(); }
  /// In this order everywhere; the product of y and z holds for a row of cells.
  template <class Value>
  static KOKKOS_FORCEINLINE_FUNCTION Value product(const Value& x, Real y, Real z) {
    return x * broadcast<Value>(y * z);
  }
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(int i, int j, int k) const {
    return is_product() ? product(factor[0][i], factor[1][j], factor[2][k]) : value(i, j, k);
  }
  /// The values of the cells from (i, j, k) on, as of CellValue.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value at(int i, int j, int k) const {
    if (!is_product()) return value.template at<Value>(i, j, k);
    if constexpr (comm::kernels_run_on_host)
      return product(load_unaligned<Value>(factor[0] + i), factor[1][j], factor[2][k]);
    return product(load<Value>(factor[0] + i), load<Real>(factor[1] + j),
                   load<Real>(factor[2] + k));
  }
};

}  // namespace halotherm::solver
