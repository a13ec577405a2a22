// SPDX-License-Identifier: MIT
// Sources given by formulas of position, time and temperature, evaluated where the cells are.
#pragma once

#include "solver/equation/first_failure.hpp"
#include "solver/field/axis_entries.hpp"
#include "solver/field/dense.hpp"
#include "solver/formula/separation.hpp"
#include "solver/medium/cell_value.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace halotherm::solver {

/// Coordinates [m] along each axis from a box's lower corner on.
using AxisCoordinates = std::array<std::vector<double>, 3>;

/// A source that is a product of factors along the axes. Instantiated for float and double.
template <class Real>
class ProductSource {
 public:
  /// `box`: the cells of a block, `owned`, and its ghost cells, with their coordinates.
  ProductSource(const comm::Box& owned, const comm::Box& box, const AxisCoordinates& coordinates,
                const FormulaFactors& factors);

  /// Evaluates the factors at time t [s]. Asynchronous on `space`. Notes as the place of a failure
  /// where the product's size is largest.
  void evaluate(const comm::Space& space, double time, const FirstFailure& failure) const;
  /// For kernels after an evaluation.
  CellSource<Real> view() const;

  /// Along one axis, the factor that is largest in size; one that is not finite is larger than any.
  struct Largest {
    double value;
    double size;
    std::int32_t index;
  };
  struct Extremes {
    Largest along[3];
  };

 private:
  comm::Box box_;
  AxisEntries<double> coordinates_;
  AxisEntries<Real> factors_;
  std::array<DeviceArray<FormulaOperation>, 3> codes_;
  Kokkos::View<Extremes, comm::Memory> extremes_;
};

/// Which cells of a box a formula holds in: those of a part that have one of its owners.
struct CellsOfFormula {
  comm::Box cells;                        ///< others are left alone
  const std::uint16_t* owners = nullptr;  ///< on the device, one for each cell of the box; or all
  std::uint16_t owner = 0;
  const double* added = nullptr;  ///< likewise, added to the formula's value [W/m³]; or nothing
  Bounds temperatures{};          ///< T in the formula keeps within them [K]
};

/// Evaluates formulas in each cell of a block. Instantiated for float and double.
template <class Real>
class CellwiseSource {
 public:
  CellwiseSource(const comm::Box& owned, const comm::Box& box, const AxisCoordinates& coordinates);

  /// The values of a formula at time t [s], or one number if `code` is empty, in some cells of
  /// `field`. `T`: the temperatures [K] of these cells, of a formula that depends on them.
  /// Asynchronous on `space`. Notes a failure at the first cell that has one, x fastest.
  void evaluate(const comm::Space& space, const DeviceArray<FormulaOperation>& code, double number,
                double time, const CellsOfFormula& cells, std::int32_t part,
                const comm::GridView<Real>& field, const FirstFailure& failure,
                const comm::GridView<const Real>& T = {}) const;

  struct First {
    double value;
    std::int64_t place;
  };

 private:
  comm::Box box_;
  AxisEntries<double> coordinates_;
  Kokkos::View<First, comm::Memory> first_;
};

}  // namespace halotherm::solver
