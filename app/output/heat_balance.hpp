// SPDX-License-Identifier: MIT
// What heat flowed in a step, was made and stored, in the whole domain.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/communicator.hpp"
#include "solver/diagnostics/flow_sums.hpp"
#include "solver/field/grid.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// Where heat enters or leaves: a side of the domain, one of its patches, or the void faces.
struct FlowPlace {
  std::string name;  ///< "x-", "x-_heater", "void"
  solver::FlowPart part;
  bool is_patch;
};

/// The sides that are not periodic, in the order x-, x+, y-, ..., each followed by its patches; the
/// void faces last, if there may be any.
/// Local; the same on every rank.
std::vector<FlowPlace> flow_places(const Config& config, const solver::Grid& grid);
std::vector<solver::FlowPart> parts_of(const std::vector<FlowPlace>& places);

/// Means over one step [W].
struct HeatBalance {
  struct Flow {
    std::string name;
    double power = 0;  ///< into the domain
  };
  std::vector<Flow> sides;  ///< and void faces; patches included, which are parts of their sides
  double source = 0;        ///< made by sources
  double stored = 0;        ///< change of the heat content over the step's length
  double missing = 0;       ///< stored − source − sides: rounding errors of the step

  /// The largest of the other numbers, by which `missing` is judged.
  double magnitude() const;
};

/// Collective. Reduces the blocks' flows; the result has the same bits for every partition.
/// `void_flux`: the part of the sources that is a flux through void faces [W]. `heat_change`: of
/// the whole domain in the step [J]. A flow that is not finite is NaN.
template <class Real>
HeatBalance reduce_balance(const comm::Communicator& world, const solver::Grid& grid,
                           const std::vector<FlowPlace>& places,
                           const solver::FlowSums<Real>& flows, double void_flux,
                           double heat_change);

}  // namespace halotherm::app
