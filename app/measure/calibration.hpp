// SPDX-License-Identifier: MIT
// Times of a step's parts, each measured alone on the run's own fields: references of the summary.
#pragma once

#include "app/integrate/integrator.hpp"

namespace halotherm::app {

/// Seconds are those of the slowest rank, the best of several repeats, for all stages of a step
/// together.
struct Calibration {
  bool measured = false;
  /// all ranks copying at once, the sum over ranks [bytes/s, read and written]
  double copy_bandwidth = 0;
  double formulas = 0;  ///< evaluating those that change with time [s]
  double exchange = 0;  ///< pack, messages, unpack, with nothing to hide behind [s]
  double interior = 0;  ///< [s]
  double shell = 0;     ///< [s]
  /// a step without its exchange, when many follow each other as in the time loop [s]
  double computation = 0;
  double launches = 0;  ///< the same kernels on next to no cells [s]
};

/// A few cells of the block for each kernel launch of the region, to measure the launch overhead.
comm::Region tiny_part(const comm::Region& region, const comm::Box& owned);

/// Collective. The temperature keeps its values, its ghost cells become current; the integrator's
/// other fields are overwritten.
template <class Real>
Calibration calibrate(Integrator<Real>& integrator, solver::Field<Real>& temperature, double time,
                      double dt);

}  // namespace halotherm::app
