// SPDX-License-Identifier: MIT
// What a step's parts cost alone, measured on the run's own fields: the yardsticks of the summary.
#pragma once

#include "app/block.hpp"
#include "comm/execution.hpp"

namespace halotherm::app {

/// Seconds are those of the slowest rank, the best of several repeats.
struct Calibration {
  bool measured = false;
  double copy_bandwidth = 0;  ///< all ranks copying at once, the sum over ranks [bytes/s, read and written]
  double boundary = 0;        ///< [s]
  double exchange = 0;        ///< pack, messages, unpack, with nothing to hide behind [s]
  double interior = 0;        ///< [s]
  double shell = 0;           ///< [s]
  double computation = 0;     ///< a step without its exchange, when many follow each other as in the time loop [s]
};

/// Collective. `next` is overwritten; `temperature` keeps its values, its ghost cells become current.
template <class Real>
Calibration calibrate(const comm::Communicator& world, const comm::Streams& streams, Block<Real>& block,
                      solver::Field<Real>& temperature, solver::Field<Real>& next, double time, double dt);

}  // namespace halotherm::app
