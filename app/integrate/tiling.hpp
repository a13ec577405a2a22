// SPDX-License-Identifier: MIT
// Chooses the interior's tile: the fastest on this device for this problem.
#pragma once

#include "app/integrate/forward_euler.hpp"

#include <string>

namespace halotherm::app {

/// The chosen tile and how it was found.
struct Tiling {
  enum class Origin { usual, cached, measured };

  comm::Tile tile;  ///< of rank 0
  Origin origin = Origin::usual;
  int tried = 0;
  double seconds = 0;  ///< that the trials took
};

std::string to_string(const Tiling& tiling);

/// Collective. Sets the tile of the block's interior: one from the cache, or the fastest of some
/// trials on the run's own fields, of which the scratch field is overwritten. Never changes a
/// result.
template <class Real>
Tiling choose_tiling(ForwardEuler<Real>& euler, const solver::Field<Real>& temperature, double dt);

}  // namespace halotherm::app
