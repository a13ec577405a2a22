// SPDX-License-Identifier: MIT
// A source that changes with time or with the temperature, evaluated where the cells are.
#pragma once

#include "app/problem/region_sampler.hpp"
#include "comm/mpi/error.hpp"
#include "solver/equation/formula_source.hpp"
#include "solver/equation/heat_equation.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace halotherm::app {

/// Makes an equation's source that of any time. A product of factors along the axes takes a few
/// thousand values; any other formula is evaluated in each of its cells. Instantiated for float and
/// double.
template <class Real>
class DeviceSource {
 public:
  /// `owned`: the block whose cells and ghost cells the source is sampled on. Throws Error (usage).
  DeviceSource(ChangingSource source, const comm::Box& owned);

  /// Makes the source of `equation` that of a moment, but for what depends on the temperature.
  /// Asynchronous on `space`; no kernel on other streams may be reading the source. Throws Error
  /// (usage) for a value that all cells share.
  void apply(const comm::Space& space, const Moment& moment, solver::HeatEquation<Real>& equation);

  /// Makes what depends on the temperature that of the last moment and of the temperatures `T` in
  /// the block's own cells. Likewise asynchronous.
  void follow(const comm::Space& space, const comm::GridView<const Real>& T,
              solver::HeatEquation<Real>& equation);

  /// The first time at which a value in some cell was not finite, and the error (usage) that names
  /// the place. Blocking.
  std::optional<std::pair<double, comm::Error>> failure() const;
  /// Throws that error.
  void check() const;

 private:
  /// A formula in its cells, or what has one value at a time.
  struct Part {
    solver::CellsOfFormula cells;
    solver::DeviceArray<solver::FormulaOperation> code;  ///< empty for one value
    std::optional<SampledQuantity> number;
    bool follows_temperature = false;
  };
  void add_parts(const comm::Box& owned);
  comm::Box cells_of(Owner owner) const;

  ChangingSource source_;
  solver::DeviceArray<Owner> owners_;
  solver::DeviceArray<double> added_;
  std::vector<Part> parts_;  ///< none for a product
  std::optional<solver::ProductSource<Real>> product_;
  std::optional<solver::CellwiseSource<Real>> cellwise_;  ///< none where one value holds everywhere
  solver::FirstFailure failure_;
  comm::Space last_space_;
  double last_time_ = 0;  ///< [s]
};

}  // namespace halotherm::app
