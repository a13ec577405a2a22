// SPDX-License-Identifier: MIT
// Between a level in blocks and its copy that every rank has as a whole.
#pragma once

#include "app/linear/level.hpp"

namespace halotherm::app {

/// The part of a block of which most values are.
inline comm::Box owned_cells(const comm::Box& owned) {
  return owned;
}

/// Whether each rank sends its block to every other rank; else all of them sum up.
bool sends_to_all(const comm::Communicator& communicator);
/// Collective. The exchange in which each rank sends its block of a level to all others, which
/// fills a field of the copy.
comm::Halo<float> exchange_with_all(const Level& level);

/// Collective. Makes the values of `copy`, in the cells that `part` takes of all of `to`, those of
/// `values` in the blocks of `from`, bit by bit. Blocking.
void gather(const Level& from, const solver::Field<float>& values, const Level& to,
            solver::Field<float>& copy, const std::function<comm::Box(const comm::Box&)>& part);
/// Collective. The same for all cells; asynchronous where each rank sends to all.
void replicate(Level& from, const solver::Field<float>& values, const Level& to,
               solver::Field<float>& copy);
/// Copies the values of a level's block, between a field of the level and one of its copy.
/// Asynchronous.
void copy_block(const Level& level, const solver::Field<float>& from, solver::Field<float>& to);

}  // namespace halotherm::app
