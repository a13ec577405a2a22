// SPDX-License-Identifier: MIT
// Between a level in blocks and its copy that every rank has as a whole.
#pragma once

#include "app/linear/level.hpp"

namespace halotherm::app {

/// The part of a block of which most values are.
inline comm::Box owned_cells(const comm::Box& owned) {
  return owned;
}

/// Collective. Makes the values of `copy`, in the cells that `part` takes of all of `to`, those of
/// `values` in the blocks of `from`, bit by bit. Blocking.
void gather(const Level& from, const solver::Field<float>& values, const Level& to,
            solver::Field<float>& copy, const std::function<comm::Box(const comm::Box&)>& part);
/// The part of a copy's values that a block has. Asynchronous.
void take_part(const solver::Field<float>& copy, const Level& to, solver::Field<float>& values);

}  // namespace halotherm::app
