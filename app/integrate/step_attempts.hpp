// SPDX-License-Identifier: MIT
// Steps that count only once they are accepted.
#pragma once

#include "solver/diagnostics/accumulator_board.hpp"
#include "solver/field/state.hpp"

namespace halotherm::app {

/// What a step does in a cell.
struct StepWork {
  int stages = 1;    ///< evaluations of an explicit method
  double bytes = 0;  ///< that all stages and the estimate of the error must move
  double flops = 0;
};

/// A method whose step may be taken again with another length.
template <class Real>
class StepAttempts {
 public:
  virtual ~StepAttempts() = default;

  /// Collective. Computes the step from `time` that is `dt` long [s], and leaves the temperature of
  /// the state as it is. `board` takes the flows of the step, if not null. Returns the largest
  /// estimated error in a cell [K], the same on all ranks; infinite where the step has no finite
  /// result.
  virtual double attempt(solver::State<Real>& state, double time, double dt,
                         solver::AccumulatorBoard<Real>* board) = 0;
  /// Collective. Makes the result of the last attempt, of length `dt` and with this board, the
  /// temperature of the state.
  virtual void accept(solver::State<Real>& state, double dt,
                      solver::AccumulatorBoard<Real>* board) = 0;
  virtual StepWork work(double dt) const = 0;
};

}  // namespace halotherm::app
