// SPDX-License-Identifier: MIT
// Observed orders of accuracy.
#pragma once

#include "app/verify/judgement.hpp"
#include "app/verify/manufactured.hpp"
#include "comm/mpi/communicator.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace halotherm::app {

/// A method of integration, as verification needs to know it: a new one is one line in the table.
struct VerifiedMethod {
  const char* name;   ///< of `time.integrator`
  double time_order;  ///< required of it; 0 for one without steps
  /// Of dt and of the cells' widths in a study of space: dt falls with this power of the width; 0
  /// where dt follows from the stability bound, and so does by itself.
  int dt_power;
  /// In a study of space with such a power, on the coarser grid, for each of its cells along an
  /// axis: so many that the errors of time stay small beside those of the grid, which they could
  /// cancel.
  double steps_a_cell;
  int time_steps;  ///< of the longest steps in a study of time
};
const std::vector<VerifiedMethod>& verified_methods();

/// One study of space: a problem on two grids.
struct SpaceStudy {
  const VerifiedMethod* method;
  Manufactured problem;
};
/// All that make sense; with `quick` each dimension with each method, side and coefficient, but not
/// all combinations of these.
std::vector<SpaceStudy> space_studies(bool quick);

/// Collective over `ranks`. `exact`: the temperature that the results are compared with, the
/// problem's own unless a test gives a wrong one.
Claim measure_space(const comm::Communicator& ranks, const SpaceStudy& study,
                    const std::string& exact);

/// Collective over `ranks`. On one grid, the order with which results of ever shorter steps
/// approach each other: their differences contain no error of the grid.
Claim measure_time(const comm::Communicator& ranks, const VerifiedMethod& method,
                   const Manufactured& problem);
/// The problems for `measure_time` that a method takes.
std::vector<Manufactured> time_problems(const VerifiedMethod& method, bool quick);

}  // namespace halotherm::app
